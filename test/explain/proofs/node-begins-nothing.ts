import { at, eventOf, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck } from '../proof.ts';

const says = 'Failed to create pod sandbox: rpc error: code = Unknown desc = OCI runtime create failed: no such device';

/** Two workloads that run on n1 grow: their new Pods are placed on n3, where nothing was, and have no sandbox. */
const story =
  (other: 'has none' | 'has one'): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, node('n1', { since: long }), node('n3', { since: long }));
    k8s.put(long, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    const waiting = names.map((name) => podOf(name, 'b', { ...stuck(at(1), 'ContainerCreating'), node: 'n3' }));
    k8s.put(at(1), ...waiting);
    if (other === 'has one') k8s.put(at(2), ...app('cart'), podOf('cart', 'a', { createdAt: at(2), node: 'n3' }));
    k8s.put(at(1, 5), ...waiting.map((pod) => eventOf(pod, 'FailedCreatePodSandBox', says, at(1, 5))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-alone',
  shows: {
    what: 'all new Pods of two workloads were placed on one Node, and nothing begins there',
    tell: story('has none'),
    told: ['Node//n3 FailedCreatePodSandBox 2'],
  },
  not: {
    what: 'another one begins there',
    tell: story('has one'),
    told: ['Deployment/shop/api FailedCreatePodSandBox 1', 'Deployment/shop/web FailedCreatePodSandBox 1'],
  },
};
