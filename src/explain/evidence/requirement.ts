import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import type { World } from '../../world/view/world.ts';
import { podsOfWorkload } from './bounds.ts';
import type { Edit } from './edits.ts';
import { podsOf, podView } from './workload.ts';

/** What may be the cause: an object, since when (epoch milliseconds), and what was edited of it. */
export type Suspect = {
  readonly ref: Ref;
  readonly since: number;
  readonly change?: Edit;
  readonly finding?: Finding;
  readonly endedAt?: number;
};

/** What must hold for an effect before a rule may apply. What is not known does not hold: unknown data never decides. */
export type Requirement = (effect: Finding, world: World, suspect: Suspect) => boolean;

/** The Pod of a finding, or those of its workload that do not serve. */
export function unreadyOf({ subject }: Finding, world: World): readonly PodView[] {
  const own = podView(world, subject.ref);
  return own ? [own] : podsOf(world, subject.ref, podsOfWorkload).filter((pod) => !isReady(pod));
}
