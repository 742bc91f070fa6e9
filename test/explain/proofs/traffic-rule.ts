import { custom } from '../../world/custom-objects.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { app: 'db' };
const timedOut = 'connection to server at "db" (10.96.0.7), port 5432 failed: Connection timed out';

/** A policy of a mesh is made for some Pods at 1, and who needs the database crashes at 2. */
const story =
  (selected: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('db', { labels }), podOf('db', 'a', { labels }));
    k8s.put(long, ...app('api'), podOf('api', 'a'), service('db', { createdAt: long }), endpointSlice('db'));
    k8s.wait(at(0));
    const spec = { selector: { matchLabels: { app: selected } } };
    k8s.put(at(1), custom('security.istio.io/v1', 'AuthorizationPolicy', 'callers', { createdAt: at(1), spec }));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), timedOut)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'a policy for the Pods of a database was made, and who needs it times out',
    tell: story('db'),
    told: ['AuthorizationPolicy.security.istio.io/shop/callers CrashLoopBackOff 1, creation edited'],
  },
  not: {
    what: 'the policy is for other Pods',
    tell: story('cache'),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
