import { earliest } from '../../model/instants.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import { isUnmapped } from '../../world/memory/event-reasons.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import type { Detector, Judgement, LookAgain, NamedDetector, Naming, Problem } from '../kit/detector.ts';

const minuteMs = 60_000;
/** So often within so long is no coincidence (ms). */
const [manyTimes, windowMs] = [5, 10 * minuteMs];
/** So many siblings of which the same is told. */
const [manySiblings, maxSiblings] = [3, 64];
/** client-go lets 25 alike through and then one in 5 min, with some jitter (tools/record, EventSourceObjectSpamFilter). */
const [throttledAt, throttledMs] = [25, 5.5 * minuteMs];
/** Quiet for so long it is over: a series that goes on is told of again after 30 min, by a loop of 6 (client-go tools/events). */
const quietMs = 36 * minuteMs;
/** An Event is remembered for so long: of what is not healthy it goes on being told. */
const memoryMs = 60 * minuteMs;

/** Who tells of storms: all that is unusual on what looks healthy. */
const allEvents = refOf('Cluster', '', 'events');

/** How often an Event came within 10 min, as far as its count and its times tell. */
function timesIn({ count, firstAt, lastAt }: EventView): number {
  const span = lastAt - firstAt;
  return span <= windowMs ? count : Math.max(1, Math.floor((count * windowMs) / span));
}

function isThrottled({ count, firstAt, lastAt }: EventView): boolean {
  return count >= throttledAt && (lastAt - firstAt) / (count - 1) <= throttledMs;
}

/** A way in that no controller has given an address: what it says of it is why nobody comes in. */
const isClosed = (object: Projection): boolean => object.kind === 'Ingress' && object.addresses === 0;

/** Whether nothing in its own status says that an object fails. */
function looksHealthy(object: Projection): boolean {
  if (isClosed(object)) return false;
  if (object.kind === 'Pod') return isReady(object) || object.phase === 'Succeeded';
  if ('replicas' in object && 'ready' in object) return object.ready >= object.replicas;
  return conditionOf(object, 'Ready')?.status !== 'False';
}

/** Those of the same owner of which the same is told at about the same time. */
function siblingsWith(reason: string, object: Projection, lastAt: number, world: ObservedWorld): number {
  if (object.owner === undefined) return 1;
  let count = 0;
  for (const ref of world.linked(object.owner, 'owned-by', 'in', maxSiblings))
    if (
      world
        .events(ref)
        .some((event) => isUnmapped(event) && event.reason === reason && event.lastAt > lastAt - windowMs)
    )
      count += 1;
  return count;
}

/** What repeats under one reason on one object, if it does so often enough. `events`: oldest first. */
function repeated(
  reason: string,
  events: readonly EventView[],
  object: Projection,
  world: ObservedWorld,
  now: number,
): Problem | LookAgain | undefined {
  const last = events.at(-1);
  if (!last) return undefined;
  const isHealthy = looksHealthy(object);
  const overAt = last.lastAt + (isHealthy ? quietMs : memoryMs);
  if (now >= overAt) return undefined;
  const recent = events.filter(({ lastAt }) => lastAt > last.lastAt - windowMs);
  const times = recent.reduce((sum, event) => sum + timesIn(event), 0);
  const siblings =
    times >= manyTimes || recent.some(isThrottled) ? undefined : siblingsWith(reason, object, last.lastAt, world);
  if (siblings !== undefined && siblings < manySiblings) return { lookAgainAt: overAt };
  return {
    scope: reason,
    since: recent.reduce((first, { firstAt }) => Math.min(first, firstAt), last.firstAt),
    facts: {
      ...{ eventReason: reason, events: recent.reduce((sum, { count }) => sum + count, 0) },
      ...given({ siblings, reporter: last.reporter || undefined }),
    },
    detail: last.message,
    names: isHealthy ? [allEvents] : [],
    ...(isClosed(object) && { severity: 'medium' }),
    lookAgainAt: overAt,
  };
}

