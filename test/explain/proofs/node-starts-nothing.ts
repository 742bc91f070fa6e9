import { at, eventOf, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck } from '../proof.ts';

const says = 'Failed to create pod sandbox: plugin type="bridge" failed (add): no such device';

/** Two workloads grow: each gets a Pod on n1 that has no sandbox, and one on n2. */
const story =
  (elsewhere: 'starts' | 'has no sandbox'): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, node('n1', { since: long }), node('n2', { since: long }), ...names.flatMap((name) => app(name)));
    k8s.wait(at(0));
    for (const name of names) {
      const waits = podOf(name, 'a', { ...stuck(at(1), 'ContainerCreating'), node: 'n1' });
      const other = elsewhere === 'starts' ? { createdAt: at(1) } : stuck(at(1), 'ContainerCreating');
      const sibling = podOf(name, 'b', { ...other, node: 'n2' });
      k8s.put(at(1), waits, sibling);
      const told = elsewhere === 'starts' ? [waits] : [waits, sibling];
      k8s.put(at(1, 5), ...told.map((pod) => eventOf(pod, 'FailedCreatePodSandBox', says, at(1, 5))));
    }
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-alone',
  shows: {
    what: 'the new Pods of two workloads start on every Node but one',
    tell: story('starts'),
    told: ['Node//n1 FailedCreatePodSandBox 2'],
  },
  not: {
    what: 'they start nowhere',
    tell: story('has no sandbox'),
    told: ['Deployment/shop/api FailedCreatePodSandBox 2', 'Deployment/shop/web FailedCreatePodSandBox 2'],
  },
};
