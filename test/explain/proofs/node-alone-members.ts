import { at, pod, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const words = 'LOG:  checkpoint complete: wrote 41 buffers (0.3%); write=269.711 s, sync=118.402 s';
const sets = ['postgres', 'redis'];

/** Two sets have a member on each of two Nodes, as a Deployment has Pods; at 1 some of those on n1 crash. */
const story =
  (failing: readonly string[]): Story['tell'] =>
  (k8s) => {
    const member = (name: string, ordinal: number, parts: object = {}) =>
      pod(`${name}-${ordinal}`, {
        ...{ owner: { kind: 'StatefulSet', name }, node: `n${ordinal + 1}`, createdAt: long },
        labels: { 'controller-revision-hash': 'r1' },
        ...parts,
      });
    const set = (name: string) => workload('StatefulSet', name, { createdAt: long, replicas: 2 });
    const web = ['n1', 'n2'].map((node) => podOf('web', node, { node }));
    k8s.put(long, ...twoNodes, ...app('web'), ...web, ...sets.map(set));
    k8s.put(long, ...sets.flatMap((name) => [member(name, 0), member(name, 1)]));
    k8s.wait(at(0));
    const crash = saying(long, at(1), words);
    for (const name of failing)
      k8s.put(at(1), name === 'web' ? podOf('web', 'n1', { node: 'n1', ...crash }) : member(name, 0, crash));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'two sets and a Deployment have one Pod each that crashes, all on one Node',
    tell: story([...sets, 'web']),
    told: ['Node//n1 CrashLoopBackOff 3'],
  },
  not: {
    what: 'two sets have a member that crashes, which may be for its data',
    tell: story(sets),
    told: ['StatefulSet/shop/postgres CrashLoopBackOff 1', 'StatefulSet/shop/redis CrashLoopBackOff 1'],
  },
};
