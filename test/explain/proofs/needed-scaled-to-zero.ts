import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const sized = (name: string, replicas: number) => {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [] } };
  return app(name, {
    ...{ labels: { app: name }, replicas, generation: 2 - Math.sign(replicas), spec: { replicas, template } },
    managedFields: [managed('kubectl-scale', replicas === 0 ? at(1) : long, { 'f:spec': { 'f:replicas': {} } })],
  });
};
const client = (parts: Parameters<typeof podOf>[2] = {}) =>
  podOf('api', 'a', {
    ...parts,
    spec: {
      containers: [{ name: 'api', image: 'registry.example/shop/api:1', args: ['--cache=redis://cache:6379/0'] }],
    },
  });

/** A workload is scaled to zero, and one that depends on the cache crashes. */
const story =
  (scaled: 'cache' | 'web'): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...sized('cache', 1), ...sized('web', 1));
    k8s.put(long, service('cache'), endpointSlice('cache'), client());
    k8s.wait(at(0));
    k8s.put(at(1), ...sized(scaled, 0));
    if (scaled === 'cache') k8s.put(at(1, 1), endpointSlice('cache', { ready: 0 }));
    k8s.put(at(1, 30), client(saying(long, at(1, 30), said.refused('cache.shop.svc'))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the cache that a workload depends on was scaled to zero',
    tell: story('cache'),
    told: ['Deployment/shop/cache CrashLoopBackOff 1, replicas edited'],
  },
  not: {
    what: 'another workload was scaled to zero',
    tell: story('web'),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
