import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** An agent on n1 crashes at 1, and a program beside it ends at 2 with these words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const agent = (parts: object) =>
      pod('kiam-1', { owner: { kind: 'DaemonSet', name: 'kiam' }, createdAt: long, ...parts });
    k8s.put(long, ...twoNodes, ...app('api'), daemonSet('kiam', { createdAt: long }), agent({}), podOf('api', 'a'));
    k8s.wait(at(0));
    k8s.put(at(1), agent(crashing(long, at(1))));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'agent-serves',
  shows: {
    what: 'who hands out credentials on a Node crashes, and a program on it is given none',
    tell: story('botocore.exceptions.NoCredentialsError: Unable to locate credentials'),
    told: ['DaemonSet/shop/kiam CrashLoopBackOff 2'],
  },
  not: {
    what: 'the program beside it lacks a variable',
    tell: story("KeyError: 'BUCKET'"),
    told: ['DaemonSet/shop/kiam CrashLoopBackOff 1', 'Deployment/shop/api CrashLoopBackOff 1'],
  },
};
