import { at, condition, node, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, unready } from '../proof.ts';

const names = ['n1', 'n2', 'n3', 'n4', 'n5'];
/** Nodes that have been ready, or away, since an instant. */
const nodes = (which: readonly string[], ready: 'True' | 'Unknown', since: number) =>
  which.map((name) => node(name, { ready, since, createdAt: long }));

/** Three of five Nodes are away for a minute; a workload is unavailable, whose only Pod is on one of them, or elsewhere. */
const story =
  (of: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...nodes(names, 'True', long), ...app('api'), podOf('api', 'a', { node: of }));
    k8s.wait(at(0));
    k8s.put(at(1), ...nodes(['n2', 'n3', 'n4'], 'Unknown', at(1)));
    k8s.wait(at(2));
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    const conditions = [condition('Available', 'False', at(2), 'MinimumReplicasUnavailable')];
    k8s.put(at(2), workload('Deployment', 'api', { ...none, conditions }), replicaSet('api', 1, none));
    k8s.put(at(2), podOf('api', 'a', { node: of, conditions: unready(at(2)) }));
    k8s.put(at(2, 5), ...nodes(['n2', 'n3', 'n4'], 'True', at(2, 5)));
    k8s.wait(at(2, 45));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload is unavailable although the Node of its Pod, which was lost with others, is back',
    tell: story('n2'),
    told: ['Cluster//nodes ZoneOrPoolFailing 1'],
  },
  not: {
    what: 'the Node of its Pod was there all the time',
    tell: story('n5'),
    told: ['Deployment/shop/api DeploymentUnavailable 1'],
  },
};
