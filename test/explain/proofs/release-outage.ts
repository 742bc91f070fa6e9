import { at, workload } from '../../world/objects.ts';
import { app, long, outage, type Proof, podOf, replicaSet, type Story, twoNodes, unready } from '../proof.ts';

/** A release with strategy Recreate: at 1 the old Pod is gone, and the new one has not been ready, or was until 2. */
const story =
  (readyUntil?: number): Story['tell'] =>
  (k8s) => {
    const edited = { replicas: 1, createdAt: long, image: 'registry.example/shop/api:2', generation: 2 };
    k8s.put(long, ...twoNodes, ...app('api', { replicas: 1 }), podOf('api', 'a'));
    k8s.wait(at(0));
    k8s.put(at(1), workload('Deployment', 'api', edited), replicaSet('api', 2, { replicas: 1, createdAt: at(1) }));
    k8s.gone(at(1), podOf('api', 'a'));
    const made = { revision: 2, createdAt: at(1) };
    if (readyUntil !== undefined) k8s.put(at(1, 10), podOf('api', 'b', made));
    const since = readyUntil ?? at(1);
    k8s.put(since, podOf('api', 'b', { ...made, conditions: unready(since) }));
    k8s.put(since, workload('Deployment', 'api', { ...edited, ...outage(since) }));
    k8s.wait(since + 240_000);
  };

export const proof: Proof = {
  shows: {
    what: 'what is left of it is new and has never been ready',
    tell: story(),
    told: ['Deployment/shop/api DeploymentUnavailable 1, image edited'],
  },
  not: {
    what: 'the new one was ready for minutes before it failed',
    tell: story(at(8)),
    told: ['Deployment/shop/api PodNotReady 2'],
  },
};
