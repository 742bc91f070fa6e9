import { networkPolicy } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, outage, type Proof, podOf, type Story, twoNodes, unready } from '../proof.ts';

const labels = { app: 'api' };
const labelled = { spec: { template: { metadata: { labels }, spec: { containers: [] } } } };

/** A policy that lets nothing through is made for all Pods at 1; at an instant the only Pod of `api` is not ready any more. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    const broken = [
      podOf('api', 'a', { labels, conditions: unready(since) }),
      ...app('api', { ...labelled, ...outage(since) }),
    ];
    const policy = networkPolicy('deny-all', { createdAt: at(1), spec: { podSelector: {} } });
    k8s.put(long, ...twoNodes, ...app('api', labelled), podOf('api', 'a', { labels }));
    k8s.wait(at(0));
    if (since < at(1)) k8s.put(since, ...broken);
    k8s.put(at(1), policy);
    if (since > at(1)) k8s.put(since, ...broken);
    k8s.wait(since + 40_000);
  };

export const proof: Proof = {
  shows: {
    what: 'a workload that served serves nothing after a network policy for its Pods was made',
    tell: story(at(1, 10)),
    told: ['NetworkPolicy/shop/deny-all DeploymentUnavailable 1, creation edited'],
  },
  not: {
    what: 'it served nothing before',
    tell: story(at(0, 30)),
    told: ['Deployment/shop/api DeploymentUnavailable 1'],
  },
};
