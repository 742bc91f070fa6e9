import type { ExplanationPart } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { type Severity, worse } from '../../model/severity.ts';
import type { Labels, Subject } from '../../model/subject.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { World } from '../../world/view/world.ts';
import { compareReason, namingReason, seenOf } from '../evidence/families.ts';
import { compareRefs } from '../evidence/ref-order.ts';
import { isWorkload, workloadView } from '../evidence/workload.ts';

/** Findings of one workload with one reason, by their keys. A bundle is one; a list that stays the same object says the same. */
export type Slice = { readonly workload: Ref; readonly members: readonly Finding[] };

/** What one workload has in an explanation. */
export type Share = {
  readonly workload: Ref;
  /** Of one that keeps replicas and is seen. */
  readonly view: WorkloadView | undefined;
  /** Others depend on it: it is the cause of what is hit, never a workload that is. */
  readonly isUsed: boolean;
  readonly part: ExplanationPart;
  /** Its distinct objects with a finding. */
  readonly subjects: readonly Subject[];
  /** The workload itself is one of them. */
  readonly isItself: boolean;
};

type Known = { readonly slices: readonly Slice[]; readonly labels: Labels; readonly share: Share };

/** The shares of workloads as they were last reckoned: most are the same from solve to solve. */
export class Shares {
  readonly #world: World;
  /** By the findings of a share's first slice. */
  readonly #known = new WeakMap<readonly Finding[], Known>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The share of one workload; its slices in order (`inOrder`), at least one. */
  of(slices: readonly Slice[]): Share | undefined {
    const [first] = slices;
    if (first === undefined) return undefined;
    const { workload } = first;
    const view = workloadView(this.#world, workload);
    const labels = view?.labels ?? this.#world.labelsOf(workload);
    const known = this.#known.get(first.members);
    if (known && known.share.view === view && known.labels === labels && isSame(known.slices, slices))
      return known.share;
    const share = this.#reckon(workload, view, slices);
    if (share) this.#known.set(first.members, { slices, labels, share });
    return share;
  }

  #reckon(workload: Ref, view: WorkloadView | undefined, slices: readonly Slice[]): Share | undefined {
    const members = slices.length === 1 && slices[0] ? slices[0].members : slices.flatMap((slice) => slice.members);
    const reason = namingReason(members);
    if (reason === undefined) return undefined;
    const severity = seenOf(members).reduce<Severity>((worst, finding) => worse(worst, finding.severity), 'low');
    const subjects = new Map(members.map(({ subject }) => [subject.ref, subject]));
    return {
      ...{ workload, view, isUsed: !isWorkload(kindOf(workload)) },
      part: { root: this.#world.subject(workload), reason, severity, members },
      subjects: [...subjects.values()],
      isItself: subjects.has(workload),
    };
  }
}

function isSame(a: readonly Slice[], b: readonly Slice[]): boolean {
  return a.length === b.length && a.every(({ members }, index) => members === b[index]?.members);
}

/** Slices of findings that came to a group one by one. */
export function slicesOf(findings: readonly Finding[], owner: (ref: Ref) => Ref): Slice[] {
  const byWorkload = Map.groupBy(findings, ({ subject, reason }) => `${owner(subject.ref)}|${reason}`);
  return [...byWorkload.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ workload: owner(first.subject.ref), members: own }];
  });
}

/** Slices in the order people read them: by what they tell, then by workload, then by object. */
export function inOrder(slices: readonly Slice[]): Slice[] {
  return [...slices].sort((a, b) => {
    const [x, y] = [a.members[0], b.members[0]];
    if (x === undefined || y === undefined) return 0;
    return (
      compareReason(x.reason, y.reason) ||
      compareRefs(a.workload, b.workload) ||
      compareRefs(x.subject.ref, y.subject.ref) ||
      ((x.scope ?? '') < (y.scope ?? '') ? -1 : 1)
    );
  });
}
