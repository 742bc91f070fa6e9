import type { Projection } from '../kinds/kinds.ts';
import { selectedBy } from '../kinds/network/network-policy.ts';
import { authorOf } from '../reading/author.ts';
import { type Fields, fieldsOf, given, timeOf } from '../reading/fields.ts';
import { lastWrite } from '../reading/meta.ts';
import type { Change } from '../view/world.ts';

/** Edits that leave nothing behind but who wrote the field last, where what they may have brought about is to be seen. */
const onlyEdits: readonly {
  readonly kind: Projection['kind'];
  readonly field: Change['field'];
  readonly path: string;
  readonly to?: string;
  readonly isTold: (view: Projection) => boolean;
}[] = [
  ...(['Deployment', 'StatefulSet'] as const).map((kind) => ({
    ...({ kind, field: 'replicas', path: 'f:replicas', to: '0' } as const),
    isTold: (view: Projection): boolean => 'replicas' in view && view.replicas === 0,
  })),
  { kind: 'Service', field: 'selector', path: 'f:selector', isTold: () => true },
];

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
  const { ref } = view;
  const recent = (at: number): boolean => at > view.createdAt + 1000 && at > since && at <= now;
  if (view.kind === 'ConfigMap') {
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
    const { createdAt: at } = view;
    return at <= since || at > now ? undefined : { ref, field: 'creation', at, certain: true };
  }
  const edit = onlyEdits.find(({ kind, isTold }) => kind === view.kind && isTold(view));
  const own = edit && lastWrite(raw, 'f:spec');
  // Whoever has written nothing else has edited just that.
  if (edit && own && recent(own.at) && own.fields?.join() === edit.path) {
    const { field, to } = edit;
    return { ref, field, at: own.at, certain: true, ...given({ to, by: authorOf(raw, own.by) }) };
  }
  const rollingOut =
    (view.kind === 'StatefulSet' && view.revision !== view.currentRevision) ||
    (view.kind === 'DaemonSet' && view.updated < view.replicas);
  const write = rollingOut ? lastWrite(raw, 'f:spec', 'f:template') : undefined;
  if (!write || !recent(write.at)) return undefined;
  // Who has written nothing else of it has started it anew: `kubectl rollout restart`, which notes when.
  const isRestart = write.fields?.join() === 'f:metadata' || Math.abs(write.at - (restartedAt(raw) ?? 0)) <= 2000;
  const field = isRestart ? 'metadata' : 'template';
  return { ref, field, at: write.at, certain: true, ...given({ by: authorOf(raw, write.by) }) };
}
