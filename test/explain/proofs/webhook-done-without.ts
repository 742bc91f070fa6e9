import { webhooks } from '../../world/control-objects.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { app: 'giver' };

/** Who gives new Pods their credentials crashes at 1; one that was made at this instant has none at 3. */
const story =
  (made: number): Story['tell'] =>
  (k8s) => {
    const gives = webhooks('MutatingWebhookConfiguration', 'giver', { service: 'shop/giver', failurePolicy: 'Ignore' });
    k8s.put(long, ...twoNodes, gives, service('giver', { createdAt: long, selector: labels }), endpointSlice('giver'));
    k8s.put(long, ...app('giver', { labels }), podOf('giver', 'a', { labels }), ...app('api'));
    if (made < at(1)) k8s.put(made, podOf('api', 'a', { createdAt: made }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('giver', 'a', { labels, ...crashing(long, at(1)) }), endpointSlice('giver', { ready: 0 }));
    if (made >= at(1)) k8s.put(made, podOf('api', 'a', { createdAt: made }));
    const words = 'botocore.exceptions.NoCredentialsError: Unable to locate credentials';
    k8s.put(at(3), podOf('api', 'a', saying(made, at(3), words)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'a Pod that was made since has no credentials',
    tell: story(at(2)),
    told: ['Deployment/shop/giver CrashLoopBackOff 4'],
  },
  not: {
    what: 'the Pod was made before, and had them from then',
    tell: story(at(-30)),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/giver CrashLoopBackOff 3'],
  },
};
