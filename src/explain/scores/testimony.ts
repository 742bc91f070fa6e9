import type { ChangeField } from '../../model/change-field.ts';
import { latest } from '../../model/instants.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import { kindOf, nameOf, type Ref } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { bareSigns, refusedSigns, unreachedSigns } from '../../model/sign-groups.ts';
import { lastEnd } from '../../world/memory/facets.ts';
import { isSameSaid, shapeOf, speaksOf, speaksOfACall } from '../../world/memory/last-words.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { siblingsAsked, strangers, togetherMs } from '../../world/view/bounds.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import type { Bundle, Pair } from '../candidates/bundle.ts';
import { canHaveRead } from '../candidates/started-since.ts';
import { workloadsOf } from '../evidence/needs.ts';
import { endsInSilence, saysOf } from '../evidence/says.ts';
import { dnsOf } from '../evidence/system.ts';
import { isNobodysNumber } from '../evidence/unanswered.ts';
import { isNotOfSettings } from '../evidence/what-edits-show.ts';
import { podsOf, podView, workloadOf } from '../evidence/workload.ts';
import type { Via } from '../rules/rule.ts';
import type { Scene, Testimony } from './scorer.ts';
import { mentions } from './scorers.ts';

/** Ways on which something else is asked for evidence: which revision fails, which run has read it, whether siblings serve elsewhere. */
const whateverItSays: ReadonlySet<Via> = new Set<Via>(['owners', 'reads', 'runs-on']);
/** What is no place: nobody calls it, and whom those call who use it says nothing for or against it. */
const noPlaces: ReadonlySet<string> = new Set(['Secret', 'ServiceAccount']);

/** The name of an exception alone, of which no more is known than that a call failed: of whom, and how, it does not say. */
const isOfACall = ({ kind, name = '' }: PlacedSign): boolean =>
  kind === 'UncaughtException' &&
  /(?:Time(?:d)?out|Connect|Connection|Unavailable|Unreachable|Socket|Network|Host)\w*$/.test(name);

/** Whether what a program names is the cause, or what the cause stands behind. */
function leadsTo(to: Ref, cause: Ref, workload: Ref, world: World): boolean {
  return (
    to === cause || (kindOf(to) === 'Service' && workloadsOf(to, workload, world).includes(workloadOf(world, cause)))
  );
}

/** Whether signs of the kinds that the cause brings about are of this one: they name it, or nobody. */
function areOf(alike: readonly PlacedSign[], { cause, rule, bundle }: Pair, world: World): Testimony | undefined {
  if ((rule.via !== 'needed' && rule.via !== 'names') || noPlaces.has(kindOf(cause.ref))) return 'supports';
  const leads = (to: Ref): boolean => leadsTo(to, cause.ref, bundle.workload, world);
  if (alike.some(({ kind }) => kind === 'NameNotResolved') && dnsOf(bundle.workload, world).some(leads))
    return 'supports';
  const placed = alike.flatMap(({ to }) => (to === undefined || (to !== cause.ref && isNobodysNumber(to)) ? [] : [to]));
  if (placed.length === 0) return alike.some(({ to }) => to !== undefined) ? undefined : 'supports';
  return placed.some(leads) ? 'supports' : 'refutes';
}

/** It says that the program ended, and not why. */
const isBare = ({ kind }: PlacedSign): boolean => bareSigns.includes(kind);

/** The last words of programs that ended, where they are no more than that, or nobody can read them; of a workload those of its Pods. */
function lastWordsOf({ members }: Bundle, world: World): readonly string[] {
  return members.slice(0, siblingsAsked).flatMap((finding) => {
    const { ref } = finding.subject;
    const pods =
      kindOf(ref) === 'Pod' ? [podView(world, ref)] : podsOf(world, ref, siblingsAsked).filter((pod) => !isReady(pod));
    const ended = pods.find((pod) => pod?.containers.some((container) => (lastEnd(container)?.exitCode ?? 0) !== 0));
    const said = saysOf(finding, world);
    if (ended === undefined || said.some(isOfACall)) return [];
    const [first] = said;
    const words = said.length === 0 ? world.lastWords(ended.ref) : undefined;
    return (first && said.every(isBare) ? shapeOf(first.line, [ended.ref]) : words) || [];
  });
}

/** All that the programs of a bundle say, in words, whether anybody can read it or not. */
const wordsOf = (bundle: Bundle, world: World): readonly string[] => [
  ...lastWordsOf(bundle, world),
  ...bundle.members
    .slice(0, siblingsAsked)
    .flatMap((finding) => saysOf(finding, world).map(({ line }) => shapeOf(line, [finding.subject.ref]))),
];

