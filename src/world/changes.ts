import { numberHash } from '../model/hash.ts';
import { isListOf, isNumber, isSavedRef, isText } from '../model/memory.ts';
import { NotedMap } from '../model/noted-map.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';
import { authorOf } from './author.ts';
import { type Fields, fieldsOf, given } from './fields.ts';
import { type ConfigMapView, maxKeys } from './kinds/config-map.ts';
import { selectedBy } from './kinds/network-policy.ts';
import type { NodeView } from './kinds/node.ts';
import type { WorkloadView } from './kinds/workload.ts';
import { type Projection, watchedKind } from './kinds.ts';
import { lastWrite, type Write } from './meta.ts';
import { editsOfPolicy } from './policy-edits.ts';
import { type TemplateFingerprint, TemplateFingerprints, templateDifferences } from './template-fingerprint.ts';
import type { Change } from './world.ts';

/** How long changes are kept; causes are sought 30 minutes back, and a fault may be judged some time after it began. */
export const changeMemoryMs = 60 * 60_000;
const maxChanges = 20;
/** Keys named of those that a ConfigMap lost. */
const maxLost = 5;
const none: readonly Change[] = [];

/** One difference, before it is known when and by whom it was made. */
type Difference = Omit<Change, 'ref' | 'at' | 'by' | 'certain'>;

/** Taints that the node lifecycle controller keeps to mirror conditions and cordons: nobody edited them. */
const derivedTaint = (key: string): boolean =>
  key.startsWith('node.kubernetes.io/') && key !== 'node.kubernetes.io/out-of-service';

function taintsOf(node: NodeView): string {
  return node.taints
    .filter(({ key }) => !derivedTaint(key))
    .map(({ key, value, effect }) => `${key}${value === undefined ? '' : `=${value}`}:${effect}`)
    .sort()
    .join(', ');
}

/** Kinds whose template people edit: ReplicaSets and Jobs get theirs from the Deployment or CronJob. */
export const rollingKinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** A differing field with where managedFields records its edits (FieldsV1 paths); absent where nobody records it. */
type Edit = Difference & { readonly path?: readonly string[]; readonly certain?: boolean };

/** What is kept of a workload besides its view, to tell an edit by. */
type Kept = { readonly template: TemplateFingerprint; readonly strategy: number };

function editsOfNode(before: NodeView, after: NodeView): Edit[] {
  const edits: Edit[] = [];
  const [from, to] = [taintsOf(before), taintsOf(after)];
  if (from !== to) edits.push({ field: 'taints', from, to, path: ['f:spec', 'f:taints'] });
  if (before.unschedulable !== after.unschedulable) {
    const words = { from: String(before.unschedulable), to: String(after.unschedulable) };
    edits.push({ field: 'unschedulable', ...words, path: ['f:spec', 'f:unschedulable'] });
  }
  return edits;
}

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join();

/** The labels that the Pods of a workload had before it was edited, and those that they get: a Service may ask for the old ones. */
function labelsEdited({ podLabels: old = {} }: WorkloadView, { podLabels = {} }: WorkloadView) {
  const [from, to] = [labelsText(old), labelsText(podLabels)];
  return from === to ? undefined : { from, to };
}

function editsOfWorkload(before: WorkloadView, after: WorkloadView, was: Kept, is: Kept): Edit[] {
  const labels = labelsEdited(before, after);
  const edits = templateDifferences(was.template, is.template).map(
    (difference): Edit => ({
      ...difference,
      ...(difference.field === 'metadata' && labels),
      path: ['f:spec', 'f:template'],
    }),
  );
  if (was.strategy !== is.strategy) edits.push({ field: 'strategy', path: ['f:spec', strategyField(after)] });
  // What a DaemonSet wants follows from the Nodes.
  if (before.replicas !== after.replicas && after.kind !== 'DaemonSet') {
    const words = { from: String(before.replicas), to: String(after.replicas) };
    edits.push({ field: 'replicas', ...words, path: ['f:spec', 'f:replicas'] });
  }
  return edits;
}

/** Keys that are gone; none where the keys are not known, or not all of them. */
function lostKeys({ keys: old = [] }: ConfigMapView, { keys }: ConfigMapView): readonly string[] {
  if (keys === undefined || old.length >= maxKeys || keys.length >= maxKeys) return [];
  return old.filter((key) => !keys.includes(key)).slice(0, maxLost);
}

