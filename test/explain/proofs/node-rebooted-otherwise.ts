import { at, eventOf } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** A Node is rebooted at 1, and two programs there say something each as they end. */
const story =
  (...words: readonly string[]): Story['tell'] =>
  (k8s) => {
    const [first] = twoNodes;
    const names = ['api', 'web'];
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    if (first) k8s.put(at(1), eventOf(first, 'Rebooted', 'Node n1 has been rebooted, boot id: b-2', at(1)));
    k8s.put(at(2), ...names.map((name, index) => podOf(name, 'a', saying(long, at(2), words[index] ?? ''))));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'what runs on a machine reaches nobody since its reboot',
    tell: story('Error: connect ETIMEDOUT 10.96.18.7:5432', 'Error: connect ETIMEDOUT 10.96.20.9:6379'),
    told: ['Node//n1 NodeRebooted 3'],
  },
  not: {
    what: 'the programs lack a variable each',
    tell: story("KeyError: 'SHOP_TOKEN'", "KeyError: 'SHOP_URL'"),
    told: [
      'Deployment/shop/api CrashLoopBackOff 1',
      'Deployment/shop/web CrashLoopBackOff 1',
      'Node//n1 NodeRebooted 1',
    ],
  },
};
