import { at, condition } from '../../world/objects.ts';
import { ailing, app, long, outage, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const evicted = {
  ...{ phase: 'Failed', reason: 'Evicted', statuses: [] },
  conditions: [condition('DisruptionTarget', 'True', at(1, 30), 'TerminationByKubelet')],
};

/** Memory runs out on n1; the only Pod of `api` is evicted from one of the two, and the app is short of it. */
const story =
  (from: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api', { replicas: 1 }), podOf('api', 'a', { node: from }));
    k8s.wait(at(0));
    k8s.put(at(1), ailing('MemoryPressure', at(1)));
    k8s.put(
      at(1, 30),
      podOf('api', 'a', { node: from, ...evicted }),
      ...app('api', { replicas: 1, ...outage(at(1, 30)) }),
    );
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'a Pod is evicted by a Node under pressure, and its workload is short of it',
    tell: story('n1'),
    told: ['Node//n1 MemoryPressure 3'],
  },
  not: {
    what: 'the Pod was evicted by another Node',
    tell: story('n2'),
    told: ['Deployment/shop/api Evicted 2', 'Node//n1 MemoryPressure 1'],
  },
};
