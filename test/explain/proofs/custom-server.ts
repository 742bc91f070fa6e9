import { kustomization } from '../../world/custom-objects.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const labels = { app: 'sources' };

/** The server of sources crashes at 1, and a Kustomization fails at 2, as its controller says. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const failing = [condition('Ready', 'False', at(2), 'ArtifactFailed', says)];
    const ready = [condition('Ready', 'True', long, 'ReconciliationSucceeded')];
    k8s.put(long, ...twoNodes, ...app('sources', { labels, replicas: 1 }), podOf('sources', 'a', { labels }));
    k8s.put(long, service('sources', { createdAt: long }), endpointSlice('sources'));
    k8s.put(long, kustomization('apps', { createdAt: long, conditions: ready }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('sources', 'a', { labels, ...crashing(long, at(1)) }));
    k8s.put(at(2), kustomization('apps', { createdAt: long, conditions: failing }));
    k8s.wait(at(9));
  };

export const proof: Proof = {
  rule: 'nobody-serves',
  shows: {
    what: 'the Service that its controller could not reach has nothing but what crashes behind it',
    tell: story(
      'GET http://sources.shop.svc.cluster.local./apps.tar.gz: dial tcp 10.96.0.7:80: connect: connection refused',
    ),
    told: ['Deployment/shop/sources CrashLoopBackOff 2'],
  },
  not: {
    what: 'it was answered, and that is refused',
    tell: story('GET http://sources.shop.svc.cluster.local./apps.tar.gz: 404 Not Found'),
    told: [
      'Deployment/shop/sources CrashLoopBackOff 1',
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/apps CustomResourceFailing 1',
    ],
  },
};
