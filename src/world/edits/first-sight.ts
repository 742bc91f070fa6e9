import { kindOf } from '../../model/ref.ts';
import { editedOf } from '../../model/settings-kinds.ts';
import { type Projection, watchedKind } from '../kinds/kinds.ts';
import { selectedBy } from '../kinds/network/network-policy.ts';
import { authorOf } from '../reading/author.ts';
import { type Fields, fieldsOf, given, timeOf } from '../reading/fields.ts';
import { lastWrite, type Write } from '../reading/meta.ts';
import type { Change } from '../view/world.ts';

/** Edits that leave nothing behind but who wrote the field last, where what they may have brought about is to be seen. */
const onlyEdits: readonly {
  readonly kind: Projection['kind'];
  readonly field: Change['field'];
  /** Where it is recorded (FieldsV1). */
  readonly path: readonly [string, string];
  /** What it was edited to, where somebody asks. */
  readonly to?: (view: Projection) => string | undefined;
}[] = [
  ...(['Deployment', 'StatefulSet'] as const).map((kind) => ({
    ...({ kind, field: 'replicas', path: ['f:spec', 'f:replicas'] } as const),
    to: (view: Projection) => ('replicas' in view ? String(view.replicas) : undefined),
  })),
  { kind: 'Service', field: 'selector', path: ['f:spec', 'f:selector'] },
  { kind: 'Service', field: 'externalName', path: ['f:spec', 'f:externalName'] },
  { kind: 'Namespace', field: 'labels', path: ['f:metadata', 'f:labels'], to: saysOf },
];

/** What a kind's row says of the one field that people edit. */
function saysOf(view: Projection): string | undefined {
  const says = watchedKind(kindOf(view.ref))?.edited?.(view)[0]?.says;
  return typeof says === 'string' ? says : undefined;
}

/** What whoever wrote an object last has edited of it, having written nothing else. */
function onlyEdit(view: Projection, raw: Fields) {
  for (const { kind, field, path, to } of onlyEdits) {
    if (kind !== view.kind) continue;
    const write = lastWrite(raw, path[0]);
    // The spec of an alias is its host.
    const isAlias = field === 'externalName' && view.kind === 'Service' && view.externalName !== undefined;
    if (write && (isAlias || write.fields?.join() === path[1])) return { field, write, ...given({ to: to?.(view) }) };
  }
  return undefined;
}

/** Kinds whose template may have been edited by nobody knows whom, as their Pods tell. */
const rolls: ReadonlySet<Projection['kind']> = new Set<Projection['kind']>(['StatefulSet', 'DaemonSet']);

/** What rolls out ends the first of its Pods, and makes another one when that is gone (ms). */
const firstPodMs = 10 * 60_000;

/** When `kubectl rollout restart` last started a workload anew (epoch milliseconds). */
function restartedAt(raw: Fields): number | undefined {
  const { metadata } = fieldsOf(fieldsOf(raw.spec).template);
  return timeOf(fieldsOf(fieldsOf(metadata).annotations)['kubectl.kubernetes.io/restartedAt']);
}

/**
 * The last edit of an object met for the first time, where its present state shows one: a StatefulSet or DaemonSet that is
 * rolling out, a ConfigMap written after it was made. A Deployment's is told by its ReplicaSets. A network policy works from
 * when it is made, and so does what a mesh has in its stead. Nothing that was made before `since` counts (ms since the epoch).
 */
export function editAtFirstSight(view: Projection, raw: Fields, since: number, now: number): Change | undefined {
  const ref = editedOf(view.ref);
  const recent = (at: number): boolean => at > view.createdAt + 1000 && at > since && at <= now;
  if (view.kind === 'ConfigMap' || view.kind === 'SecretMetadata') {
    if (view.dataChangedAt === undefined || !recent(view.dataChangedAt)) return undefined;
    return {
      ref,
      field: 'data',
      at: view.dataChangedAt,
      certain: false,
      ...given({ by: authorOf(raw, view.dataChangedBy) }),
    };
  }
  if (view.kind === 'NetworkPolicy') {
    const write = lastWrite(raw, 'f:spec');
    const [field, at] = recent(write?.at ?? 0)
      ? (['policy', write?.at ?? 0] as const)
      : (['creation', view.createdAt] as const);
    if (at <= since || at > now) return undefined;
    return { ref, field, parts: [selectedBy(view)], at, certain: true, ...given({ by: authorOf(raw, write?.by) }) };
  }
  if (view.kind === 'CustomResource' && view.traffic !== undefined) {
    const write = lastWrite(raw, 'f:spec');
    if (write && recent(write.at))
      return { ref, field: 'policy', at: write.at, certain: true, ...given({ by: authorOf(raw, write.by) }) };
    const { createdAt: at } = view;
    return at <= since || at > now ? undefined : { ref, field: 'creation', at, certain: true };
  }
  const rollingOut =
    (view.kind === 'StatefulSet' && view.revision !== view.currentRevision) ||
    (view.kind === 'DaemonSet' && view.updated < view.replicas);
  // What rolls out was edited in more than its number, unless nothing is left of it.
  const only = rollingOut && view.replicas > 0 ? undefined : onlyEdit(view, raw);
  if (only && recent(only.write.at)) {
    const { write, ...edit } = only;
    // Of what nobody put his name to only the time is known: something was written.
    return { ref, ...edit, at: write.at, certain: write.by !== undefined, ...given({ by: authorOf(raw, write.by) }) };
  }
  const write = rolls.has(view.kind) ? lastWrite(raw, 'f:spec', 'f:template') : undefined;
  // Where nobody is named, it is the Pods that tell of it.
  if (!write || !recent(write.at) || !(rollingOut || write.by === undefined)) return undefined;
  // Who has written nothing else of it has started it anew: `kubectl rollout restart`, which notes when.
  const isRestart = write.fields?.join() === 'f:metadata' || isStartedAnew(write, restartedAt(raw));
  const field = isRestart ? 'metadata' : 'template';
  return { ref, field, at: write.at, certain: write.by !== undefined, ...given({ by: authorOf(raw, write.by) }) };
}

/** Whether a write is that of a restart, or its Pods that are the first to tell of one (epoch milliseconds). */
function isStartedAnew({ at, by }: Write, restartedAt = 0): boolean {
  return Math.abs(at - restartedAt) <= 2000 || (by === undefined && at > restartedAt && at - restartedAt < firstPodMs);
}
