import { at, daemonSet, eventOf, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** A new Pod on n1 gets no sandbox, as its network plug-in says, and an agent of this name crashes there. */
const story =
  (plugin: string): Story['tell'] =>
  (k8s) => {
    const says = `failed to setup network for sandbox "c1": plugin type="${plugin}" failed (add): stat /run/nodename: not there`;
    const agent = (parts: object) =>
      pod('calico-node-1', { owner: { kind: 'DaemonSet', name: 'calico-node' }, createdAt: long, ...parts });
    k8s.put(long, ...twoNodes, ...app('api'), daemonSet('calico-node', { createdAt: long }), agent({}));
    k8s.wait(at(0));
    k8s.put(at(1), agent(crashing(long, at(1))));
    const waits = podOf('api', 'a', stuck(at(1, 30), 'ContainerCreating'));
    k8s.put(at(1, 30), waits);
    k8s.put(at(1, 35), eventOf(waits, 'FailedCreatePodSandBox', says, at(1, 35)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'the agent that the network plug-in asks crashes on the Node',
    tell: story('calico'),
    told: ['DaemonSet/shop/calico-node CrashLoopBackOff 2'],
  },
  not: {
    what: 'the plug-in that fails has another agent',
    tell: story('aws-cni'),
    told: ['DaemonSet/shop/calico-node CrashLoopBackOff 1', 'Deployment/shop/api FailedCreatePodSandBox 1'],
  },
};
