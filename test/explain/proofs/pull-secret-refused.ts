import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const says = 'failed to resolve reference "registry.example/x:1": 401 unauthorized';
const spec = { imagePullSecrets: [{ name: 'robot' }] };

/** Pods of these workloads are refused by a registry, while another with the same pull secret is new and runs, or is there for long. */
const story =
  (names: readonly string[], runsSince: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)), ...app('cart'));
    k8s.put(runsSince, podOf('cart', 'a', { createdAt: runsSince, spec }));
    k8s.wait(at(0, 40));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', { ...stuck(at(1), 'ImagePullBackOff', says), spec })));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-are-refused',
  shows: {
    what: 'two workloads are refused with the same pull secret',
    tell: story(['api', 'web'], long),
    told: ['Secret/shop/robot ImagePullDenied 2'],
  },
  not: {
    what: 'a third is given its image with it just before',
    tell: story(['api', 'web'], at(0, 30)),
    told: ['Deployment/shop/api ImagePullDenied 1', 'Deployment/shop/web ImagePullDenied 1'],
  },
};
