import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** The driver of the cards on n1 crashes at 1, and a program beside it ends at 2 with these words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const agent = (parts: object) =>
      pod('nvidia-driver-1', { owner: { kind: 'DaemonSet', name: 'nvidia-driver' }, createdAt: long, ...parts });
    const there = [...app('api'), daemonSet('nvidia-driver', { createdAt: long }), agent({}), podOf('api', 'a')];
    k8s.put(long, ...twoNodes, ...there);
    k8s.wait(at(0));
    k8s.put(at(1), agent(crashing(long, at(1))));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'agent-asked-for',
  shows: {
    what: 'a program does not find what the agent beside it brings, and calls it by its name',
    tell: story('RuntimeError: Found no NVIDIA driver on your system.'),
    told: ['DaemonSet/shop/nvidia-driver CrashLoopBackOff 2'],
  },
  not: {
    what: 'the program speaks of another driver',
    tell: story('RuntimeError: no suitable database driver on your system.'),
    told: ['DaemonSet/shop/nvidia-driver CrashLoopBackOff 1', 'Deployment/shop/api CrashLoopBackOff 1'],
  },
};
