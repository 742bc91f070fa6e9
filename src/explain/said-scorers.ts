import type { Finding } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, nameOf, type Ref } from '../model/ref.ts';
import type { PlacedSign, World } from '../world/world.ts';
import { workloadsOf } from './needs.ts';
import { saysOf } from './says.ts';
import type { Judge } from './scorer.ts';
import { dnsOf } from './system.ts';
import { workloadOf } from './workload.ts';

/** Findings of a bundle that are asked what their programs say: siblings that fail alike say the same. */
const asked = 4;

/** Whether what a program names is the cause, or what the cause stands behind. */
function leadsTo(to: Ref, cause: Ref, workload: Ref, world: World): boolean {
  return (
    to === cause || (kindOf(to) === 'Service' && workloadsOf(to, workload, world).includes(workloadOf(world, cause)))
  );
}

/** What is no place: nobody calls it, and whom those call who use it says nothing for or against it. */
const noPlaces: ReadonlySet<string> = new Set(['Secret', 'ServiceAccount']);

/** The name of an exception alone, of which no more is known than that a call failed: of whom, and how, it does not say. */
const isOfACall = ({ kind, name = '' }: PlacedSign): boolean =>
  kind === 'UncaughtException' &&
  /(?:Time(?:d)?out|Connect|Connection|Unavailable|Unreachable|Socket|Network|Host)\w*$/.test(name);

/** An address by number in a private network (RFC 1918) of which nobody in the cluster is known: it may have been that of a Pod that is gone. */
const isNobodysNumber = (to: Ref): boolean =>
  kindOf(to) === 'ExternalEndpoint' &&
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+(?::\d+)?$/.test(nameOf(to));

/** Whether the cause answers for names. */
const answersForNames = (cause: Ref, workload: Ref, world: World): boolean =>
  dnsOf(workload, world).some((dns) => leadsTo(dns, cause, workload, world));

/** What the programs that fail say is what they would say where the cause is this one; other words speak against it. */
export const says: Judge = ({ cause, rule, bundle }, { world }) => {
  const { signs: fitting } = rule;
  if (fitting === undefined) return 0;
  const said = bundle.members
    .slice(0, asked)
    .flatMap((finding) => saysOf(finding, world))
    .filter((sign) => !isOfACall(sign));
  if (said.length === 0) return 0;
  const alike = said.filter(({ kind }) => fitting.includes(kind));
  if (alike.length === 0) return -1;
  if ((rule.via !== 'needed' && rule.via !== 'names') || noPlaces.has(kindOf(cause.ref))) return 1;
  const isName = alike.some(({ kind }) => kind === 'NameNotResolved');
  if (isName && answersForNames(cause.ref, bundle.workload, world)) return 1;
  const placed = alike.filter(({ to }) => to !== undefined && (to === cause.ref || !isNobodysNumber(to)));
  if (placed.length === 0) return alike.some(({ to }) => to !== undefined) ? 0 : 1;
  return placed.some(({ to }) => to && leadsTo(to, cause.ref, bundle.workload, world)) ? 1 : -1;
};

/** How programs end. What still runs may have said long ago why it does not serve. */
const ends: ReadonlySet<Reason> = new Set<Reason>([
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'PodFailed'] as const),
]);

/** Whether a program ended, and nothing that it says is known: its log has not been read yet, or nobody can read what it says. */
export const endsInSilence = (finding: Finding, world: World): boolean =>
  ends.has(finding.reason) && saysOf(finding, world).length === 0;

/**
 * Only a name in its template links what ended to who is down. Until its log is read that is no reason to hold it in the incident of another;
 * several workloads that end together with what all of them name are one.
 */
export const silent: Judge = ({ rule, bundle }, { world }) =>
  rule.via === 'needed' &&
  rule.signs !== undefined &&
  bundle.members.slice(0, asked).every((finding) => endsInSilence(finding, world))
    ? -1
    : 0;
