import { isDeepStrictEqual } from 'node:util';
import { shortHash } from '../model/hash.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';
import { changeMemoryMs, createChangeLog } from './changes.ts';
import { faceToDependents, faceToOwners, judgedBy } from './faces.ts';
import { type Fields, textOf } from './fields.ts';
import { createPool } from './intern.ts';
import { kinds } from './kinds.ts';
import { createLosses, lostAt } from './losses.ts';
import { createNoteBook, facetInApi } from './notes.ts';
import { createPodStore } from './pods.ts';
import type { NodeView, PodTemplate, PodView, Projection, WorkloadView } from './projection.ts';
import type { LinkType, WritableWorld } from './world.ts';

/** Every kind but Pods: few enough to be kept as their views. */
type OtherView = Exclude<Projection, PodView>;

/** Owners are followed this far, by the depth of real chains (custom resource, Deployment, ReplicaSet, Pod). */
const maxOwnerDepth = 6;
const noLabels: Labels = {};
const templatePoolCapacity = 20_000;

/** Builds a world in which nothing has been seen: every object is unknown. */
export function createWorld(): WritableWorld {
  const pods = createPodStore();
  const others = new Map<string, Map<Ref, OtherView>>();
  const children = new Map<Ref, Set<Ref>>();
  const notes = createNoteBook();
  const log = createChangeLog();
  const losses = createLosses();
  const templates = createPool<PodTemplate>(templatePoolCapacity);
  const synced = new Set<string>();
  const blind = new Set<string>();
  /** Seen to go before their kind was synced: known to be absent although others may not be. */
  const goneEarly = new Set<Ref>();
  let clock = 0;

  const held = (ref: Ref): Projection | undefined =>
    kindOf(ref) === 'Pod' ? pods.get(ref) : others.get(kindOf(ref))?.get(ref);
  const ownerOf = (ref: Ref): Ref | undefined =>
    kindOf(ref) === 'Pod' ? pods.record(ref)?.siblings.owner : others.get(kindOf(ref))?.get(ref)?.owner;

  function get(ref: Ref): Projection | 'absent' | 'unknown' {
    const kind = kindOf(ref);
    if (blind.has(kind)) return 'unknown';
    return held(ref) ?? (synced.has(kind) || goneEarly.has(ref) ? 'absent' : 'unknown');
  }

  function* childrenOf(owner: Ref): Iterable<Ref> {
    yield* pods.ownedBy(owner);
    yield* children.get(owner) ?? [];
  }

  /** All that an object owns, through owners in between. */
  function* descendantsOf(owner: Ref, depth = maxOwnerDepth): Iterable<Ref> {
    for (const child of childrenOf(owner)) {
      yield child;
      if (depth > 1) yield* descendantsOf(child, depth - 1);
    }
  }

  function* ownersOf(ref: Ref): Iterable<Ref> {
    let owner = ownerOf(ref);
    for (let depth = 0; owner !== undefined && depth < maxOwnerDepth; depth++) {
      yield owner;
      owner = ownerOf(owner);
    }
  }

  function topOwner(ref: Ref): Ref {
    let top = ref;
    for (const owner of ownersOf(ref)) top = owner;
    return top;
  }

  /** Who is judged by an object, for what of it differs. */
  function* concerned(before: Projection | undefined, after: Projection | undefined): Iterable<Ref> {
    const view = after ?? before;
    if (!view) return;
    yield view.ref;
    // A controller may release a Pod and another adopt it.
    const owners = [...new Set([before?.owner, after?.owner])].filter((owner) => owner !== undefined);
    if (view.kind === 'Pod') {
      if (owners.length < 2 && faceToOwners(before) === faceToOwners(after)) return;
      for (const owner of owners) yield* [owner, ...ownersOf(owner)];
      return;
    }
    if (view.kind === 'ReplicaSet') yield* owners;
    if (faceToDependents(before) === faceToDependents(after)) return;
    if (view.kind === 'Node') {
      for (const pod of pods.onNode(nameOf(view.ref))) {
        yield pod;
        yield* ownersOf(pod);
      }
      return;
    }
    // Which of its ReplicaSets is the newest matters to the Pods of all.
    const top = view.kind === 'ReplicaSet' ? topOwner(view.ref) : view.ref;
    yield* descendantsOf(top);
    if (!after) yield* descendantsOf(view.ref);
  }

  function noteLoss(before: PodView | undefined, after: PodView | undefined, now: number): void {
    const pod = after ?? before;
    const going = pod && (!after || (after.deletionAt !== undefined && before?.deletionAt === undefined));
    if (!going || pod.node === undefined || pod.owner === undefined) return;
    const node = get(refOf('Node', '', pod.node));
    const at = lostAt(pod, node === 'absent' || node === 'unknown' ? node : asNode(node), now);
    if (at !== undefined) losses.note(pod.owner, { node: pod.node, uid: pod.uid, at });
  }

  function remove(ref: Ref, now: number, dirty: Set<Ref>): void {
    const before = held(ref);
    if (!before) return;
    const touched = [...concerned(before, undefined)];
    if (before.kind === 'Pod') {
      noteLoss(before, undefined, now);
      pods.remove(ref);
    } else {
      others.get(before.kind)?.delete(ref);
      const siblings = before.owner === undefined ? undefined : children.get(before.owner);
      siblings?.delete(ref);
      if (before.owner !== undefined && siblings?.size === 0) children.delete(before.owner);
    }
    if (!synced.has(before.kind)) goneEarly.add(ref);
    notes.drop(ref);
    log.drop(ref);
    for (const touchedRef of touched) dirty.add(touchedRef);
  }

  function put(view: Projection, raw: Fields, now: number, dirty: Set<Ref>): void {
    const known = held(view.ref);
    goneEarly.delete(view.ref);
    if (known && known.uid !== view.uid) remove(view.ref, now, dirty);
    const before = known?.uid === view.uid ? known : undefined;
    const touched = before ? [...concerned(before, view)] : [];
    if (view.kind === 'Pod') {
      if (!pods.put(view)) return;
      noteLoss(before?.kind === 'Pod' ? before : undefined, view, now);
    } else {
      const lean = 'template' in view ? { ...view, template: shared(view.template) } : view;
      if (before && isDeepStrictEqual(before, lean)) return;
      store(lean, before);
      log.note(before, lean, raw, now);
    }
    notes.note(before, view, now);
    for (const ref of touched) dirty.add(ref);
    for (const ref of concerned(before, view)) dirty.add(ref);
  }

  function shared(template: PodTemplate): PodTemplate {
    return templates(shortHash([JSON.stringify(template)]), () => template);
  }

  function store(view: OtherView, before: Projection | undefined): void {
    const ofKind = others.get(view.kind) ?? new Map<Ref, OtherView>();
    others.set(view.kind, ofKind.set(view.ref, view));
    if (before?.owner !== undefined && before.owner !== view.owner) children.get(before.owner)?.delete(view.ref);
    if (view.owner === undefined) return;
    const siblings = children.get(view.owner);
    if (siblings) siblings.add(view.ref);
    else children.set(view.owner, new Set([view.ref]));
  }

  function* linked(ref: Ref, type: LinkType, way: 'out' | 'in'): Iterable<Ref> {
    const record = kindOf(ref) === 'Pod' ? pods.record(ref) : undefined;
    switch (type) {
      case 'owned-by': {
        if (way === 'in') return yield* childrenOf(ref);
        const owner = ownerOf(ref);
        if (owner !== undefined) yield owner;
        return;
      }
      case 'runs-on':
        if (way === 'in') yield* kindOf(ref) === 'Node' ? pods.onNode(nameOf(ref)) : [];
        else if (record?.node !== undefined) yield refOf('Node', '', record.node);
        return;
      case 'uses':
      case 'mounts':
      case 'pulls':
        if (way === 'in') yield* pods.referring(ref, type);
        else if (record) yield* pods.references(record, type);
        return;
      case 'replaces':
        if (way === 'out') return yield* replacedBy(ref);
        for (const owner of losses.ownersOn(nameOf(ref)))
          for (const pod of pods.ownedBy(owner)) if ([...replacedBy(pod)].includes(ref)) yield pod;
        return;
      // Selectors, backends and the like have no source yet.
      case 'selects':
      case 'routes-to':
      case 'scales':
      case 'guards':
      case 'admits':
      case 'served-by':
      case 'managed-by':
      case 'part-of':
        return;
    }
  }

  function replacedBy(ref: Ref): Ref[] {
    const record = pods.record(ref);
    if (!record) return [];
    const { uid, createdAt, siblings } = record;
    const nodes = losses.replacedBy({ owner: siblings.owner, uid, createdAt: createdAt * 1000 });
    return nodes.map((node) => refOf('Node', '', node));
  }

  function refsOf(kind: string): Iterable<Ref> {
    return kind === 'Pod' ? Iterator.from(pods.records()).map(({ ref }) => ref) : (others.get(kind)?.keys() ?? []);
  }

  return {
    get,
    *all(kind) {
      if (kind === 'Pod') for (const { ref } of pods.records()) yield* asList(pods.get(ref));
      else yield* others.get(kind)?.values() ?? [];
    },
    count: (kind) => (kind === 'Pod' ? pods.size : (others.get(kind)?.size ?? 0)),
    sees: (kind) => synced.has(kind) && !blind.has(kind),
    linked: (ref, type, way, limit = Number.POSITIVE_INFINITY) => {
      const links = Iterator.from(linked(ref, type, way));
      return limit === Number.POSITIVE_INFINITY ? links : links.take(limit);
    },
    changes(ref, afterMs) {
      const changes = kindOf(ref) === 'Deployment' ? log.ofRevisions(ref, replicaSetsOf(ref)) : log.seen(ref);
      return changes.filter(({ at }) => at > afterMs && at > clock - changeMemoryMs);
    },
    since(ref, facet) {
      const view = held(ref);
      return (view && facetInApi(view, facet)) ?? notes.facet(ref, facet) ?? clock;
    },
    topOwner,
    labelsOf: (ref) => pods.record(ref)?.labels ?? others.get(kindOf(ref))?.get(ref)?.labels ?? noLabels,
    subject(ref) {
      const kind = kindOf(ref);
      const node = kind === 'Node' ? nameOf(ref) : pods.record(ref)?.node;
      const labels = pods.record(ref)?.labels ?? others.get(kind)?.get(ref)?.labels ?? noLabels;
      return node === undefined ? { ref, labels } : { ref, labels, node };
    },
    restartsAfter(ref, container, afterMs) {
      const pod = pods.get(ref);
      return pod ? notes.restartsAfter(pod, container, afterMs) : 0;
    },
    pullError: notes.pullError,
    apply(source, events, now) {
      clock = Math.max(clock, now);
      const row = kinds.find((entry) => entry.source === source);
      const dirty = new Set<Ref>();
      if (!row) return dirty;
      for (const { is, raw } of events) {
        const { namespace, name, uid } = raw.metadata;
        const ref = refOf(row.kind, namespace, name);
        if (is === 'put') put(row.project(raw), raw, now, dirty);
        // The deletion of an object that has been made anew since is old news.
        else if (uid === undefined || held(ref)?.uid === uid) remove(ref, now, dirty);
      }
      return dirty;
    },
    see({ kind, state }, now) {
      clock = Math.max(clock, now);
      const before = [synced.has(kind), blind.has(kind)];
      if (state === 'Watching') {
        synced.add(kind);
        for (const ref of goneEarly) if (kindOf(ref) === kind) goneEarly.delete(ref);
      }
      if (state === 'Denied' || state === 'NotServed' || state === 'Disabled') {
        synced.delete(kind);
        blind.add(kind);
      } else blind.delete(kind);
      const dirty = new Set<Ref>();
      if (before[0] === synced.has(kind) && before[1] === blind.has(kind)) return dirty;
      const row = kinds.find((entry) => entry.kind === kind);
      if (!row) return dirty;
      for (const concernedKind of [row.kind, ...judgedBy[row.kind]])
        for (const ref of refsOf(concernedKind)) dirty.add(ref);
      return dirty;
    },
    expire(now) {
      clock = Math.max(clock, now);
      notes.expire(now);
      log.expire(now);
      losses.expire(now);
    },
    *keys(kind) {
      for (const ref of refsOf(kind)) {
        const namespace = namespaceOf(ref);
        const uid = uidOf(ref) ?? '';
        yield namespace === '' ? { name: nameOf(ref), uid } : { namespace, name: nameOf(ref), uid };
      }
    },
    uidOf,
    apiVersionOf: (ref) => kinds.find(({ kind }) => kind === kindOf(ref))?.apiVersion,
  };

  function uidOf(ref: Ref): string | undefined {
    return textOf(pods.record(ref)?.uid ?? others.get(kindOf(ref))?.get(ref)?.uid);
  }

  function replicaSetsOf(deployment: Ref): WorkloadView[] {
    const replicaSets = others.get('ReplicaSet');
    return [...(children.get(deployment) ?? [])].flatMap((ref) => asList(asWorkload(replicaSets?.get(ref))));
  }
}

function asList<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function asWorkload(view: OtherView | undefined): WorkloadView | undefined {
  return view && 'replicas' in view ? view : undefined;
}

function asNode(view: Projection): NodeView | 'unknown' {
  return view.kind === 'Node' ? view : 'unknown';
}