function judge(object: Projection, world: ObservedWorld, now: number): Judgement {
  const told = world.events(object.ref);
  if (told.length === 0) return false;
  const groups = Map.groupBy(told.filter(isUnmapped), ({ reason }) => reason);
  return [...groups].flatMap(([reason, events]) => repeated(reason, events, object, world, now) ?? []);
}

/** Kinds that controllers write Warnings about. */
const kinds = [
  ...(['Pod', 'Node', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController'] as const),
  ...(['Job', 'CronJob', 'Service', 'Ingress', 'PersistentVolumeClaim', 'PersistentVolume', 'Namespace'] as const),
  ...(['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ResourceClaim', 'Gateway', 'CustomResource'] as const),
];

const unusualEvent: readonly Detector[] = kinds.map((judges) => ({
  id: 'E2',
  judges,
  reasons: [{ reason: 'UnusualEvent', family: 'consequence', sure: 'unknown' }],
  severity: 'low',
  forSeconds: 600,
  source: 'Warnings (events.k8s.io/v1 Event) whose reason no other row knows: src/world/memory/event-reasons.ts',
  exemptions: ['terminating'],
  predicate:
    'a Warning that nothing else explains comes 5 times within 10 min about one object, or about 3 of one owner, and has been coming for 10 min (medium about an Ingress that has no address)',
  clears: 'none has come for half an hour; of an object that is not healthy, for an hour',
  symptom: 'events',
  patience: '10 min: what a controller tries again and gets done is no news',
  isNot:
    'a Warning that explains another reason, or repeats what an object says in its own status; remarks that repeat for ever',
  judge,
}));

/** A storm has so many objects of so many owners, and so many times the Warnings that are usual; fewer than a few an hour are none. */
const [stormObjects, stormOwners, stormTimes, leastUsual] = [10, 3, 20, 3];
const stormLookMs = 5 * minuteMs;

/** The reasons told most, with how often: `CNIError (120), Throttled (14)`. */
function topReasons(naming: Naming): string {
  const counts = new Map<string, number>();
  for (const findings of naming.values())
    for (const { reason, facts } of findings)
      if (reason === 'UnusualEvent')
        counts.set(String(facts.eventReason), (counts.get(String(facts.eventReason)) ?? 0) + Number(facts.events));
  const top = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 3);
  return top.map(([reason, times]) => `${reason} (${times})`).join(', ');
}

/** When a storm began: what has been told of for longer than Events are remembered is no part of it. */
function beganAt(naming: Naming, now: number): number {
  const instants = naming.values().flatMap((findings) => findings.map(({ since }) => since));
  return earliest(instants.filter((since) => since > now - memoryMs));
}

/** Storms of Warnings about what looks healthy. */
export const eventStorm: NamedDetector = {
  id: 'E3',
  judges: 'Cluster',
  reasons: [{ reason: 'EventStorm', family: 'named', sure: 'high' }],
  edition: 'Pro',
  severity: 'medium',
  source:
    'findings E2 of objects whose status says nothing of a failure; how many such Warnings came in each hour of the last day',
  predicate:
    'Warnings that nothing else explains come 20 times as often as usual, and repeat about 10 objects of 3 owners that look healthy',
  clears: 'they have become fewer, or repeat about fewer objects',
  symptom: 'events',
  patience: 'the 10 min of each; nothing is usual before 3 h have been seen',
  isNot:
    'Warnings about Pods, workloads and Nodes that fail: what fails is reported instead; a cluster that is always so loud',
  judge: (ref, naming, world, now) => {
    if (ref !== allEvents || naming.size < stormObjects) return false;
    const again = { lookAgainAt: now + stormLookMs };
    if (new Set(naming.keys().map((subject: Ref) => world.topOwner(subject))).size < stormOwners) return again;
    const { recent, usualHourly } = world.warnings();
    const usual = usualHourly === undefined ? undefined : Math.max(leastUsual, usualHourly);
    if (usual === undefined || 2 * recent < stormTimes * usual) return again;
    return {
      ...again,
      since: beganAt(naming, now),
      facts: { objects: naming.size, recent, usualHourly: usualHourly ?? 0, topReasons: topReasons(naming) },
    };
  },
};

/** Events that nobody has a row for. */
export const unusualEventDetectors: readonly Detector[] = unusualEvent;
