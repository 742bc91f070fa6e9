import { templateFields } from '../../model/change-field.ts';
import { numberHash } from '../../model/hash.ts';
import type { NotedMap } from '../../model/noted-map.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { editedOf, settingsKinds } from '../../model/settings-kinds.ts';
import { fits, flag, listOf, number, record, ref, text, word } from '../../model/shape.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { WorkloadView } from '../kinds/workloads/workload.ts';
import { Recent } from '../memory/recent.ts';
import { accessKinds } from '../reading/access-kinds.ts';
import { authorOf } from '../reading/author.ts';
import { type Fields, fieldsOf, given } from '../reading/fields.ts';
import { lastWrite, type Write } from '../reading/meta.ts';
import { TemplateFingerprints, templateDifferences } from '../reading/template-fingerprint.ts';
import type { Change } from '../view/world.ts';
import { type AccessView, editsOfAccess, granted, grantedBy, isAccess } from './access-edits.ts';
import { editsOf, type Kept, labelsEdited } from './edits.ts';
import { editAtFirstSight } from './first-sight.ts';

/** How long changes are kept; causes are sought 30 minutes back, and a fault may be judged some time after it began. */
const changeMemoryMs = 60 * 60_000;
/**
 * What is read at the next start only may bring it about long after it was edited, overnight or at the next drain: labels of Nodes when
 * a Pod is placed, those of a namespace when one is made, settings when a program starts, as whom it runs when its Pod is made. Who asks a Service for a
 * port that it no longer has may do so once a day.
 */
const dayMs = 24 * 60 * 60_000;
/** What is edited of roles and bindings; who asks for a right only as it starts misses it at its next one. */
const accessFields = ['rules', 'labels', 'subjects', 'roleRef', 'deletion'] as const;
const memories: readonly { readonly kind: string; readonly field: Change['field']; readonly ms: number }[] = [
  { kind: 'Node', field: 'labels', ms: dayMs },
  ...settingsKinds.map((kind) => ({ kind, field: 'data', ms: dayMs }) as const),
  { kind: 'Namespace', field: 'labels', ms: dayMs },
  { kind: 'Service', field: 'servicePorts', ms: dayMs },
  { kind: 'ServiceAccount', field: 'identity', ms: dayMs },
  { kind: 'Secret', field: 'deletion', ms: dayMs },
  ...accessKinds.flatMap((kind) => accessFields.map((field) => ({ kind, field, ms: dayMs }))),
];
const maxChanges = 20;
/** Nobody has come to rely on what was there for less than this (ms): pipelines make a role or binding for each of their runs. */
const reliedOnMs = 10 * 60_000;

/** How long an edit is kept (ms). */
export const memoryOf = ({ ref, field }: Pick<Change, 'ref' | 'field'>): number =>
  memories.find((memory) => memory.field === field && memory.kind === kindOf(ref))?.ms ?? changeMemoryMs;

const ofTemplate: ReadonlySet<Change['field']> = new Set(templateFields);

/** How far apart the records of one edit can lie: the controller makes the ReplicaSet within moments. */
const sameEditMs = 60_000;

/** What a workload that rolls out tells at first sight: that its template was edited, and not where. */
const isVague = ({ field, container, parts }: Change): boolean =>
  field === 'template' && container === undefined && parts === undefined;

const isOfTemplate = ({ field }: Change): boolean => ofTemplate.has(field);

/** Whether an object is a Secret with a certificate (core/v1 `kubernetes.io/tls`). */
const isCertificate = (view: Projection): boolean =>
  view.kind === 'SecretMetadata' && (view.keys?.includes('tls.crt') ?? false);

function isSameEdit(a: Change, b: Change): boolean {
  const isTold = (isVague(a) && isOfTemplate(b)) || (isVague(b) && isOfTemplate(a));
  if (isTold && Math.abs(a.at - b.at) <= sameEditMs) return true;
  return (
    a.field === b.field &&
    a.container === b.container &&
    // What revisions tell of an edit has no words.
    (a.from === b.from || a.from === undefined || b.from === undefined) &&
    (a.to === b.to || a.to === undefined || b.to === undefined) &&
    Math.abs(a.at - b.at) <= sameEditMs
  );
}

/** Whether something remembered is the edits of one object. */
export const areChanges = fits(
  listOf(
    record<Change>(
      { ref, field: word(), at: number, certain: flag },
      { container: text, parts: listOf(text), by: text, from: text, to: text, was: granted },
    ),
  ),
);

/** Recent edits, and the traits of templates that tell them. */
export class ChangeLog {
  readonly #log = new Recent<Change>({ ofOne: maxChanges, objects: Number.POSITIVE_INFINITY });
  readonly #fingerprints = new TemplateFingerprints();
  readonly #kept = new Map<Ref, Kept>();
  readonly #writes = new Map<Ref, Write>();

  /** Compares an object with what was kept of it (`undefined` at first sight). */
  note(before: Projection | undefined, after: Projection, raw: Fields, now: number): void {
    const ref = editedOf(after.ref);
    const was = this.#kept.get(ref);
    const is = 'replicas' in after && this.#tellsEdits(after, now) ? this.#keep(after, raw) : undefined;
    if (!before) {
      if (isAccess(after)) this.#madeAnew(after, raw);
      else this.#withoutNamesake(after);
      const change = editAtFirstSight(after, raw, now - changeMemoryMs, now);
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
  #withoutNamesake({ ref: told, createdAt }: Projection): void {
    const ref = editedOf(told);
    const seen = this.seen(ref);
    const own = seen.filter(({ at }) => at >= createdAt);
    if (own.length === seen.length) return;
    if (own.length === 0) this.#log.delete(ref);
    else this.#log.set(ref, own);
  }

  /** The role of a binding cannot be edited: who wants another one deletes the binding and makes it anew. */
  #madeAnew(after: AccessView, raw: Fields): void {
    const last = this.seen(after.ref).at(-1);
    if (last?.field !== 'deletion' || last.was === undefined) return;
    const [edit] = editsOfAccess(last.was, after);
    if (edit === undefined) return;
    const { path, ...difference } = edit;
    const by = authorOf(raw, lastWrite(raw, ...path)?.by);
    this.#log.set(after.ref, [...this.seen(after.ref).slice(0, -1), { ...last, ...difference, ...given({ by }) }]);
  }

  #add(change: Change): void {
    const { ref } = change;
    this.#log.set(ref, [...this.seen(ref), change].sort((a, b) => a.at - b.at).slice(-maxChanges));
  }

  /**
   * An object is gone. That a certificate is, and what a role or binding granted until then, is remembered; `isAlone`: its namespace does not go
   * with it.
   */
  gone(view: Projection, isAlone: boolean, now: number): void {
    const ref = editedOf(view.ref);
    const isMissed = isAlone && now - view.createdAt >= reliedOnMs && (isAccess(view) || isCertificate(view));
    if (isMissed) {
      const was = isAccess(view) ? grantedBy(view) : undefined;
      this.#add({ ref, field: 'deletion', at: now, certain: true, ...given({ was }) });
    } else this.#log.delete(ref);
    this.#kept.delete(ref);
    this.#writes.delete(ref);
  }

  seen(ref: Ref): readonly Change[] {
    return this.#log.of(ref);
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
    this.#log.keep((change) => change.at > now - memoryOf(change));
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
        // The controller gives a ReplicaSet the labels of the template that it makes it for.
        ...(difference.field === 'metadata' && labelsEdited(previous.labels, replicaSet.labels)),
        at,
        certain: true,
        ...given({ by }),
      }));
    });
  }
}
