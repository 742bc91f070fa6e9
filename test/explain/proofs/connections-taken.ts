import { service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };

/** A worker that names the database goes from 2 to so many replicas at 1; two other clients get no connection at 2. */
const story =
  (replicas: number): Story['tell'] =>
  (k8s) => {
    const env = [{ name: 'DB_HOST', value: 'db' }];
    const spec = { containers: [{ name: 'api', image: 'x', env }] };
    const names = ['api', 'web'];
    k8s.put(
      long,
      ...twoNodes,
      service('db', { createdAt: long }),
      ...app('db', { labels }),
      podOf('db', 'a', { labels }),
    );
    k8s.put(long, ...app('worker'), podOf('worker', 'a', { spec }));
    k8s.put(long, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    k8s.put(at(1), ...app('worker', { replicas, generation: 2 }));
    k8s.put(at(2), ...names.map((name) => podOf(name, 'a', saying(long, at(2), said.full('db')))));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'a worker that names the database grew just before others get no connections',
    tell: story(14),
    told: ['Deployment/shop/worker CrashLoopBackOff 3, replicas edited'],
  },
  not: {
    what: 'the worker has become smaller',
    tell: story(1),
    told: ['Deployment/shop/db ServiceRefusing 3'],
  },
};
