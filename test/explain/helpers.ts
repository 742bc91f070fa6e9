import { type Explained, Explainer } from '../../src/explain/explainer.ts';
import type { ChangeField } from '../../src/model/change-field.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import { type Finding, findingKey } from '../../src/model/finding.ts';
import type { Reason } from '../../src/model/reason.ts';
import { kindOf, namespaceOf, type Ref, refOf } from '../../src/model/ref.ts';
import type { Override } from '../../src/model/settings.ts';
import type { NodeView } from '../../src/world/kinds/cluster/node.ts';
import { type Projection, watchedKinds } from '../../src/world/kinds/kinds.ts';
import type { PodView } from '../../src/world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../src/world/kinds/workloads/workload.ts';
import type { LinkType } from '../../src/world/reading/link-type.ts';
import type { PodTemplate } from '../../src/world/reading/pod-template.ts';
import type { Change, World } from '../../src/world/view/world.ts';

/** Times in tests are seconds after this instant. */
const start = Date.parse('2026-11-20T08:00:00Z');
export const at = (seconds: number): number => start + seconds * 1000;

type PodOptions = Partial<Omit<PodView, 'template' | 'createdAt'>> & {
  owner?: Ref;
  node?: string;
  ready?: boolean;
  /** When it was made: an hour before unless said otherwise. */
  created?: number;
  /** Since when it is ready, or not. */
  readySince?: number;
  template?: Partial<PodTemplate>;
};
type FindingOptions = Partial<Omit<Finding, 'subject' | 'reason' | 'since'>> & { since?: number };
type NamedPath = `${string}/${string}`;

const template: PodTemplate = {
  containers: [],
  restartPolicy: 'Always',
  secrets: [],
  configMaps: [],
  claims: [],
  serviceAccount: 'default',
  nodeSelector: {},
};

/**
 * A cluster of hand-made views and findings, with the links that the real world computes from objects. What is put in is
 * noted as changed until the next `explain`.
 */
