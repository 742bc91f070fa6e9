import { isDeepStrictEqual } from 'node:util';
import type { ObjectEvent } from '../model/raw-object.ts';
import { kindOf, nameOf, namespaceOf, qualifiedKind, type Ref, refOf } from '../model/ref.ts';
import { apiVersionOf } from '../model/resource.ts';
import { changeMemoryMs, createChangeLog } from './changes.ts';
import { concerned } from './concerned.ts';
import type { Fields } from './fields.ts';
import { createPool } from './intern.ts';
import type { PodView } from './kinds/pod.ts';
import type { WorkloadView } from './kinds/workload.ts';
import { type Projection, watchedKind, watchedKinds, watchedSource } from './kinds.ts';
import { createLinks } from './links.ts';
import { createLosses, lostAt } from './losses.ts';
import { createObjects, type OtherView } from './objects.ts';
import { createObservationStore, facetInApi } from './observations.ts';
import type { PodTemplate } from './pod-template.ts';
import { isSame } from './same.ts';
import { createSyncState } from './sync-state.ts';
import type { WritableWorld } from './world.ts';

const templatePoolCapacity = 20_000;

/** Builds a world in which nothing has been seen: every object is unknown. */
export function createWorld(): WritableWorld {
  const objects = createObjects();
  const sight = createSyncState();
  const notes = createObservationStore();
  const log = createChangeLog();
  const losses = createLosses();
  const links = createLinks(objects, losses);
  const templates = createPool<PodTemplate>(templatePoolCapacity);
  /** The latest time that was told. */
  let clock = 0;

  function get(ref: Ref): Projection | 'absent' | 'unknown' {
    if (sight.isBlind(kindOf(ref))) return 'unknown';
    return objects.get(ref) ?? (sight.isAbsent(ref) ? 'absent' : 'unknown');
  }

  /** A Pod that goes, and whether it was lost with or through its Node. */
  function noteLoss(before: PodView | undefined, after: PodView | undefined, now: number): void {
    const pod = after ?? before;
    const going = pod && (!after || (after.deletionAt !== undefined && before?.deletionAt === undefined));
    if (!going || pod.node === undefined || pod.owner === undefined) return;
    const at = lostAt(pod, get(refOf('Node', '', pod.node)), now);
    if (at !== undefined) losses.note(pod.owner, { node: pod.node, uid: pod.uid, at });
  }

  function remove(ref: Ref, now: number, dirty: Set<Ref> | undefined): void {
    const before = objects.get(ref);
    if (!before) return;
    if (dirty) for (const touched of concerned(objects, before, undefined)) dirty.add(touched);
    if (before.kind === 'Pod') noteLoss(before, undefined, now);
    objects.remove(before);
    sight.sawGo(ref);
    notes.drop(ref);
    log.drop(ref);
  }

  function put(view: Projection, raw: Fields, now: number, dirty: Set<Ref> | undefined): void {
    const known = objects.get(view.ref);
    if (known && known.uid !== view.uid) remove(view.ref, now, dirty);
    const before = known?.uid === view.uid ? known : undefined;
    sight.sawCome(view.ref);
    const touched = dirty ? [...concerned(objects, before, view)] : [];
    const isNews = view.kind === 'Pod' ? putPod(before, view, now) : putOther(before, view, raw, now);
    if (!isNews) return;
    notes.note(before, view, now);
    if (dirty) for (const ref of [...touched, ...concerned(objects, before, view)]) dirty.add(ref);
  }

  function putPod(before: Projection | undefined, view: PodView, now: number): boolean {
    if (!objects.putPod(view)) return false;
    noteLoss(before?.kind === 'Pod' ? before : undefined, view, now);
    return true;
  }

  function putOther(before: Projection | undefined, view: OtherView, raw: Fields, now: number): boolean {
    if (before && isDeepStrictEqual(before, view)) return false;
    objects.putOther('template' in view ? { ...view, template: shared(view.template) } : view);
    log.note(before, view, raw, now);
    return true;
  }

  /** One template for a Deployment and its newest ReplicaSet. */
  function shared(template: PodTemplate): PodTemplate {
    const images = template.containers.map(({ image }) => image).join();
    const known = templates(images, () => template);
    return isSame(known, template) ? known : template;
  }

  function replicaSetsOf(deployment: Ref): WorkloadView[] {
    return [...objects.childrenOf(deployment)].flatMap((ref) => {
      const child = kindOf(ref) === 'ReplicaSet' ? objects.get(ref) : undefined;
      return child && 'replicas' in child ? [child] : [];
    });
  }

  /** `dirty` collects whom it concerns, if anybody asks. */
  function takeIn(source: string, events: readonly ObjectEvent[], now: number, dirty: Set<Ref> | undefined): void {
    clock = Math.max(clock, now);
    const row = watchedSource(source);
    if (!row) return;
    for (const { is, raw } of events) {
      if (is === 'put') {
        put(row.project(raw), raw, now, dirty);
        continue;
      }
      const { namespace, name, uid } = raw.metadata;
      const ref = refOf(qualifiedKind(row.group, row.kind), namespace, name);
      // The deletion of an object that has been made anew since is old news.
      if (uid === undefined || objects.uidOf(ref) === uid) remove(ref, now, dirty);
    }
  }

  return {
    get,
    all: objects.of,
    count: objects.count,
    sees: sight.sees,
    linked: (ref, type, way, limit = Number.POSITIVE_INFINITY) => {
      const linked = Iterator.from(links(ref, type, way));
      return limit === Number.POSITIVE_INFINITY ? linked : linked.take(limit);
    },
    changes(ref, afterMs) {
      const changes = kindOf(ref) === 'Deployment' ? log.ofRevisions(ref, replicaSetsOf(ref)) : log.seen(ref);
      return changes.filter(({ at }) => at > afterMs && at > clock - changeMemoryMs);
    },
    since(ref, facet) {
      const view = objects.get(ref);
      return (view && facetInApi(view, facet)) ?? notes.facet(ref, facet) ?? clock;
    },
    topOwner: (ref) => [...objects.ownersOf(ref)].at(-1) ?? ref,
    labelsOf: objects.labelsOf,
    subject(ref) {
      const node = kindOf(ref) === 'Node' ? nameOf(ref) : objects.pods.record(ref)?.node;
      const labels = objects.labelsOf(ref);
      return node === undefined ? { ref, labels } : { ref, labels, node };
    },
    restartsAfter(ref, container, afterMs) {
      const pod = objects.pods.get(ref);
      return pod ? notes.restartsAfter(pod, container, afterMs) : 0;
    },
    pullError: notes.pullError,
    apply(source, events, now) {
      const dirty = new Set<Ref>();
      takeIn(source, events, now, dirty);
      return dirty;
    },
    load: (source, events, now) => takeIn(source, events, now, undefined),
    *everything() {
      for (const { group, kind } of watchedKinds) yield* objects.refs(qualifiedKind(group, kind));
    },
    see(coverage, now) {
      clock = Math.max(clock, now);
      const dirty = new Set<Ref>();
      const row = watchedSource(coverage.source);
      const kind = row ? qualifiedKind(row.group, row.kind) : coverage.kind;
      if (!sight.take(kind, coverage.state)) return dirty;
      for (const each of [kind, ...(row?.judgedBy ?? [])]) for (const ref of objects.refs(each)) dirty.add(ref);
      return dirty;
    },
    expire(now) {
      clock = Math.max(clock, now);
      notes.expire(now);
      log.expire(now);
      losses.expire(now);
    },
    *keys(kind) {
      for (const ref of objects.refs(kind)) {
        const key = { name: nameOf(ref), uid: objects.uidOf(ref) ?? '' };
        const namespace = namespaceOf(ref);
        yield namespace === '' ? key : { namespace, ...key };
      }
    },
    uidOf: objects.uidOf,
    apiVersionOf(ref) {
      const row = watchedKind(kindOf(ref));
      return row && apiVersionOf(row, row.versions[0]);
    },
  };
}
