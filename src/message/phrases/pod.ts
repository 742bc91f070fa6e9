import { refOf } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { describePod, getPod, logs } from '../next.ts';
import { fact, ofPods, type Phrase, quote } from '../phrase.ts';
import { kubectl } from '../words.ts';
import { exit } from './container.ts';

const scheduler = (about: Case): string | undefined => quote('The scheduler', about, 'schedulerMessage');

/** Pods that do not run as they should. */
export const podPhrases = {
  Unschedulable: {
    doing: ofPods('has fitted on no node', 'that fits on no node', 'that fit on no node'),
    hits: 'cannot be placed because of it',
    detail: scheduler,
    well: 'no longer waits for room',
    next: describePod,
    facts: [],
  },
  SchedulerError: {
    doing: ofPods('has made the scheduler fail', 'that the scheduler fails on', 'that the scheduler fails on'),
    detail: scheduler,
    well: 'no longer makes the scheduler fail',
    next: describePod,
    facts: [],
  },
  PodNotReady: {
    doing: ofPods('has been running without being ready', 'that is not ready', 'that are not ready'),
    detail: ({ finding }) => finding?.message,
    well: 'is ready again',
    next: describePod,
    facts: ['node'],
  },
  PodFailed: {
    doing: (about) => (about.root.startsWith('Pod/') ? `failed${exit(about)}` : `had a pod that failed${exit(about)}`),
    once: true,
    detail: ({ finding, facts }) => (facts.exitCode === undefined ? finding?.message : undefined),
    well: 'has had no further failed pod',
    next: (about) => (about.facts.exitCode === undefined ? describePod(about) : logs(about)),
    facts: ['container', 'node'],
  },
  PodStuckTerminating: {
    doing: ofPods(
      'has not gone away though it is deleted',
      'that is deleted and does not go',
      'that are deleted and do not go',
    ),
    detail: ({ finding }) => (finding?.names.length ? finding.message : undefined),
    well: 'has no pod left that does not go',
    // Finalizers show only here.
    next: getPod('yaml'),
    facts: ['node'],
  },
  PodStatusUnknown: {
    doing: ofPods('has been in a state nobody knows', 'whose state nobody knows', 'whose state nobody knows'),
    well: 'is known to be well again',
    next: (about) => {
      const node = fact(about, 'node');
      return node === undefined ? describePod(about) : kubectl('describe node', refOf('Node', '', node));
    },
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
