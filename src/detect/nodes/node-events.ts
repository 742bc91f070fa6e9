import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Judgement } from '../kit/detector.ts';
import { judgesNodes, nodeFacts } from './node-conditions.ts';

const minute = 60_000;

/** The newest Event of a Node with one of the reasons, after an instant (epoch milliseconds). */
function newest(
  node: NodeView,
  world: ObservedWorld,
  reasons: readonly string[],
  after: number,
): EventView | undefined {
  return world.events(node.ref).findLast(({ reason, lastAt }) => reasons.includes(reason) && lastAt > after);
}

/** A reboot is told this long, and is planned if the Node was cordoned or uncordoned this long before. */
const rebootLifeMs = 15 * minute;
const plannedMs = 60 * minute;
/** While something that ran there has not come back, it is told for as long as Events are kept by default. */
const remembered = 60 * minute;

/** Whether a Pod that was there before the Node was rebooted is not ready since. */
function lacksWhatRan(node: NodeView, rebootedAt: number, world: ObservedWorld): boolean {
  for (const ref of world.linked(node.ref, 'runs-on', 'in')) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.createdAt >= rebootedAt) continue;
    if (pod.phase === 'Running' && pod.deletionAt === undefined && !isReady(pod)) return true;
  }
  return false;
}

/** Since when a Node has been rebooting again and again, each time before the last was forgotten (epoch milliseconds). */
function rebootingSince(node: NodeView, world: ObservedWorld, last: EventView): number {
  const told = world.events(node.ref).filter(({ reason }) => reason === 'Rebooted');
  return told.reduceRight(
    (since, { firstAt, lastAt }) => (lastAt >= since - rebootLifeMs ? Math.min(since, firstAt) : since),
    last.lastAt,
  );
}

const nodeRebooted = detector({
  ...judgesNodes,
  id: 'N13',
  reasons: [{ reason: 'NodeRebooted', family: 'node', sure: 'high' }],
  severity: 'medium',
  settle: 'conclusive',
  exemptions: ['terminating', 'leavingNode', 'youngNode'],
  source: 'Event Rebooted of the kubelet (pkg/kubelet/nodestatus/setters.go), which names the new nodeInfo.bootID',
  predicate: 'the kubelet says that its Node was rebooted, and nobody had cordoned it within the hour before',
  clears: '15 min later, or when all that ran there before is ready again, an hour later at most',
  patience: 'no wait: it has happened',
  isNot: 'a reboot of a Node that was cordoned within the hour before; the first boot',
  judge: (node, world, now) => {
    const event = newest(node, world, ['Rebooted'], now - remembered);
    if (!event) return false;
    // Nothing of the Node tells when its Pods are ready.
    const isRecent = now < event.lastAt + rebootLifeMs;
    if (!isRecent && !lacksWhatRan(node, event.lastAt, world)) return false;
    if (world.changes(node.ref, event.lastAt - plannedMs).some(({ field }) => field === 'unschedulable')) return false;
    const since = rebootingSince(node, world, event);
    return { since, facts: nodeFacts(node), lookAgainAt: isRecent ? event.lastAt + rebootLifeMs : now + minute };
  },
});

/** A kill for lack of memory is told this long after the last. */
const oomLifeMs = 60 * minute;
/** A container that was killed this close to the kill that the kernel tells of is the one (ms). */
const sameKillMs = 60_000;

/** `victim process: java, pid: 4711`, `Killed process 4711 (java) total-vm:…`. */
function victimOf({ message }: EventView): string | undefined {
  const { kubelet, kernel } =
    /victim process: (?<kubelet>[^,]+),|Killed process \d+ \((?<kernel>[^)]+)\)/.exec(message)?.groups ?? {};
  return kubelet ?? kernel;
}

/** Whether a container's own status tells of the kill: then it is found there, with its limit. */
function isOfContainer(node: NodeView, { lastAt }: EventView, world: ObservedWorld): boolean {
  for (const ref of world.linked(node.ref, 'runs-on', 'in')) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod') continue;
    for (const { terminated, last } of pod.containers)
      for (const end of [terminated, last])
        if (end?.reason === 'OOMKilled' && Math.abs((end.finishedAt ?? 0) - lastAt) <= sameKillMs) return true;
  }
  return false;
}

