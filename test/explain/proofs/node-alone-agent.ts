import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const words = 'runtime/cgo: pthread_create failed: Resource temporarily unavailable';

/** A DaemonSet and two Deployments have a Pod on each of two Nodes; at 1 that of the DaemonSet on n1 crashes, and those there of some. */
const story =
  (failing: readonly string[]): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const agent = (node: string, parts: object) =>
      pod(`shipper-${node}`, { owner: { kind: 'DaemonSet', name: 'shipper' }, node, createdAt: long, ...parts });
    const all = ['n1', 'n2'].flatMap((node) => [agent(node, {}), ...names.map((name) => podOf(name, node, { node }))]);
    k8s.put(
      long,
      ...twoNodes,
      daemonSet('shipper', { createdAt: long }),
      ...names.flatMap((name) => app(name)),
      ...all,
    );
    k8s.wait(at(0));
    k8s.put(at(1), agent('n1', crashing(long, at(1))));
    k8s.put(at(1), ...failing.map((name) => podOf(name, 'n1', { node: 'n1', ...saying(long, at(1), words) })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-alone-members',
  shows: {
    what: 'an agent of a Node crashes there with two workloads that serve elsewhere',
    tell: story(['api', 'web']),
    told: ['Node//n1 CrashLoopBackOff 3'],
  },
  not: {
    what: 'an agent crashes beside one workload',
    tell: story(['api']),
    told: ['DaemonSet/shop/shipper CrashLoopBackOff 1', 'Deployment/shop/api CrashLoopBackOff 1'],
  },
};
