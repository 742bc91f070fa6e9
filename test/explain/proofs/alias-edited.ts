import { service } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** A Service that is another name for a host outside gets another one at 1; two workloads cannot resolve a name at 2. */
const story =
  (name: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const alias = (externalName: string) =>
      service('billing', {
        ...{ createdAt: long, selector: undefined, spec: { type: 'ExternalName', externalName } },
        managedFields: [managed('kubectl', at(1), { 'f:spec': { 'f:externalName': {} } })],
      });
    k8s.put(
      long,
      ...twoNodes,
      alias('billing.example.com'),
      ...names.flatMap((each) => [...app(each), podOf(each, 'a')]),
    );
    k8s.wait(at(0));
    k8s.put(at(1), alias('biling.example.com'));
    const words = `Error: getaddrinfo ENOTFOUND ${name}`;
    k8s.put(at(2), ...names.map((each) => podOf(each, 'a', saying(long, at(2), words))));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'called-service-edited',
  shows: {
    what: 'an alias was edited to a host that does not exist, and two workloads call it',
    tell: story('billing.shop.svc'),
    told: ['Service/shop/billing CrashLoopBackOff 3, externalName edited'],
  },
  not: {
    what: 'they call another host outside',
    tell: story('api.example.com'),
    told: ['ExternalEndpoint//api.example.com ExternalEndpointUnreachable 3'],
  },
};
