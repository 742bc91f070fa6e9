import type { Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { namespaceOf, type Ref } from '../../model/ref.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfWorkload } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import type { Pair } from '../candidates/bundle.ts';
import { isDnsDown, isEmpty, isNewlyTold, namesWhatIsDown } from '../evidence/needs.ts';
import { isRefusedAnew } from '../evidence/new-server.ts';
import { failedMigrations } from '../evidence/prepared-by.ts';
import { isTakenByConfigMap, lacksWhatWasTaken } from '../evidence/taken.ts';
import { podsOf, unreadyOf } from '../evidence/workload.ts';
import { saidOfNamed } from '../rules/reasons.ts';
import type { Scene } from './scorer.ts';

/** What is found of an object because those who call it get no answer. */
const unreached: ReadonlySet<Reason> = new Set<Reason>([
  ...(['ExternalEndpointUnreachable', 'ServiceUnreachable', 'ClusterDNSFailing'] as const),
]);

/** What is found of a Service by the words of two of those who call it. */
const called: ReadonlySet<Reason> = new Set<Reason>(['ServiceRefusing', 'ServiceUnreachable']);

/** Whether a row blames what is only known by what programs say of it. */
const blamesTheNamed = ({ cause, via }: Pair['rule']): boolean =>
  via === 'names' &&
  cause.basis === 'finding' &&
  cause.reasons !== 'any' &&
  cause.reasons.some((reason) => saidOfNamed.has(reason));

/**
 * Whether none of those who say it is of the namespace of whoever is to have it in common with them, or of the accused: any team may say it of
 * any other, and who keeps silent would be muted with it.
 */
function isOfStrangers({ cause, rule, effect }: Pair, { effectsOf }: Scene): boolean {
  if (rule.via !== 'shares' || cause.finding === undefined || !called.has(cause.finding.reason)) return false;
  const near = new Set([effect, cause.finding].map(({ subject }) => namespaceOf(subject.ref)));
  return !effectsOf(cause.key).some(
    (pair) => pair.rule.via === 'names' && near.has(namespaceOf(pair.effect.subject.ref)),
  );
}

/** Whether a network policy that selects what fails was edited just before, and can have cut it off. */
const isCutOff = ({ bundle }: Pair): boolean => bundle.pairs.some(({ rule }) => rule.requires?.isolated === 'itself');

/** Whether that holds of every workload that fails. */
function areAllCutOff(effects: readonly Pair[]): boolean {
  const cutOff = new Set(effects.filter(isCutOff).map(({ bundle }) => bundle.workload));
  return effects.every(({ bundle }) => cutOff.has(bundle.workload));
}

/** Whether several workloads fail on one Node alone, and each of them serves elsewhere. */
function areOfOneNode(effects: readonly Pair[], world: World): boolean {
  const workloads = new Set(effects.map(({ bundle }) => bundle.workload));
  if (workloads.size < 2) return false;
  const failing = effects.flatMap(({ effect }) => unreadyOf(effect, world));
  const [node, ...others] = new Set(failing.map((pod) => pod.node));
  if (node === undefined || others.length > 0) return false;
  const servesElsewhere = (workload: Ref): boolean =>
    podsOf(world, workload, podsOfWorkload).some((pod) => pod.node !== node && isReady(pod));
  return [...workloads].every(servesElsewhere);
}

/**
 * Whether those who get no answer have lost their own way out, so that it tells nothing of whom they call: all of them are selected by network
 * policies that were edited just before, or are on one Node while their siblings elsewhere get their answers.
 */
const areCutOff = (effects: readonly Pair[], world: World): boolean =>
  areAllCutOff(effects) || areOfOneNode(effects, world);

/** Whether an image does not come because the proxy of the machine does not answer: no template says which that is. */
const isOfMachine = ({ facts }: Finding): boolean => facts.pullCause !== undefined && facts.serverSays !== undefined;

/**
 * Whom a program cannot find or reach is not to blame where the name came with an edit of who calls it, or where nobody answers
 * for names, or where all who say it were cut off themselves, or are strangers to who says nothing; nor what it logs in with where the server
 * is a new one.
 */
export function isHearsay(pair: Pair, scene: Scene): boolean {
  const { cause, rule, effect } = pair;
  const { world, effectsOf } = scene;
  const reason = cause.finding?.reason;
  if (reason === 'SecretRejected') return isRefusedAnew(effect, world);
  // What stands empty has a finding of its own.
  if (reason === 'ClusterDNSFailing' && cause.finding && isEmpty(cause.ref, world)) return true;
  if (reason !== undefined && unreached.has(reason) && areCutOff(effectsOf(cause.key), world)) return true;
  if (isOfStrangers(pair, scene)) return true;
  if (!blamesTheNamed(rule) || isOfMachine(effect)) return false;
  if (cause.finding?.facts.sign === 'NameNotResolved' && isDnsDown(effect.subject.ref, effect.since, world))
    return true;
  return isNewlyTold(effect, world);
}

/**
 * An edit is not to blame for what names as its reason something that is down for reasons of its own, nor a release for what another
 * edit took away, for the machine's way to images, or for a migration that failed.
 */
export function isExcused({ cause, rule, effect }: Pair, { world }: { readonly world: World }): boolean {
  if (cause.change === undefined || !(rule.via === 'owners' || rule.via === 'reads')) return false;
  if (isOfMachine(effect) || failedMigrations(effect, world).length > 0) return true;
  if (rule.via === 'owners' && !lacksWhatWasTaken(effect, world)(cause.change) && isTakenByConfigMap(effect, world))
    return true;
  return namesWhatIsDown(effect.subject.ref, effect.since, world);
}
