import { at, eventOf } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

/** A Node is rebooted at 1, and a container there ends so, again and again. */
const story =
  (reason: string, exitCode: number): Story['tell'] =>
  (k8s) => {
    const [first] = twoNodes;
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'));
    k8s.wait(at(0));
    if (first) k8s.put(at(1), eventOf(first, 'Rebooted', 'Node n1 has been rebooted, boot id: b-2', at(1)));
    k8s.put(at(1, 5), podOf('api', 'a', crashing(long, at(1), { reason, exitCode })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'what the kubelet finds gone after a reboot went with the Node',
    tell: story('Unknown', 255),
    told: ['Node//n1 NodeRebooted 2'],
  },
  not: {
    what: 'the program ends by itself since then',
    tell: story('Error', 1),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Node//n1 NodeRebooted 1'],
  },
};
