import { eventOn } from '../../world/events.ts';
import { at } from '../../world/objects.ts';
import { type ClusterStory, long, nodes, podsOf, replicaSet, sized } from '../shop.ts';

const says = 'exposing port 8080: address already leased to shop/old';

/** Twelve apps whose Pods a controller complains about from minute 10 on, after hours in which it said little. */
const storm: ClusterStory = (k8s) => {
  const names = Array.from({ length: 12 }, (_, index) => `app-${index}`);
  const pods = names.flatMap((name) => podsOf(name, 1));
  k8s.put(at(-300), ...nodes);
  k8s.start(at(-300));
  for (const name of names) k8s.put(at(-299), sized('Deployment', name, 1, 1), replicaSet(name, 1));
  k8s.put(at(-298), ...pods);
  const [first] = pods;
  if (first) k8s.put(at(-290), eventOn(first, 'Leased', at(-290)));
  for (let minute = 10; minute <= 40; minute += 1)
    for (const pod of pods) {
      const parts = { count: minute - 9, firstAt: at(10), message: says, reporter: 'exposer' };
      k8s.put(at(minute), eventOn(pod, 'PortTaken', at(minute), parts));
    }
  k8s.wait(at(60));
};

/** Warnings that no row knows. */
export const eventStories = {
  UnusualEvent: (k8s) => {
    const [pod, ...others] = podsOf('api', 3);
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...others);
    if (!pod) return;
    k8s.put(long, pod);
    k8s.start(at(0));
    for (let minute = 10; minute <= 24; minute += 1) {
      const parts = { count: minute - 9, firstAt: at(10), message: says, reporter: 'exposer' };
      k8s.put(at(minute), eventOn(pod, 'PortTaken', at(minute), parts));
    }
    k8s.wait(at(60));
  },
  EventStorm: storm,
} as const satisfies Readonly<Record<string, ClusterStory>>;
