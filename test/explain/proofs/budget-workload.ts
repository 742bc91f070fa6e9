import { at, budget, status } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unready } from '../proof.ts';

const labels = { app: 'api' };
const short = { currentHealthy: 0, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 0, observedGeneration: 1 };

/** A budget that counts no healthy Pod, and a Pod that has never been ready, or is. */
const story =
  (isReady: boolean): Story['tell'] =>
  (k8s) => {
    const down = { conditions: unready(at(0)), statuses: [status('api', { ready: false })] };
    k8s.put(long, ...twoNodes);
    k8s.wait(at(0));
    k8s.put(
      at(0),
      ...app('api', { template: {}, labels, createdAt: at(0) }),
      budget('api', { createdAt: at(0), status: short }),
    );
    k8s.put(at(0), podOf('api', 'a', { createdAt: at(0), labels, ...(isReady ? {} : down) }));
    k8s.wait(at(11));
  };

export const proof: Proof = {
  rule: 'nobody-serves',
  shows: {
    what: 'nothing is found yet of a workload that has never been ready, and its budget is short',
    tell: story(false),
    told: ['Deployment/shop/api PDBNotEnoughHealthy 1'],
  },
  not: {
    what: 'its Pod is ready: the budget asks for more than there is',
    tell: story(true),
    told: ['PodDisruptionBudget/shop/api PDBNotEnoughHealthy 1'],
  },
};
