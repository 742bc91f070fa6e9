import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import { watchedKinds } from '../../world/kinds/kinds.ts';
import type { NamespaceView } from '../../world/kinds/workloads/namespace.ts';
import { given } from '../../world/reading/fields.ts';
import type { Condition } from '../../world/reading/meta.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { controllersNamed, downSince, operatorsFor } from '../kit/controllers.ts';
import { type Detector, detector, type Judgement } from '../kit/detector.ts';
import { namespaceGoes } from '../kit/exemptions.ts';

/**
 * Conditions of a Namespace that hold up its deletion (pkg/controller/namespace/deletion/status_condition_utils.go), what tells
 * most first, and how long each may (seconds): what cannot be asked for does not come by itself.
 */
const obstacles: readonly (readonly [type: string, seconds: number])[] = [
  ['NamespaceDeletionDiscoveryFailure', 60],
  ['NamespaceDeletionGroupVersionParsingFailure', 60],
  ['NamespaceDeletionContentFailure', 120],
  ['NamespaceFinalizersRemaining', 300],
  ['NamespaceContentRemaining', 900],
];

/** `metrics.k8s.io/v1beta1` in what discovery could not reach, as the APIService of it. */
function apisIn({ type, message }: Condition): readonly Ref[] {
  if (type !== 'NamespaceDeletionDiscoveryFailure') return [];
  const found = [...message.matchAll(/\b([a-z0-9][a-z0-9.-]*\.[a-z0-9.-]+)\/(v\d\w*)/g)];
  const refs = found.map(([, group, version]) => refOf('APIService', '', `${version}.${group}`));
  return [...new Set(refs)].slice(0, 5);
}

/** `widgets.shop.example`: of which kind objects are left, as kubectl calls it; the first that the condition names. */
function remainingIn(namespace: NamespaceView): string | undefined {
  const { status, message } = conditionOf(namespace, 'NamespaceContentRemaining') ?? {};
  if (status !== 'True') return undefined;
  return /(?:remaining: )([a-z0-9][a-z0-9.-]*?)\.? has \d+ resource instances/.exec(message ?? '')?.[1];
}

/** Who would take off the finalizers that are left, or look after what is left, and has been down since then. */
function waitedFor(namespace: NamespaceView, { message, since }: Condition, world: ObservedWorld): readonly Ref[] {
  const finalizers = [...message.matchAll(/([a-z0-9.-]+\/[\w.-]+) in \d+ resource/g)].map(([, name = '']) => name);
  const called = [...finalizers, remainingIn(namespace) ?? ''];
  return downSince(operatorsFor(called, world), since, world);
}

const namespaceStuckTerminating = detector({
  id: 'G8',
  judges: 'Namespace',
  reasons: [{ reason: 'NamespaceStuckTerminating', family: 'consequence', sure: 'likely' }],
  severity: 'medium',
  forSeconds: 900,
  settle: 'conclusive',
  exemptions: [],
  source: 'core/v1 Namespace status.conditions while it is Terminating (namespace controller)',
  predicate:
    'a Namespace does not go: an API cannot be asked what is in it for 60 s, its content cannot be deleted for 2 min, waits for finalizers for 5 min, or is still there after 15 min',
  clears: 'it is gone',
  symptom: 'deletion',
  patience:
    'as long as controllers may take to clean up: 5 min with finalizers, 15 min otherwise; 60 s where nothing goes on',
  isNot: 'a Namespace whose Pods have their time to end',
  judge: (namespace, world): Judgement => {
    if (namespace.deletionAt === undefined) return false;
    for (const [type, forSeconds] of obstacles) {
      const condition = conditionOf(namespace, type);
      if (condition?.status !== 'True') continue;
      return {
        scope: type,
        since: condition.since,
        forSeconds,
        detail: condition.message,
        facts: { conditionReason: condition.reason, ...given({ remaining: remainingIn(namespace) }) },
        names: [...apisIn(condition), ...waitedFor(namespace, condition, world)],
      };
    }
    return { since: namespace.deletionAt, facts: {} };
  },
});

/** An object that should be gone and waits for its finalizers; those of a Namespace that goes too are reported with it. */
function stuck(object: Projection, world: ObservedWorld): Judgement {
  const { deletionAt, finalizers, finalizedBy, ref } = object;
  if (deletionAt === undefined || finalizers === undefined) return false;
  if (namespaceGoes(namespaceOf(ref), world)) return false;
  return {
    since: deletionAt,
    facts: { finalizers: finalizers.join(', '), ...given({ finalizedBy }) },
    names: controllersNamed(finalizedBy, world),
  };
}

/** Kinds whose deletion has a row of its own, or that have no finalizers. */
const otherwise: ReadonlySet<string> = new Set([
  ...['Pod', 'Node', 'Namespace', 'Event', 'Lease', 'EndpointSlice'],
  ...['PersistentVolume', 'PersistentVolumeClaim'],
]);

const stuckDeleting: readonly Detector[] = watchedKinds
  .filter(({ kind }) => !otherwise.has(kind))
  .map(({ kind }) => ({
    id: 'G9',
    judges: kind,
    reasons: [{ reason: 'StuckDeleting', family: 'consequence', sure: 'likely' }],
    severity: 'low',
    forSeconds: 3600,
    exemptions: [],
    source: 'metadata.deletionTimestamp and finalizers; the field manager that wrote these',
    predicate: 'an object should have been gone for an hour and waits for its finalizers',
    clears: 'it is gone',
    symptom: 'deletion',
    patience: 'an hour: cloud providers take long to release volumes and load balancers',
    isNot: 'what is in a Namespace that is being deleted: reported with it',
    judge: stuck,
  }));

/** What does not go. */
export const deletionDetectors: readonly Detector[] = [namespaceStuckTerminating, ...stuckDeleting];
