import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const words = 'runtime/cgo: pthread_create failed: Resource temporarily unavailable';

/** Two workloads have a Pod on each of two Nodes; those on n1 crash at 1, and so many seconds later those on n2 as well. */
const story =
  (nodes: readonly string[]): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const all = (nodes: readonly string[], parts: object) =>
      names.flatMap((name) => nodes.map((node) => podOf(name, node, { node, ...parts })));
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)), ...all(['n1', 'n2'], {}));
    k8s.wait(at(0));
    k8s.put(at(1), ...all(nodes, saying(long, at(1), words)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'of two workloads the Pods on one Node crash, and those on the other serve',
    tell: story(['n1']),
    told: ['Node//n1 CrashLoopBackOff 2'],
  },
  not: {
    what: 'they crash on both Nodes',
    tell: story(['n1', 'n2']),
    told: ['Deployment/shop/api CrashLoopBackOff 2', 'Deployment/shop/web CrashLoopBackOff 2'],
  },
};
