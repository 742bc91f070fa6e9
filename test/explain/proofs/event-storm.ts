import { eventOn } from '../../world/events.ts';
import { at, pod } from '../../world/objects.ts';
import { type Proof, type Story, twoNodes } from '../proof.ts';

/** So many Pods that a controller complains about from 1 on, once a minute each. */
const story =
  (count: number): Story['tell'] =>
  (k8s) => {
    const pods = Array.from({ length: count }, (_, index) => pod(`app-${index}`, { createdAt: at(-400) }));
    k8s.put(at(-400), ...twoNodes, ...pods);
    const [first] = pods;
    if (first) k8s.put(at(-390), eventOn(first, 'Noted', at(-390)));
    k8s.wait(at(0));
    for (let minute = 1; minute <= 40; minute += 1)
      k8s.put(
        at(minute),
        ...pods.map((each) => eventOn(each, 'PortTaken', at(minute), { count: minute, firstAt: at(1) })),
      );
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'the same Warning about twelve Pods that look healthy is one storm',
    tell: story(12),
    told: ['Cluster//events EventStorm 13'],
  },
  not: {
    what: 'the same Warning about two Pods is theirs',
    tell: story(2),
    told: ['Pod/shop/app-0 UnusualEvent 1', 'Pod/shop/app-1 UnusualEvent 1'],
  },
};
