import { at, ended, waiting } from '../../world/objects.ts';
import { ailing, app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

/** n1 runs out of process ids; a container there cannot be started since an instant. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    const statuses = [
      waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=api', {
        ...{ restartCount: 4, lastState: ended(since, since, 128, 'StartError') },
      }),
    ];
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b', { node: 'n2' }));
    k8s.wait(at(-20));
    k8s.put(since, podOf('api', 'a', { ...crashing(long, since), statuses }));
    k8s.wait(at(1));
    k8s.put(at(1), ailing('PIDPressure', at(1)));
    k8s.put(at(2), podOf('api', 'a', { ...crashing(long, since), statuses }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-evicts',
  shows: {
    what: 'a container cannot be started where process ids run out',
    tell: story(at(0, 30)),
    told: ['Node//n1 PIDPressure 2'],
  },
  not: {
    what: 'the container could not be started ten minutes before',
    tell: story(at(-10)),
    told: ['Deployment/shop/api StartError 1', 'Node//n1 PIDPressure 1'],
  },
};
