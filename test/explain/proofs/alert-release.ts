import { alert } from '../../world/alert-objects.ts';
import { at, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const image = 'registry.example/shop/api:2';

/** A release at 1 whose Pods are ready from 2 on; of the workload somebody alerts since an instant. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    const edited = { replicas: 1, createdAt: long, image, generation: 2 };
    const fired = alert('RequestsAreSlow', ['Deployment/shop/api'], { since, severity: 'high' });
    k8s.put(long, ...twoNodes, ...app('api', { replicas: 1 }), podOf('api', 'a'));
    if (since < at(0)) k8s.put(since, fired);
    k8s.wait(at(0));
    k8s.put(at(1), workload('Deployment', 'api', edited), replicaSet('api', 2, { replicas: 1, createdAt: at(1) }));
    k8s.put(at(2), podOf('api', 'b', { revision: 2, createdAt: at(1) }));
    k8s.gone(at(2), podOf('api', 'a'));
    if (since > at(0)) k8s.put(since, fired);
    k8s.wait(at(12));
  };

export const proof: Proof = {
  rule: 'release-stuck',
  shows: {
    what: 'requests are slow five minutes after a release',
    tell: story(at(7)),
    told: ['Deployment/shop/api ExternalAlert 1, image edited'],
  },
  not: {
    what: 'requests were slow before it',
    tell: story(at(-20)),
    told: ['Deployment/shop/api ExternalAlert 1'],
  },
};