const outOfMemory = detector({
  ...judgesNodes,
  id: 'N14',
  reasons: [
    { reason: 'SystemOOM', family: 'node', sure: 'high' },
    { reason: 'OOMKilling', family: 'node', sure: 'likely' },
  ],
  reads: ['Pod'],
  severity: 'high',
  // The status of a container that was killed comes a moment later.
  forSeconds: 15,
  settle: 'conclusive',
  source:
    'Events SystemOOM of the kubelet (pkg/kubelet/oom/oom_watcher_linux.go) and OOMKilling of node-problem-detector (kernel-monitor.json)',
  predicate:
    'the kernel killed a process for lack of memory, and no container of the Node shows it: the only trace of a child process or of one outside of Pods',
  clears: 'an hour without another',
  patience: '15 s: the status of a container that was killed comes a moment later',
  isNot: 'a container that was killed at its own limit: found there',
  judge: (node, world, now) => {
    const event = newest(node, world, ['SystemOOM', 'OOMKilling'], now - oomLifeMs);
    if (!event || (event.reason === 'OOMKilling' && isOfContainer(node, event, world))) return false;
    return {
      reason: event.reason === 'SystemOOM' ? 'SystemOOM' : 'OOMKilling',
      since: event.lastAt - event.firstAt < oomLifeMs ? event.firstAt : event.lastAt,
      detail: event.message,
      facts: { ...nodeFacts(node), ...given({ victim: victimOf(event) }), kills: event.count },
      lookAgainAt: event.lastAt + oomLifeMs,
    };
  },
});

const reclaimReasons = ['EvictionThresholdMet', 'FreeDiskSpaceFailed', 'ImageGCFailed', 'ContainerGCFailed'] as const;
/** Two this close to each other are no accident, and are told this long after the last. */
const reclaimWindowMs = 15 * minute;
const reclaimLifeMs = 30 * minute;

/** Whether an Event was repeated within the window. */
function isRepeated({ count, firstAt, lastAt }: EventView): boolean {
  return count > 1 && (lastAt - firstAt) / (count - 1) <= reclaimWindowMs;
}

const reclaimFailing = detector({
  ...judgesNodes,
  id: 'N15',
  reasons: [
    { reason: 'EvictionThresholdMet', family: 'node', sure: 'likely' },
    { reason: 'FreeDiskSpaceFailed', family: 'node', sure: 'likely' },
    { reason: 'ImageGCFailed', family: 'node', sure: 'likely' },
    { reason: 'ContainerGCFailed', family: 'node', sure: 'likely' },
  ],
  severity: 'medium',
  exemptions: ['terminating', 'leavingNode', 'youngNode', 'startingNode'],
  source:
    'Events of the kubelet (pkg/kubelet/eviction/eviction_manager.go, images/image_gc_manager.go, kubelet.go); InvalidDiskCapacity comes at every start and is not read',
  predicate: 'the kubelet could not free enough memory or disk twice within 15 min',
  clears: '30 min without another',
  patience: 'until it comes a second time within 15 min',
  isNot: 'InvalidDiskCapacity, which comes at every start; a single clean-up that failed',
  judge: (node, world, now): Judgement => {
    const events = world.events(node.ref).filter(({ lastAt }) => lastAt > now - reclaimLifeMs);
    for (const reason of reclaimReasons) {
      const own = events.filter((event) => event.reason === reason);
      const [first, last] = [own[0], own.at(-1)];
      if (!first || !last || !(own.some(isRepeated) || isClose(own))) continue;
      const since = Math.max(first.firstAt, first.lastAt - reclaimLifeMs);
      const lookAgainAt = last.lastAt + reclaimLifeMs;
      return { scope: reason, reason, since, detail: last.message, facts: nodeFacts(node), lookAgainAt };
    }
    return false;
  },
});

/** Whether two of several Events of a reason, oldest first, came within the window. */
function isClose(events: readonly EventView[]): boolean {
  return events.some(({ lastAt }, at) => at > 0 && lastAt - (events[at - 1]?.lastAt ?? 0) <= reclaimWindowMs);
}

/** Nodes by what Events tell of them. */
export const nodeEventDetectors: readonly Detector[] = [nodeRebooted, outOfMemory, reclaimFailing];
