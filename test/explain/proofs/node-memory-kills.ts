import { at } from '../../world/objects.ts';
import { ailing, app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

/** Memory runs out on n1, and a container there is killed for it, with or without a limit of its own. */
const story =
  (resources: object): Story['tell'] =>
  (k8s) => {
    const containers = [{ name: 'api', image: 'registry.example/shop/api:1', resources }];
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a', { containers }), podOf('api', 'b', { node: 'n2' }));
    k8s.wait(at(0));
    k8s.put(at(1), ailing('MemoryPressure', at(1)));
    k8s.put(at(2), podOf('api', 'a', { containers, ...crashing(long, at(2), { exitCode: 137, reason: 'OOMKilled' }) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a container without a limit is killed where memory runs out',
    tell: story({}),
    told: ['Node//n1 MemoryPressure 2'],
  },
  not: {
    what: 'a container is killed at its own limit',
    tell: story({ limits: { memory: '64Mi' } }),
    told: ['Deployment/shop/api OOMKilled 1', 'Node//n1 MemoryPressure 1'],
  },
};
