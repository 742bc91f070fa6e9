import { at, condition, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** The only Pods of two workloads are on n1 and crash at 1; a monitor has said this of the Node since then. */
const story =
  (type: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    k8s.put(at(1), node('n1', { since: long, conditions: [condition(type, 'True', at(1), 'XidCriticalError')] }));
    const words = 'RuntimeError: CUDA error: no CUDA-capable device is detected';
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', saying(long, at(1), words))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a monitor tells of something wrong with the Node as programs of two workloads fail there',
    tell: story('GpuUnhealthy'),
    told: ['Node//n1 CrashLoopBackOff 2'],
  },
  not: {
    what: 'what it tells is not known to be bad',
    tell: story('GpuPresent'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