export function cluster() {
  const objects = new Map<Ref, Projection>();
  const findings = new Map<Ref, Map<string, Finding>>();
  const links = new Map<string, Ref[]>();
  const changes: Change[] = [];
  const hidden = new Set<string>();
  let dirty = new Set<Ref>();

  const meta = (ref: Ref) => ({ ref, uid: ref, labels: {}, createdAt: at(-3600), generation: 1 });
  const ownerOf = (ref: Ref): Ref | undefined => objects.get(ref)?.owner;
  /** As the world says whom a change concerns: an object and its owners. */
  function note(ref: Ref): void {
    for (let at: Ref | undefined = ref; at !== undefined; at = ownerOf(at)) dirty.add(at);
  }
  function put<T extends Projection>(view: T): T {
    objects.set(view.ref, view);
    note(view.ref);
    return view;
  }

  function* linked(ref: Ref, type: LinkType, way: 'out' | 'in'): Iterable<Ref> {
    const view = objects.get(ref);
    if (type === 'owned-by') {
      if (way === 'out') yield* view?.owner ? [view.owner] : [];
      else for (const other of objects.values()) if (other.owner === ref) yield other.ref;
    } else if (type === 'runs-on') {
      if (way === 'out' && view?.kind === 'Pod' && view.node !== undefined) yield refOf('Node', '', view.node);
      if (way === 'in')
        for (const pod of objects.values())
          if (pod.kind === 'Pod' && pod.node !== undefined && refOf('Node', '', pod.node) === ref) yield pod.ref;
    } else if (way === 'out') yield* links.get(`${ref} ${type}`) ?? [];
    else
      for (const [from, to] of links)
        if (from.endsWith(` ${type}`) && to.includes(ref)) yield from.slice(0, -type.length - 1) as Ref;
  }

  let revision = 0;
  const world: World = {
    // Tests change it in many ways: nothing is taken for unchanged.
    get revision() {
      revision += 1;
      return revision;
    },
    get kindsInSight() {
      return new Set(watchedKinds.map(({ kind }) => kind).filter((kind) => !hidden.has(kind)));
    },
    get: (ref) => objects.get(ref) ?? (hidden.has(kindOf(ref)) ? 'unknown' : 'absent'),
    lastWords: () => undefined,
    lastLine: () => undefined,
    *all(kind) {
      for (const view of objects.values()) if (view.kind === kind) yield view;
    },
    count: (kind) => [...objects.values()].filter((view) => view.kind === kind).length,
    linked: (ref, type, way, limit = Number.POSITIVE_INFINITY) => [...linked(ref, type, way)].slice(0, limit),
    editedCustom: () => [],
    editedAccess: () => [],
    changes: (ref, afterMs) => changes.filter((change) => change.ref === ref && change.at > afterMs),
    since: () => 0,
    topOwner(ref) {
      const owner = ownerOf(ref);
      return owner === undefined ? ref : world.topOwner(owner);
    },
    labelsOf: (ref) => objects.get(ref)?.labels ?? {},
    *podsIn(namespace, limit) {
      let left = limit;
      for (const view of objects.values())
        if (view.kind === 'Pod' && namespaceOf(view.ref) === namespace && left-- > 0) yield view.ref;
    },
    signs: () => [],
    subject(ref) {
      const view = objects.get(ref);
      const labels = view?.labels ?? {};
      return view?.kind === 'Pod' && view.node !== undefined ? { ref, labels, node: view.node } : { ref, labels };
    },
  };
  const findingsOf = (ref: Ref): readonly Finding[] => [...(findings.get(ref)?.values() ?? [])];
  const source = {
    findings: findingsOf,
    *all() {
      for (const own of findings.values()) yield* own.values();
    },
  };
  let explainer = new Explainer(world, source);
  /** It is told each time that everything has changed. */
  const thorough = new Explainer(world, source);
  const known = new Set<Ref>();

  const self = {
    world,
    source,
    node(name: string, options: Partial<NodeView> = {}): Ref {
      const base = { kind: 'Node', unschedulable: false, taints: [], conditions: [], controlPlane: false } as const;
      return put({ ...meta(refOf('Node', '', name)), ...base, kubeletVersion: 'v1.36.3', ...options }).ref;
    },
    workload(kind: WorkloadView['kind'], path: NamedPath, options: Partial<WorkloadView> = {}): Ref {
      const replicas = options.replicas ?? 1;
      const counts = {
        observedGeneration: 1,
        replicas,
        created: replicas,
        ready: replicas,
        available: replicas,
        updated: replicas,
      };
      const base = { kind, conditions: [], paused: false, template } as const;
      return put({ ...meta(`${kind}/${path}`), ...counts, ...base, ...options }).ref;
    },
    /** A Deployment with a ReplicaSet per revision; the Pods are put by `pods`. */
    deployment(path: NamedPath, options: Partial<WorkloadView> & { revisions?: number } = {}): Ref {
      const { revisions = 1, ...rest } = options;
      const ref = self.workload('Deployment', path, rest);
      for (let revision = 1; revision <= revisions; revision += 1)
        self.workload('ReplicaSet', `${path}-r${revision}`, { owner: ref, revision: String(revision) });
      return ref;
    },
    pod(path: NamedPath, options: PodOptions = {}): Ref {
      const { ready = true, template: own, created = -3600, readySince = Math.max(0, created), ...rest } = options;
      const status = ready ? 'True' : 'False';
      const condition = { type: 'Ready', status, reason: '', message: '', since: at(readySince) } as const;
      const base = { kind: 'Pod', phase: 'Running', containers: [], mirror: false } as const;
      return put({
        ...meta(`Pod/${path}`),
        ...{ createdAt: at(created), startedAt: at(created) },
        ...base,
        conditions: [condition],
        template: { ...template, ...own },
        ...rest,
      }).ref;
    },
    /**
     * Pods `path-<first>` and on of one revision of a Deployment, one on each of the nodes in turn. Those of a later revision
     * than the first are new: made at 30.
     */
    pods(
      path: NamedPath,
      count: number,
      options: PodOptions & { revision?: number; first?: number; nodes?: string[] } = {},
    ) {
      const { revision = 1, first = 1, nodes = [], ...rest } = options;
      return Array.from({ length: count }, (_, index) => {
        const node = nodes[index % Math.max(1, nodes.length)];
        const where = node === undefined ? {} : { node };
        const made = revision > 1 ? { created: 30 } : {};
        const owner: Ref = `ReplicaSet/${path}-r${revision}`;
        return self.pod(`${path}-${first + index}`, { owner, ...made, ...where, ...rest });
      });
    },
    find(ref: Ref, reason: Reason, options: FindingOptions = {}): Finding {
      const { since = 0, ...rest } = options;
      const finding: Finding = {
        ...{ subject: world.subject(ref), reason, severity: 'high', conclusive: true, facts: {}, names: [] },
        ...rest,
        since: at(since),
      };
      const own = findings.get(ref) ?? new Map<string, Finding>();
      findings.set(ref, own.set(findingKey(finding), finding));
      dirty.add(ref);
      return finding;
    },
    /** A Pod becomes ready, or is so no more. */
    setReady(ref: Ref, ready: boolean, seconds: number): void {
      const view = objects.get(ref);
      if (view?.kind !== 'Pod') return;
      const status = ready ? 'True' : 'False';
      put({ ...view, conditions: [{ type: 'Ready', status, reason: '', message: '', since: at(seconds) }] });
    },
    clear(...refs: Ref[]): void {
      for (const ref of refs) {
        findings.delete(ref);
        dirty.add(ref);
      }
    },
    remove(ref: Ref): void {
      note(ref);
      objects.delete(ref);
      self.clear(ref);
    },
    link(from: Ref, type: LinkType, to: Ref): void {
      links.set(`${from} ${type}`, [...(links.get(`${from} ${type}`) ?? []), to]);
    },
    /** Nothing is linked so from an object any more. */
    unlink(from: Ref, type: LinkType): void {
      links.delete(`${from} ${type}`);
      dirty.add(from);
    },
    change(ref: Ref, field: ChangeField, seconds: number, more: Partial<Change> = {}): void {
      changes.push({ ref, field, at: at(seconds), certain: true, ...more });
      dirty.add(ref);
    },
    /** As the world forgets changes after their time. */
    forgetChanges(): void {
      changes.length = 0;
    },
    /** The kind is not watched any more, and nothing of it is held. */
    hide(kind: string): void {
      hidden.add(kind);
      for (const ref of objects.keys()) if (kindOf(ref) === kind) objects.delete(ref);
    },
    solve(seconds = 600, overrides: readonly Override[] = []): Explained {
      const changed = dirty;
      dirty = new Set();
      return explainer.explain(changed, at(seconds), overrides);
    },
    /** Another process goes on from what the last one explained. */
    restart(before: readonly Explanation[]): void {
      explainer = new Explainer(world, source);
      explainer.restore(before, {});
    },
    /** The same as `explain`, with every object and finding looked at anew; to be asked for as often as `explain` is. */
    explainAnew(seconds = 600): readonly Explanation[] {
      for (const ref of [...objects.keys(), ...findings.keys(), ...dirty]) known.add(ref);
      return thorough.explain(known, at(seconds), []).explanations;
    },
    explain: (seconds = 600, overrides: readonly Override[] = []): readonly Explanation[] =>
      self.solve(seconds, overrides).explanations,
  };
  return self;
}

/** Every explanation in short: `Deployment/shop/api CrashLoopBackOff 5`, the number being its findings, and what `more` adds. */
export function inShort(
  explanations: readonly Explanation[],
  more: (explanation: Explanation) => string = () => '',
): string[] {
  return explanations
    .map((explanation) => {
      const { root, reason, members } = explanation;
      return `${root.ref} ${reason} ${members.length}${more(explanation)}`;
    })
    .sort();
}
