import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };

/** A workload calls another for an hour and ends at 2 with these words. */
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
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'the certificate that a server shows has expired',
    tell: story(said.expired('db')),
    told: ['Deployment/shop/db CrashLoopBackOff 1'],
  },
  not: {
    what: 'the clock of who is shown it is behind',
    tell: story(`${said.expired('db')}: current time 2019-01-01T00:00:00Z is before 2026-01-01T00:00:00Z`),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