/** Whether programs of others that a cause may have hit quote the same. */
const isSaidBy = (others: readonly Pair[], own: readonly string[], world: World): boolean =>
  others.some(({ bundle }) => wordsOf(bundle, world).some((words) => own.some((mine) => isSameSaid(mine, words))));

/** Whether a bundle is of programs that can say why they fail; who was killed for memory cannot. */
const canSay = ({ first }: Bundle): boolean => loggedReasons.includes(first.reason);

/**
 * Whether several end together of which nobody says why, and no two the same: that so many fail of their own just then is no coincidence, and
 * those who quote one thing have that in common.
 */
function isOneOfMany({ cause, bundle, effect }: Pair, { world, effectsOf }: Scene): boolean {
  const others = effectsOf(cause.key).filter((other) => other.bundle.workload !== bundle.workload);
  const isAlone = (one: Pair): boolean =>
    Math.abs(one.effect.since - effect.since) <= togetherMs &&
    endsInSilence(one.effect, world) &&
    !isSaidBy(
      others.filter((other) => other.bundle.workload !== one.bundle.workload),
      lastWordsOf(one.bundle, world),
      world,
    );
  const alone = new Set<Ref>();
  if (endsInSilence(effect, world))
    for (const other of others) if (alone.size < strangers - 1 && isAlone(other)) alone.add(other.bundle.workload);
  return alone.size >= strangers - 1;
}

/** Whether the last line of one of the programs names an object, as no shape of what is said does. */
const isNamedBy = ({ members }: Bundle, ref: Ref, world: World): boolean =>
  members.slice(0, siblingsAsked).some(({ subject }) => mentions(world.lastLine(subject.ref) ?? '', nameOf(ref)));

/** Whether it is one of several that failed as soon as what they have in common was edited, whatever each of them says. */
const failsAtOnce = ({ cause: { finding }, effect }: Pair): boolean =>
  finding?.facts.atOnce === 'edited' && Math.abs(effect.since - finding.since) <= togetherMs;

/** What the programs that fail say of a cause; `undefined`: they have no part in it, or leave it open. */
export function testimonyOf(pair: Pair, scene: Scene): Testimony | undefined {
  const { cause, rule, bundle } = pair;
  const { world } = scene;
  const isLikeOthers = (own: readonly string[]): boolean =>
    isSaidBy(
      scene.effectsOf(cause.key).filter((other) => other.bundle.workload !== bundle.workload),
      own,
      world,
    ) || isOneOfMany(pair, scene);
  // What a run had read before, others may read anew just as it does.
  if (cause.change !== undefined && !canHaveRead(bundle.first, rule, cause.change.at, world))
    return isLikeOthers(lastWordsOf(bundle, world)) ? undefined : 'refutes';
  const said = bundle.members
    .slice(0, siblingsAsked)
    .flatMap((finding) => saysOf(finding, world))
    .filter((sign) => !isOfACall(sign));
  if (cause.change !== undefined && isNotOfSettings(cause.ref, bundle.first.reason, said, world)) return 'refutes';
  const alike = said.filter(({ kind }) => rule.signs?.includes(kind));
  if (alike.length > 0) return areOf(alike, pair, world);
  if (rule.signs !== undefined && said.some((sign) => !isBare(sign))) return 'refutes';
  if (whateverItSays.has(rule.via) || !canSay(bundle) || failsAtOnce(pair)) return undefined;
  const own = lastWordsOf(bundle, world);
  if (own.some((words) => speaksOfACall(words) || speaksOf(cause.ref, words)) || isNamedBy(bundle, cause.ref, world))
    return undefined;
  if (own.length > 0) return isLikeOthers(own) ? undefined : 'refutes';
  // What names it has said so.
  if (rule.signs === undefined || rule.via === 'names') return undefined;
  if (!bundle.members.slice(0, siblingsAsked).every((finding) => endsInSilence(finding, world))) return undefined;
  return isOneOfMany(pair, scene) ? undefined : 'silent';
}

/**
 * Whether a program ended with a fault of its own code, whatever it said before of the cause: why that brings it down is not known. A release
 * brings such faults.
 */
export function endsOtherwise({ rule, effect }: Pick<Pair, 'rule' | 'effect'>, world: World): boolean {
  if (rule.via === 'owners') return false;
  const said = saysOf(effect, world);
  const last = latest(said.map(({ at }) => at));
  return said.length > 0 && said.every((sign) => sign.at < last || (isBare(sign) && !isOfACall(sign)));
}

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
