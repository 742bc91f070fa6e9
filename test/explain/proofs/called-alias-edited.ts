import { service } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** A Service that is another name for a host outside gets another one at 1; a workload made then cannot resolve a name at 2. */
const story =
  (made: number): Story['tell'] =>
  (k8s) => {
    const alias = (externalName: string) =>
      service('billing', {
        ...{ createdAt: long, selector: undefined, spec: { type: 'ExternalName', externalName } },
        managedFields: [managed('kubectl', at(1), { 'f:spec': { 'f:externalName': {} } })],
      });
    k8s.put(long, ...twoNodes, alias('billing.example.com'), ...app('api'));
    if (made === long) k8s.put(long, podOf('api', 'a'));
    k8s.wait(at(0));
    k8s.put(at(1), alias('biling.example.com'));
    k8s.put(at(2), podOf('api', 'a', saying(made, at(2), 'Error: getaddrinfo ENOTFOUND billing.shop.svc')));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'called-service-edited',
  shows: {
    what: 'an alias was edited to a host that does not exist, and who was served until then calls it',
    tell: story(long),
    told: ['Service/shop/billing CrashLoopBackOff 1, externalName edited'],
  },
  not: {
    what: 'who calls it came after the edit, and may have it wrong itself',
    tell: story(at(1.5)),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
