import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** Two workloads wait for what the kubelet says. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'));
    k8s.wait(at(0));
    const waits = stuck(at(1), 'CreateContainerConfigError', says);
    k8s.put(at(1), podOf('api', 'a', waits), podOf('web', 'a', waits));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'containers wait for a ConfigMap that does not exist',
    tell: story('configmap "db" not found'),
    told: ['ConfigMap/shop/db ConfigMapMissing 3'],
  },
  not: {
    what: 'containers wait for something that is not a missing ConfigMap',
    tell: story('container has runAsNonRoot and image will run as root'),
    told: ['Deployment/shop/api CreateContainerConfigError 1', 'Deployment/shop/web CreateContainerConfigError 1'],
  },
};
