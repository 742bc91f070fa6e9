import type { SamplePod } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import type { TellingSign } from '../../model/heard-sign.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { fanOut, podsOfWorkload, settledMs } from '../../world/view/bounds.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import { podsOf, podView } from './workload.ts';

/** What the program behind a finding says of why it fails, most telling first: its container's, where it is of one. */
export function saysOf({ subject, scope, since }: Finding, world: World): readonly PlacedSign[] {
  const ref = subject.ref;
  const pods = kindOf(ref) === 'Pod' ? [ref] : podsOf(world, ref, fanOut).map((pod) => pod.ref);
  return pods.flatMap((pod) => {
    const signs = world.signs(pod);
    // Most say nothing: their containers need not be looked at.
    if (signs.length === 0) return signs;
    const container = podView(world, pod)?.containers.some(({ name }) => name === scope) ? scope : undefined;
    return signs.filter(
      (sign) => sign.at >= since - settledMs && (container === undefined || sign.container === container),
    );
  });
}

/** How programs end. What still runs may have said long ago why it does not serve. */
export const ends: ReadonlySet<Reason> = new Set<Reason>([
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'PodFailed'] as const),
]);

/** Whether a program ended, and nothing that it says is known: its log has not been read yet, or nobody can read what it says. */
export const endsInSilence = (finding: Finding, world: World): boolean =>
  ends.has(finding.reason) && saysOf(finding, world).length === 0;

/**
 * The sign that tells most of an explanation: one that names its root, else what the sample says, else what the first says that
 * says anything.
 */
export function tellingSign(
  members: readonly Finding[],
  sample: SamplePod | undefined,
  root: Ref,
  world: World,
): TellingSign | undefined {
  let first: TellingSign | undefined;
  let sampled: TellingSign | undefined;
  for (const finding of members.slice(0, podsOfWorkload)) {
    const pod = finding.subject.ref;
    if (kindOf(pod) !== 'Pod') continue;
    for (const sign of saysOf(finding, world)) {
      const telling = { ...sign, pod };
      if (sign.to === root) return telling;
      first ??= telling;
      if (pod === sample?.ref && sign.container === sample.container) sampled ??= telling;
    }
  }
  return sampled ?? first;
}
