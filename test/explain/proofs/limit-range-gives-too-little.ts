import { at } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const range = {
  ...{ apiVersion: 'v1', kind: 'LimitRange' },
  metadata: { name: 'sizes', namespace: 'shop', uid: 'sizes' },
};
const killed = { exitCode: 137, reason: 'OOMKilled' };

/** Containers of two workloads are killed at their limit, which their template has as well, or not. */
const story =
  (inTemplate: boolean): Story['tell'] =>
  (k8s) => {
    const containers = [{ name: 'api', image: 'registry.example/a:1', resources: { limits: { memory: '64Mi' } } }];
    const names = ['api', 'web'];
    const template = inTemplate ? { template: { containers } } : {};
    k8s.put(long, ...twoNodes, range, ...names.flatMap((name) => app(name, template)));
    k8s.put(long, ...names.map((name) => podOf(name, 'a', { containers })));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', { containers, ...crashing(long, at(1), killed) })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the limit range of a namespace gives too little to what names no limit',
    tell: story(false),
    told: ['LimitRange/shop/sizes OOMKilled 2'],
  },
  not: {
    what: 'both workloads have named their limits themselves',
    tell: story(true),
    told: ['Deployment/shop/api OOMKilled 1', 'Deployment/shop/web OOMKilled 1'],
  },
};
