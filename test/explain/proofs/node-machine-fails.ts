import { at, eventOf, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck } from '../proof.ts';

const says =
  'Failed to create pod sandbox: failed to mount rootfs component: mkdir /run/containerd/task/4f1c: input/output error';

/** Two workloads get a Pod each on n1 that has no sandbox, while a third starts there; one of the two has another on n2. */
const story =
  (elsewhere: 'serves' | 'has no sandbox'): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const all = [...names, 'docs'].flatMap((name) => app(name));
    const old = names.map((name) => podOf(name, 'b', { node: 'n2' }));
    k8s.put(long, node('n1', { since: long }), node('n2', { since: long }), ...all);
    if (elsewhere === 'serves') k8s.put(long, ...old);
    k8s.wait(at(0));
    k8s.put(at(1, 10), podOf('docs', 'a', { node: 'n1', createdAt: at(1, 10) }));
    for (const name of names) {
      const waits = podOf(name, 'a', { ...stuck(at(1), 'ContainerCreating'), node: 'n1' });
      const sibling = podOf(name, 'b', { ...stuck(at(1), 'ContainerCreating'), node: 'n2' });
      const told = elsewhere === 'serves' ? [waits] : [waits, sibling];
      k8s.put(at(1), ...told);
      k8s.put(at(1, 5), ...told.map((pod) => eventOf(pod, 'FailedCreatePodSandBox', says, at(1, 5))));
    }
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the disk of one Node fails, though something else starts there',
    tell: story('serves'),
    told: ['Node//n1 FailedCreatePodSandBox 2'],
  },
  not: {
    what: 'the same is so on another Node',
    tell: story('has no sandbox'),
    told: ['Deployment/shop/api FailedCreatePodSandBox 2', 'Deployment/shop/web FailedCreatePodSandBox 2'],
  },
};