/** Whoever only takes keys away owns nothing by that, so that managedFields have no time of it. */
function editsOfConfigMap(before: ConfigMapView, after: ConfigMapView): Edit[] {
  const parts = lostKeys(before, after);
  const isWritten = before.dataChangedAt !== after.dataChangedAt;
  if (!isWritten && parts.length === 0) return [];
  return [
    {
      ...{ field: 'data', certain: parts.length > 0 },
      ...(parts.length > 0 && { parts }),
      ...(isWritten && { path: ['f:data'] }),
    },
  ];
}

const strategyField = ({ kind }: WorkloadView): string => (kind === 'Deployment' ? 'f:strategy' : 'f:updateStrategy');

function editsOf(before: Projection, after: Projection, was: Kept | undefined, is: Kept | undefined): readonly Edit[] {
  if (before.kind === 'Node' && after.kind === 'Node') return editsOfNode(before, after);
  if (before.kind === 'ConfigMap' && after.kind === 'ConfigMap') return editsOfConfigMap(before, after);
  if (before.kind === 'NetworkPolicy' && after.kind === 'NetworkPolicy') return editsOfPolicy(before, after);
  if (isRolling(before) && isRolling(after)) return was && is ? editsOfWorkload(before, after, was, is) : [];
  return editsOfFields(before, after);
}

/** The edits of a kind whose row states its fields. */
function editsOfFields(before: Projection, after: Projection): readonly Edit[] {
  const row = watchedKind(kindOf(after.ref));
  const [was, is] = [row?.edited?.(before) ?? [], row?.edited?.(after) ?? []];
  const edits: Edit[] = [];
  for (const { field, says, path } of is) {
    const known = was.find((one) => one.field === field)?.says;
    if (known === undefined || known === says) continue;
    edits.push({
      field,
      path,
      ...(typeof known === 'string' && typeof says === 'string' && { from: known, to: says }),
    });
  }
  return edits;
}

function isRolling(view: Projection): view is WorkloadView {
  return rollingKinds.includes(view.kind);
}

/** How far apart the records of one edit can lie: the controller makes the ReplicaSet within moments. */
const sameEditMs = 60_000;

function isSameEdit(a: Change, b: Change): boolean {
  return (
    a.field === b.field &&
    a.container === b.container &&
    // What revisions tell of an edit has no words.
    (a.from === b.from || a.from === undefined || b.from === undefined) &&
    (a.to === b.to || a.to === undefined || b.to === undefined) &&
    Math.abs(a.at - b.at) <= sameEditMs
  );
}

function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null) return false;
  const { ref, field, at, certain }: Partial<Change> = value;
  return isSavedRef(ref) && isText(field) && isNumber(at) && typeof certain === 'boolean';
}

/** Whether something remembered is the edits of one object. */
export const areChanges = (value: unknown): value is readonly Change[] => isListOf(value, isChange);

/** Recent edits, and the traits of templates that tell them. */
export class ChangeLog {
  readonly #log = new NotedMap<Ref, readonly Change[]>();
  readonly #fingerprints = new TemplateFingerprints();
  readonly #kept = new Map<Ref, Kept>();
  readonly #writes = new Map<Ref, Write>();

  /** Compares an object with what was kept of it (`undefined` at first sight). */
  note(before: Projection | undefined, after: Projection, raw: Fields, now: number): void {
    const { ref } = after;
    const was = this.#kept.get(ref);
    const is = 'replicas' in after && this.#tellsEdits(after, now) ? this.#keep(after, raw) : undefined;
    if (!before) {
      this.#withoutNamesake(after);
      const change = afterFact(after, raw, now);
      if (change && !this.seen(ref).some((known) => isSameEdit(known, change))) this.#add(change);
      return;
    }
    for (const { path, certain, ...difference } of editsOf(before, after, was, is)) {
      const write = path && lastWrite(raw, ...path);
      // A record from the future or from before the object was last seen is not this edit's.
      const at = write && write.at <= now && write.at >= now - changeMemoryMs ? write.at : now;
      const by = authorOf(raw, write?.by);
      this.#add({ ref, ...difference, at, certain: certain ?? true, ...given({ by }) });
    }
  }

  /** What is to be saved. */
  get noted(): NotedMap<Ref, readonly Change[]> {
    return this.#log;
  }

  /** Goes on from edits that were seen before a restart; what has been met since then may have told some of them again. */
  restore(saved: Iterable<readonly [Ref, readonly Change[]]>): void {
    for (const [ref, changes] of saved) {
      const met = this.seen(ref).filter((one) => !changes.some((known) => isSameEdit(known, one)));
      this.#log.restore([[ref, [...changes, ...met].sort((a, b) => a.at - b.at)]]);
    }
  }

