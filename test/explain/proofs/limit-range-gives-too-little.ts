import { at } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const range = {
  ...{ apiVersion: 'v1', kind: 'LimitRange' },
  metadata: { name: 'sizes', namespace: 'shop', uid: 'sizes' },
};
const killed = { exitCode: 137, reason: 'OOMKilled' };

/** Containers of two workloads are killed at their limit, which Pods from before have as well, or not. */
const story =
  (ofBefore: 'without a limit' | 'with the same'): Story['tell'] =>
  (k8s) => {
    const container = { name: 'api', image: 'registry.example/a:1' };
    const limited = { containers: [{ ...container, resources: { limits: { memory: '64Mi' } } }] };
    const names = ['api', 'web'];
    const older = ofBefore === 'with the same' ? limited : { containers: [container] };
    k8s.put(long, ...twoNodes, range, ...names.flatMap((name) => app(name)));
    k8s.put(long, ...names.map((name) => podOf(name, 'b', { spec: older })));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', { spec: limited, ...crashing(at(1), at(1), killed) })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the limit range of a namespace gives too little to what names no limit, and serves without one',
    tell: story('without a limit'),
    told: ['LimitRange/shop/sizes OOMKilled 2'],
  },
  not: {
    what: 'their siblings serve with the same limit: it is what they use that differs',
    tell: story('with the same'),
    told: ['Deployment/shop/api OOMKilled 1', 'Deployment/shop/web OOMKilled 1'],
  },
};
