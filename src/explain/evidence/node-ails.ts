import type { Finding } from '../../model/finding.ts';
import { nameOf, type Ref } from '../../model/ref.ts';
import type { Condition } from '../../world/reading/meta.ts';
import { leadMs, recentMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';

/** Conditions that kubelets set: their meaning is known, and other rows have them. */
const ofKubelets: ReadonlySet<string> = new Set([
  ...['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'],
]);
/** What conditions of monitors are called that are bad when they are True, and those that are when they are False. */
const badWhenTrue =
  /(?:Unhealthy|Problem|Fail(?:ed|ing|ure)?|Error|Fault|Deadlock|Corrupt(?:ed|ion)?|Degraded|Unavailable|Lost|Down|Hang|Hung)$/;
const badWhenFalse = /(?:Ready|Healthy|OK|Ok)$/;

/** Whether a condition that nobody here knows says by its name that something is wrong. */
function saysBad({ type, status }: Condition): boolean {
  if (ofKubelets.has(type)) return false;
  return badWhenTrue.test(type) ? status === 'True' : badWhenFalse.test(type) && status === 'False';
}

/** Whether a monitor has told of something wrong with a Node since about when a Pod there began to fail. */
export function ails({ since }: Finding, world: World, ref: Ref): boolean {
  const node = world.get(ref);
  if (typeof node !== 'object' || node.kind !== 'Node') return false;
  return node.conditions.some(
    (condition) => saysBad(condition) && since >= condition.since - leadMs && since <= condition.since + recentMs,
  );
}

/** Whether a Pod is on another Node than this one. */
export const isElsewhere = (pod: { readonly node?: string }, node: Ref): boolean =>
  pod.node !== undefined && pod.node !== nameOf(node);

/** Errors of the machine itself, in the words of errno(3): EIO, EUCLEAN, EROFS, EBADMSG, ENOMEM, ENFILE, and ENOSPC outside of volumes. */
const ofTheMachine =
  /input\/output error|structure needs cleaning|read-only file system|bad message|cannot allocate memory|too many open files in system|no space left on device|\berrno 524\b/i;

/** Whether a text tells of an error of the machine itself. */
export const saysMachine = (text: string): boolean => ofTheMachine.test(text);
