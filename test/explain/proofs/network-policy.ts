import { networkPolicy } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unready } from '../proof.ts';

const labels = { app: 'api' };
const kubectl = [managed('kubectl', at(1), { 'f:spec': {} })];

/** A policy that lets nothing through is made for some Pods at 1; those of `api`, which served for an hour, are unready at 2. */
const story =
  (selected: string): Story['tell'] =>
  (k8s) => {
    k8s.put(
      long,
      ...twoNodes,
      ...app('api', { labels }),
      ...['a', 'b'].map((which) => podOf('api', which, { labels })),
    );
    k8s.wait(at(0));
    k8s.put(at(1), networkPolicy(selected, { createdAt: at(1), managedFields: kubectl }));
    k8s.put(at(2), ...['a', 'b'].map((which) => podOf('api', which, { labels, conditions: unready(at(2)) })));
    k8s.wait(at(12));
  };

export const proof: Proof = {
  shows: {
    what: 'Pods that served are unready a minute after a network policy for them was made',
    tell: story('api'),
    told: ['NetworkPolicy/shop/api PodNotReady 2, creation edited'],
  },
  not: {
    what: 'the policy is for other Pods',
    tell: story('web'),
    told: ['Deployment/shop/api PodNotReady 2'],
  },
};
