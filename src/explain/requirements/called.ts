import { kindOf, type Ref } from '../../model/ref.ts';
import { leadMs, podsOfWorkload } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { isDownByItself, lacksWhatItNeeds, workloadsOf } from '../evidence/needs.ts';
import type { Requirements } from '../evidence/requirement.ts';
import { failsForMost, startedAnew } from '../evidence/volumes.ts';
import { podView, workloadOf } from '../evidence/workload.ts';

/** Whether a Pod that uses an object has begun since about an instant (epoch milliseconds). */
const hasBegunWith = (used: Ref, since: number, world: World): boolean =>
  Iterator.from(world.linked(used, 'uses', 'in', podsOfWorkload)).some((user) => {
    const pod = podView(world, user);
    return pod !== undefined && pod.createdAt >= since - leadMs && pod.containers.some(({ running }) => running);
  });

/** Of what is found, and of what a program needs: whom it calls, what it mounts, what it is given. */
export const ofCalled: Requirements<'states' | 'down' | 'lacked' | 'behind' | 'users' | 'startedAnew'> = {
  states: ({ reason, facts }, _, { finding }, stated) =>
    stated.every(
      ({ of, isOfCause, fact, as }) =>
        (of !== undefined && of !== reason) || as.test(String((isOfCause ? finding?.facts : facts)?.[fact] ?? '')),
    ),
  down: (_, world, { ref, finding }) => {
    const workload = workloadOf(world, ref);
    return (finding !== undefined && kindOf(workload) === 'DaemonSet') || isDownByItself(workload, world);
  },
  lacked: lacksWhatItNeeds,
  behind: ({ subject }, world, { ref }, who) => {
    if (who === 'one') return workloadsOf(subject.ref, subject.ref, world).length === 1;
    const links = ['fronts', 'selects'] as const;
    const behind = links.flatMap((link) => [...world.linked(ref, link, 'out', podsOfWorkload)]);
    const own = workloadOf(world, subject.ref);
    return kindOf(ref) !== 'Service' || !behind.some((one) => workloadOf(world, one) === own);
  },
  users: ({ since }, world, { ref }, fare) =>
    fare === 'most fail' ? failsForMost(ref, world) : !hasBegunWith(ref, since, world),
  startedAnew: (effect, world, { ref }) => startedAnew(effect, world, ref),
};
