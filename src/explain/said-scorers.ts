import type { ChangeField } from '../model/change-field.ts';
import type { Finding } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, nameOf, type Ref } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import { bareSigns, refusedSigns, unreachedSigns } from '../model/sign-groups.ts';
import { lastEnd } from '../world/facets.ts';
import { isSameSaid, shapeOf, speaksOf, speaksOfACall } from '../world/last-words.ts';
import { isReady } from '../world/readiness.ts';
import type { PlacedSign, World } from '../world/world.ts';
import type { Bundle, Pair } from './bundle.ts';
import { workloadsOf } from './needs.ts';
import type { Via } from './rule.ts';
import { saysOf } from './says.ts';
import type { Judge } from './scorer.ts';
import { dnsOf } from './system.ts';
import { podsOf, podView, workloadOf } from './workload.ts';

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

/** It says that the program ended, and not why. */
const isBare = ({ kind }: PlacedSign): boolean => bareSigns.includes(kind);

/** Fields of a template that tell a program whom to call. */
const ofAddresses: ReadonlySet<ChangeField> = new Set<ChangeField>([
  ...(['env', 'envFrom', 'command', 'args', 'containers', 'initContainers', 'template'] as const),
]);
/** What is said of whom the program calls. */
const ofCalled: ReadonlySet<SignKind> = new Set([...unreachedSigns, ...refusedSigns]);

/**
 * Whether all that a program says as it fails is of somebody else, whom a release did not bring: that only its new Pods fail shows no more
 * than that it is asked as they start. So is a registry that gives out no more for now.
 */
export function speaksOfOthers({ cause, effect }: Pick<Pair, 'cause' | 'effect'>, world: World): boolean {
  const { change } = cause;
  if (change === undefined || [change.field, ...(change.also ?? [])].some((field) => ofAddresses.has(field)))
    return false;
  if (effect.facts.pullCause === 'rateLimit') return true;
  const said = saysOf(effect, world);
  return said.length > 0 && said.every(({ kind, target }) => ofCalled.has(kind) && target !== undefined);
}

/** How programs end. What still runs may have said long ago why it does not serve. */
const ends: ReadonlySet<Reason> = new Set<Reason>([
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'PodFailed'] as const),
]);

/** Whether a program ended, and nothing that it says is known: its log has not been read yet, or nobody can read what it says. */
export const endsInSilence = (finding: Finding, world: World): boolean =>
  ends.has(finding.reason) && saysOf(finding, world).length === 0;

/** The last words of programs that ended, where they are no more than that, or nobody can read them; of a workload those of its Pods. */
function lastWordsOf({ members }: Bundle, world: World): readonly string[] {
  return members.slice(0, asked).flatMap((finding) => {
    const { ref } = finding.subject;
    const pods =
      kindOf(ref) === 'Pod' ? [podView(world, ref)] : podsOf(world, ref, asked).filter((pod) => !isReady(pod));
    const ended = pods.find((pod) => pod?.containers.some((container) => (lastEnd(container)?.exitCode ?? 0) !== 0));
    const said = saysOf(finding, world);
    if (ended === undefined || said.some(isOfACall)) return [];
    const [first] = said;
    const words = said.length === 0 ? world.lastWords(ended.ref) : undefined;
    return (first && said.every(isBare) ? shapeOf(first.line, [ended.ref]) : words) || [];
  });
}

/** So many workloads that fail within so long (ms) of each other are no coincidence, whatever each of them says. */
const [strangers, togetherMs] = [3, 3 * 60_000];

/** Ways on which more than time speaks for the cause: it is named, siblings elsewhere are well, or strangers were compared (`detect/in-common.ts`). */
const byMore: ReadonlySet<Via> = new Set<Via>(['names', 'runs-on', 'zones', 'shares']);

/**
 * Who ended with words of its own that nobody else says whom the same cause is to have hit has a reason of its own, also where nobody can read
 * it: where the link and the time are all that speaks for the cause, they are a coincidence.
 */
export const ownWords: Judge = ({ cause, rule, bundle, effect }, { world, effectsOf }) => {
  if (byMore.has(rule.via) || (rule.via !== 'needed' && (rule.workloads ?? 1) < 2)) return 0;
  const own = lastWordsOf(bundle, world);
  if (own.length === 0 || own.some((words) => speaksOfACall(words) || speaksOf(cause.ref, words))) return 0;
  const others = effectsOf(cause.key).filter((other) => other.bundle.workload !== bundle.workload);
  const together = others.filter((other) => Math.abs(other.effect.since - effect.since) <= togetherMs);
  if (new Set(together.map((other) => other.bundle.workload)).size + 1 >= strangers) return 0;
  return isSaidBy(others, own, world) ? 0 : -1;
};

/** Whether programs of others that a cause may have hit quote the same. */
const isSaidBy = (others: readonly Pair[], own: readonly string[], world: World): boolean =>
  others.some((other) => lastWordsOf(other.bundle, world).some((words) => own.some((mine) => isSameSaid(mine, words))));

/**
 * Only a name in its template links what ended to who is down. Until its log is read that is no reason to hold it in the incident of another;
 * several workloads that end together with what all of them name are one.
 */
export const silent: Judge = ({ cause, rule, bundle }, { world, effectsOf }) => {
  if (rule.via !== 'needed' || rule.signs === undefined) return 0;
  if (!bundle.members.slice(0, asked).every((finding) => endsInSilence(finding, world))) return 0;
  const others = effectsOf(cause.key).filter((other) => other.bundle.workload !== bundle.workload);
  return isSaidBy(others, lastWordsOf(bundle, world), world) ? 0 : -1;
};
