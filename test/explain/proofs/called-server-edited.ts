import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };

/** A database gets another image at 1, and who calls it ends at 2 with these words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    k8s.put(
      long,
      ...twoNodes,
      ...app('db', { labels }),
      podOf('db', 'a', { labels }),
      ...app('api'),
      podOf('api', 'a'),
    );
    k8s.put(long, service('db', { createdAt: long }), endpointSlice('db'));
    k8s.wait(at(0));
    const [deployment] = app('db', { labels, image: 'registry.example/shop/db:2', generation: 2 });
    if (deployment) k8s.put(at(1), deployment);
    k8s.put(at(1), replicaSet('db', 2, { createdAt: at(1), replicas: 1, labels }));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'a database was released, and turns away who logged in until then',
    tell: story(said.rejected('db')),
    told: ['Deployment/shop/db CrashLoopBackOff 1, image edited'],
  },
  not: {
    what: 'who calls it lacks a variable',
    tell: story(said.variable),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
