import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts } from '../../../model/finding.ts';
import type { Phrase } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';

/** ` (v1.36.3)`. */
function within(value: string | number | undefined): string {
  return value === undefined || value === '' ? '' : ` (${value})`;
}

/** `etcd and ping fail`. */
function failing({ checks = 'its own checks', count: fail }: Facts): string {
  return `${checks} ${fail === 1 ? 'fails' : 'fail'}`;
}

/** `the kubelets (v1.32.9) of 2 nodes (n1 and n2)`. */
function unsupported({ kubelets, nodes, named }: Facts): string {
  return nodes === undefined
    ? 'the kubelets of some nodes'
    : `the kubelet${within(kubelets)} of ${count(Number(nodes), 'node')}${within(named)}`;
}

/** What the API server says of itself, and what it does not support. */
export const apiServerPhrases = {
  APIServerNotReady: {
    says: ({ facts, detail = '' }) =>
      `It says that it is not ready: ${failing(facts)}${detail === '' ? ', and it withholds why' : ` (${detail})`}.`,
    happens: () => 'is not ready',
    why: ({ facts }) => (facts.checks === undefined ? undefined : failing(facts)),
    hits: 'may have failed because of it',
    evidence: ({ finding }) =>
      finding?.detail ? `It says: ${finding.detail}.` : 'It withholds why its checks fail; its own log says why.',
    well: 'is ready again',
    next: () => kubectl('get', undefined, '--raw', '/readyz?verbose'),
  },
  VersionSkew: {
    says: ({ facts }) => `Its version${within(facts.version)} does not support ${unsupported(facts)}.`,
    happens: ({ facts }) => `does not support ${unsupported(facts)}`,
    evidence: ({ facts }) => (facts.allowed === undefined ? undefined : `Its version supports ${facts.allowed}.`),
    well: 'supports the kubelets of all nodes',
    next: () => kubectl('get', listOf('nodes')),
  },
} as const satisfies Readonly<Record<string, Phrase>>;
