import { at, eventOf } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** A new Pod on n1 gets no sandbox, as its kubelet says. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'));
    k8s.wait(at(0));
    const waits = podOf('api', 'a', stuck(at(1), 'ContainerCreating'));
    k8s.put(at(1), waits);
    k8s.put(at(1, 5), eventOf(waits, 'FailedCreatePodSandBox', says, at(1, 5)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-lacks',
  shows: {
    what: 'the socket of the runtime refuses',
    tell: story(
      'Failed to create pod sandbox: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"',
    ),
    told: ['Node//n1 FailedCreatePodSandBox 1'],
  },
  not: {
    what: 'the runtime answers, and cannot make this one',
    tell: story(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: invalid mount',
    ),
    told: ['Deployment/shop/api FailedCreatePodSandBox 1'],
  },
};
