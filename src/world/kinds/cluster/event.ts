import { namespaceOf, qualifiedKind, type Ref, refOf } from '../../../model/ref.ts';
import { groupOf } from '../../../model/resource.ts';
import { type Fields, fieldsOf, given, messageOf, numberOf, textOf, timeOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

/** What a component tells of one object, counted where it repeats. */
export type EventView = {
  readonly ref: Ref;
  /** The object it tells of, and that object's UID; of Nodes the kubelet gives the name instead. */
  readonly regarding: Ref;
  readonly regardingUid: string;
  /** The container it tells of, from the field path (`spec.containers{api}`). */
  readonly container?: string;
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The component: `kubelet`, `default-scheduler`, `cluster-autoscaler`. */
  readonly reporter: string;
};

/** events.k8s.io/v1 Event, as it comes. */
export type EventObject = Meta & EventView & { readonly kind: 'Event' };

/** Normal Events that somebody reads; all others are dropped as they come. */
const readNormalReasons: ReadonlySet<string> = new Set([
  // A Pod that waits for a Node: somebody makes one, or nobody can.
  'TriggeredScaleUp',
  'NotTriggerScaleUp',
  'Nominated',
  // The kubelet ends a container, and says for which probe.
  'Killing',
  // A large image is on its way.
  'Pulling',
  'Pulled',
  // A claim waits for somebody.
  'WaitForFirstConsumer',
  'WaitForPodScheduled',
  'ExternalProvisioning',
  'Provisioning',
  'FailedBinding',
  'VolumeConditionNormal',
  // A load balancer could not be made or changed, and then could.
  'EnsuredLoadBalancer',
  'UpdatedLoadBalancer',
]);

/** Whether a kubelet says by it, once for each start, that it starts a container; an image is pulled before some of them only. */
export function tellsOfStarts(reason: string, message: string): boolean {
  return reason === 'Started' || reason === 'Created' || (reason === 'Pulled' && message.includes('already present'));
}

/** Whether anybody reads such an Event. */
export function isRead({ isWarning, reason }: Pick<EventView, 'isWarning' | 'reason'>): boolean {
  return isWarning || readNormalReasons.has(reason);
}

/** Where Events about objects without a namespace are: client-go writes them to the first, the API server takes them in the second as well. */
const homesOfTheCluster: ReadonlySet<string> = new Set(['default', 'kube-system']);

/**
 * Whether an Event is in the namespace of what it tells of. The API server asks that of Events of v1 only: by events.k8s.io/v1 whoever may
 * create Events in one namespace may write about the objects of every other.
 */
export function isOfItsOwn({ ref, regarding }: Pick<EventView, 'ref' | 'regarding'>): boolean {
  const [home, about] = [namespaceOf(ref), namespaceOf(regarding)];
  return about === '' ? homesOfTheCluster.has(home) : about === home;
}

/** Events of before events.k8s.io/v1 have their times in other fields. */
function project(raw: Fields): EventObject {
  const meta = metaOf('Event', raw);
  const regarding = fieldsOf(raw.regarding);
  const series = fieldsOf(raw.series);
  const firstAt = timeOf(raw.deprecatedFirstTimestamp) ?? timeOf(raw.eventTime) ?? meta.createdAt;
  const lastAt =
    timeOf(series.lastObservedTime) ?? timeOf(raw.deprecatedLastTimestamp) ?? timeOf(raw.eventTime) ?? firstAt;
  const [, container] = /^spec\.\w+\{([^}]+)\}$/.exec(textOf(regarding.fieldPath) ?? '') ?? [];
  const kind = qualifiedKind(groupOf(textOf(regarding.apiVersion) ?? ''), textOf(regarding.kind) ?? '');
  return {
    ...meta,
    kind: 'Event',
    regarding: refOf(kind, textOf(regarding.namespace), textOf(regarding.name) ?? ''),
    regardingUid: textOf(regarding.uid) ?? '',
    isWarning: raw.type === 'Warning',
    reason: textOf(raw.reason) ?? '',
    message: messageOf(raw.note),
    count: Math.max(1, numberOf(series.count) ?? numberOf(raw.deprecatedCount) ?? 1),
    firstAt,
    lastAt: Math.max(firstAt, lastAt),
    reporter: textOf(raw.reportingController) ?? textOf(fieldsOf(raw.deprecatedSource).component) ?? '',
    ...given({ container }),
  };
}

/** events.k8s.io/v1 Event: evidence that fades. Those of before the start are not read: a large cluster has 100,000. */
export const events: WatchedKind<EventObject> = {
  group: 'events.k8s.io',
  versions: ['v1'],
  plural: 'events',
  kind: 'Event',
  namespaced: true,
  startsNow: true,
  withoutManagedFields: true,
  project,
};
