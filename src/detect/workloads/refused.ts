import { earliest } from '../../model/instants.ts';
import { parseQuantity } from '../../model/quantity.ts';
import { kindOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { serving } from '../kit/backends.ts';
import { conditionOf } from '../kit/conditions.ts';
import { denierIn } from '../kit/deniers.ts';
import { type Detector, type DetectorOf, detector, type Judgement, type Problem } from '../kit/detector.ts';
import { limitRangeOf } from '../kit/limit-range.ts';
import { asksOf, denialOf, limitOf, obstaclesIn, unjudgedPolicy } from '../kit/missing.ts';
import { hasEnded } from '../kit/runs-of-jobs.ts';

/** Controllers that make objects and say when they cannot; those of apps/v1 ReplicaSets and their forerunner in a condition. */
type Maker = 'ReplicaSet' | 'ReplicationController' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'CronJob';

/** A refusal of an object of a policy, a limit or for want of something does not pass by itself: the next attempt tells. */
const refusedSeconds = 15;
/** A rollout may have to wait for the quota of Pods that are on their way out. */
const quotaSeconds = 25;
/** A webhook that cannot be called may be back in a moment. */
const failedSeconds = 30;

/** Kinds that admission asks for by name. */
const required: ReadonlySet<string> = new Set(['ServiceAccount', 'PriorityClass', 'RuntimeClass']);

function waitFor(names: readonly Ref[]): number {
  return names.some((name) => kindOf(name) === 'ResourceQuota') ? quotaSeconds : failedSeconds;
}

/** Whether a text blames a webhook that no configuration has any more: the next attempt is not refused by it. */
function isLetGo(names: readonly Ref[], world: ObservedWorld): boolean {
  return names.some((name) => kindOf(name).endsWith('WebhookConfiguration') && world.get(name) === 'absent');
}

/** Where the API server says that it called a webhook: at a Service of the cluster. */
const webhookCall = /failed to call webhook: Post "https:\/\/([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc[:/.]/;

/** The workloads behind the Service at which a webhook could not be called. */
function behindWebhook(text: string, world: ObservedWorld): readonly Ref[] {
  const [, name, namespace] = webhookCall.exec(text) ?? [];
  return name === undefined || namespace === undefined ? [] : serving(refOf('Service', namespace, name), world);
}

/**
 * Reads what a controller says that it cannot make, since when (epoch milliseconds), and which of its words say so. `undefined`: what
 * was missing is there by now, or who refused it is gone, and it will try again.
 */
export function refusal(
  text: string,
  since: number,
  scope: string,
  namespace: string,
  world: ObservedWorld,
): Problem | undefined {
  const found = { since, scope, detail: text };
  const denial = denialOf(text.replace(/\.$/, ''));
  if (denial) {
    const { policy, says } = denial;
    const reason = policy.startsWith('PodSecurity') ? 'PodSecurityRejects' : 'AdmissionDenied';
    const facts = { policy, ...given({ policySays: says || undefined }) };
    return {
      ...found,
      reason,
      forSeconds: refusedSeconds,
      facts,
      names: [...unjudgedPolicy(text, world), ...denierIn(text, world)],
    };
  }
  const limit = limitOf(text);
  if (limit !== undefined) {
    const names = limitRangeOf(namespace, world);
    return { ...found, reason: 'LimitRangeRejects', forSeconds: refusedSeconds, facts: { limit }, names };
  }
  const names = obstaclesIn(text, namespace, world);
  if (isLetGo(names, world)) return undefined;
  const wanted = names.filter((name) => required.has(kindOf(name)));
  if (wanted.length > 0 && wanted.every((name) => typeof world.get(name) === 'object')) return undefined;
  const forSeconds = wanted.length > 0 ? refusedSeconds : waitFor(names);
  return { ...found, forSeconds, names: [...names, ...behindWebhook(text, world)] };
}

/** How long after its last attempt a controller may try again (its rate limiter's longest wait is 1,000 s). */
const attemptMs = 20 * 60_000;

/** Nothing of a quota makes anybody judge who is refused by it (ms). */
const quotaLookMs = 60_000;

/** The last time that a controller said that it cannot make something, while it may still try or what refuses it still would. */
function lastComplaint(ref: Ref, world: ObservedWorld, now: number): EventView | undefined {
  const complaint = world.events(ref).findLast(({ reason, isWarning }) => isWarning && reason === 'FailedCreate');
  if (complaint === undefined) return undefined;
  const isFresh = complaint.lastAt + attemptMs > now;
  return isFresh || isUsedUp(complaint.message, namespaceOf(ref), world) ? complaint : undefined;
}

/** Whether a quota that a text names has nothing left of something, as its controller has counted. */
function isUsedUp(text: string, namespace: string, world: ObservedWorld): boolean {
  return obstaclesIn(text, namespace, world).some((name) => {
    const quota = kindOf(name) === 'ResourceQuota' ? world.get(name) : 'absent';
    if (typeof quota !== 'object' || quota.kind !== 'ResourceQuota') return false;
    const { hard, used } = quota;
    return Object.entries(asksOf(text)).some(([resource, more]) => {
      const [limit, taken] = [parseQuantity(hard[resource] ?? ''), parseQuantity(used[resource] ?? '')];
      return limit !== undefined && taken !== undefined && taken + (parseQuantity(more) ?? 0) > limit;
    });
  });
}

/** Whether an object lacks what its controller makes, by its own status. */
function lacks(object: Projection, said: EventView): boolean {
  if (object.kind === 'CronJob') return object.lastScheduleAt === undefined || object.lastScheduleAt < said.firstAt;
  if (object.kind === 'Job') return object.active < object.parallelism && !object.suspended && !hasEnded(object);
  return 'created' in object && object.created < object.replicas;
}

function judgeByEvents(object: Projection, world: ObservedWorld, now: number): Judgement {
  const said = lastComplaint(object.ref, world, now);
  if (!said || !lacks(object, said)) return false;
  const since = earliest([said.firstAt, said.lastAt]);
  const problem = refusal(said.message, since, 'FailedCreate', namespaceOf(object.ref), world);
  const lookAgainAt = Math.max(said.lastAt + attemptMs, now + quotaLookMs);
  return problem ? { ...problem, lookAgainAt } : { lookAgainAt };
}

function judgeByCondition(object: Projection, world: ObservedWorld): Judgement {
  const failure = conditionOf(object, 'ReplicaFailure');
  if (failure?.status !== 'True') return false;
  const problem = refusal(failure.message, failure.since, failure.reason, namespaceOf(object.ref), world);
  if (!problem || !('replicas' in object)) return problem ?? false;
  return { ...problem, facts: { wanted: object.replicas, ready: object.ready, ...problem.facts } };
}

type Row = Pick<DetectorOf<Projection['kind']>, 'source' | 'predicate' | 'clears'>;

const byCondition: Row = {
  source: 'condition ReplicaFailure=True, reason FailedCreate or FailedDelete; the texts of admission plug-ins',
  predicate:
    'Pods cannot be made: for 15 s where a limit, a policy or something missing refuses them, for 25 s where a quota does, for 30 s where a webhook fails or nobody says why',
  clears: 'the condition is gone, or what was missing is there',
};

const byEvents: Row = {
  source:
    'Event FailedCreate of the last 20 min, while the status lacks what was to be made; the texts of admission plug-ins',
  predicate: byCondition.predicate,
  clears:
    'the status has what was to be made, what was missing is there, or 20 min without another attempt have passed (an hour while the quota that refused it has no more left)',
};

function refused<K extends Maker>(judges: K, row: Row): Detector {
  return detector<Maker>({
    ...row,
    id: 'W4, G11, G21',
    judges,
    reads: ['LimitRange', 'ServiceAccount', 'PriorityClass', 'RuntimeClass'],
    reasons: [
      { reason: 'ReplicaFailure', family: 'create', sure: 'likely' },
      { reason: 'AdmissionDenied', family: 'create', sure: 'high' },
      { reason: 'PodSecurityRejects', family: 'create', sure: 'high' },
      { reason: 'LimitRangeRejects', family: 'create', sure: 'high' },
    ],
    severity: 'high',
    settle: 'conclusive',
    exemptions: judges === 'CronJob' ? ['terminating', 'paused'] : ['terminating', 'scaledToZero', 'paused'],
    symptom: 'start',
    patience:
      '15 s, so that one refused attempt is no news; 25 s for a quota, which Pods on their way out still hold; 30 s for a webhook, which may be back in a moment',
    isNot: 'a workload that wants no Pods; an attempt that failed once and worked the next time',
    judge: row === byCondition ? judgeByCondition : judgeByEvents,
  });
}

/** What makes Pods or Jobs and is refused. */
export const refusedDetectors: readonly Detector[] = [
  refused('ReplicaSet', byCondition),
  refused('ReplicationController', byCondition),
  refused('StatefulSet', byEvents),
  refused('DaemonSet', byEvents),
  refused('Job', byEvents),
  refused('CronJob', byEvents),
];
