import { at } from '../../world/objects.ts';
import { app, long, outage, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const waits = stuck(at(1), 'CreateContainerConfigError', 'secret "db" not found');

/** A Pod of `api` waits for a Secret that does not exist; one of the two workloads is short of Pods. */
const story =
  (short: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('api', 'a', waits), ...app(short, outage(at(1))));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'a Deployment is short of the Pods that wait for a Secret',
    tell: story('api'),
    told: ['Secret/shop/db SecretMissing 3'],
  },
  not: {
    what: 'another Deployment is short of Pods',
    tell: story('web'),
    told: ['Deployment/shop/web DeploymentUnavailable 1', 'Secret/shop/db SecretMissing 2'],
  },
};
