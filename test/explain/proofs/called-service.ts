import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };

/** A Service whose selector matches nothing any more, and a workload that crashes with its last words. */
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
    k8s.put(at(1), service('db', { createdAt: long, selector: { app: 'dbs' } }), endpointSlice('db', { ready: 0 }));
    k8s.put(at(1, 30), podOf('api', 'a', saying(long, at(1, 30), words)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  rule: 'called-fails',
  shows: {
    what: 'a workload crashes for want of a Service that selects nothing any more',
    tell: story(said.refused('db')),
    told: ['Service/shop/db ServiceSelectsNothing 2'],
  },
  not: {
    what: 'it lacks a variable',
    tell: story(said.variable),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Service/shop/db ServiceSelectsNothing 1'],
  },
};