  /** Of one that was made anew under its name while nobody looked nothing was edited. */
  #withoutNamesake({ ref, createdAt }: Projection): void {
    const seen = this.seen(ref);
    const own = seen.filter(({ at }) => at >= createdAt);
    if (own.length === seen.length) return;
    if (own.length === 0) this.#log.delete(ref);
    else this.#log.set(ref, own);
  }

  #add(change: Change): void {
    const { ref } = change;
    this.#log.set(ref, [...this.seen(ref), change].sort((a, b) => a.at - b.at).slice(-maxChanges));
  }

  drop(ref: Ref): void {
    this.#log.delete(ref);
    this.#kept.delete(ref);
    this.#writes.delete(ref);
  }

  seen(ref: Ref): readonly Change[] {
    return this.#log.get(ref) ?? none;
  }

  /** The edits of a Deployment that its ReplicaSets tell, with those seen. */
  ofRevisions(deployment: Ref, replicaSets: readonly WorkloadView[]): readonly Change[] {
    const seen = this.seen(deployment);
    const told = this.#toldByRevisions(deployment, replicaSets).filter(
      (change) => !seen.some((known) => isSameEdit(known, change)),
    );
    return [...seen, ...told].sort((a, b) => a.at - b.at);
  }

  expire(now: number): void {
    for (const [ref, changes] of this.#log) {
      const kept = changes.filter(({ at }) => at > now - changeMemoryMs);
      if (kept.length === 0) this.#log.delete(ref);
      else if (kept.length < changes.length) this.#log.set(ref, kept);
    }
  }

  /**
   * Whether what is kept of a workload's template may tell an edit. ReplicaSets outnumber all others, and only those of a
   * Deployment that was edited lately tell when and how.
   */
  #tellsEdits(view: WorkloadView, now: number): boolean {
    const { owner } = view;
    if (view.kind !== 'ReplicaSet') return true;
    if (owner === undefined || kindOf(owner) !== 'Deployment') return false;
    const edited = this.#writes.get(owner)?.at ?? Number.POSITIVE_INFINITY;
    return Math.max(view.createdAt, edited) > now - changeMemoryMs;
  }

  #keep(view: WorkloadView, raw: Fields): Kept {
    const spec = fieldsOf(raw.spec);
    const strategy = spec.strategy ?? spec.updateStrategy;
    const kept = {
      template: this.#fingerprints.of(spec.template),
      strategy: numberHash(JSON.stringify(strategy) ?? ''),
    };
    this.#kept.set(view.ref, kept);
    const write = view.kind === 'Deployment' ? lastWrite(raw, 'f:spec', 'f:template') : undefined;
    if (write) this.#writes.set(view.ref, { at: write.at, ...given({ by: authorOf(raw, write.by) }) });
    return kept;
  }

  /** Each was made when the ReplicaSet of its template was new: they hold the history also of what was not seen. */
  #toldByRevisions(deployment: Ref, replicaSets: readonly WorkloadView[]): Change[] {
    const revisions = replicaSets
      .filter(({ revision }) => revision !== undefined)
      .sort((a, b) => Number(a.revision) - Number(b.revision));
    const write = this.#writes.get(deployment);
    return revisions.flatMap((replicaSet, index) => {
      const previous = revisions[index - 1];
      const before = previous && this.#kept.get(previous.ref);
      const after = this.#kept.get(replicaSet.ref);
      if (!before || !after) return [];
      const at = replicaSet.createdAt;
      const by = write && Math.abs(write.at - at) <= sameEditMs ? write.by : undefined;
      return templateDifferences(before.template, after.template).map((difference) => ({
        ref: deployment,
        ...difference,
        at,
        certain: true,
        ...given({ by }),
      }));
    });
  }
}

/**
 * The last edit of an object met for the first time, where its present state shows one: a StatefulSet or DaemonSet that is
 * rolling out, a ConfigMap written after it was made. A Deployment's is told by its ReplicaSets. A network policy works from
 * when it is made.
 */
function afterFact(view: Projection, raw: Fields, now: number): Change | undefined {
  const { ref } = view;
  const recent = (at: number): boolean => at > view.createdAt + 1000 && at > now - changeMemoryMs && at <= now;
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
    if (at <= now - changeMemoryMs || at > now) return undefined;
    return { ref, field, parts: [selectedBy(view)], at, certain: true, ...given({ by: authorOf(raw, write?.by) }) };
  }
  const rollingOut =
    (view.kind === 'StatefulSet' && view.revision !== view.currentRevision) ||
    (view.kind === 'DaemonSet' && view.updated < view.replicas);
  const write = rollingOut ? lastWrite(raw, 'f:spec', 'f:template') : undefined;
  if (!write || !recent(write.at)) return undefined;
  return { ref, field: 'template', at: write.at, certain: true, ...given({ by: authorOf(raw, write.by) }) };
}
