import type { Finding } from '../../model/finding.ts';
import type { Family } from '../../model/reason-traits.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { podsOfWorkload } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { familyOf } from '../evidence/families.ts';
import { isNewRevision, podsOf } from '../evidence/workload.ts';
import type { Candidate } from './candidates.ts';

/** Workloads whose Pods are kept in mind; beyond, all are looked at anew. */
const mostKept = 5000;

/** A Pod of the same workload, with what it shows. */
export type Peer = {
  readonly node: string | undefined;
  readonly families: ReadonlySet<Family>;
  readonly isNew: boolean;
};

/** Siblings that do not depend on a cause, by whether they fail alike. */
export type Apart = { readonly healthy: number; readonly failing: number };

/** The Pods of a workload as they were last looked at, and what was counted of them. */
type Known = { readonly peers: readonly Peer[]; readonly counted: Map<string, Apart | undefined> };

/** The Pods of workloads that are hit, looked at again only when one of their objects has changed. */
export class Peers {
  readonly #world: World;
  readonly #findings: (ref: Ref) => readonly Finding[];
  readonly #known = new Map<Ref, Known>();

  constructor(world: World, findings: (ref: Ref) => readonly Finding[]) {
    this.#world = world;
    this.#findings = findings;
  }

  /** An object of a workload has changed; a Node is what siblings anywhere may run on. */
  forget(ref: Ref): void {
    if (kindOf(ref) === 'Node') for (const { counted } of this.#known.values()) counted.clear();
    else this.#known.delete(ref);
  }

  of(workload: Ref): readonly Peer[] {
    return this.#knownOf(workload).peers;
  }

  /** Whether an object began to fail in one of some ways after an instant (epoch milliseconds). */
  failsAlike(ref: Ref, families: ReadonlySet<Family>, afterMs: number): boolean {
    return this.#findings(ref).some(({ reason, since }) => since >= afterMs && families.has(familyOf(reason)));
  }

  /** `undefined`: every sibling of the effect's Pod depends on the cause, or it cannot be told. `workload`: of the effect. */
  apart(candidate: Candidate, workload: Ref): Apart | undefined {
    const { cause, rule, effect } = candidate;
    if (kindOf(effect.subject.ref) !== 'Pod' || !(rule.via === 'owners' || rule.via === 'runs-on')) return undefined;
    const family = familyOf(effect.reason);
    const { peers, counted } = this.#knownOf(workload);
    const key = `${cause.key}|${rule.id}|${family}`;
    if (counted.has(key)) return counted.get(key);
    const others = peers.filter((peer) => this.#isIndependent(candidate, peer));
    const failing = others.filter(({ families }) => families.has(family)).length;
    const result = others.length === 0 ? undefined : { healthy: others.length - failing, failing };
    counted.set(key, result);
    return result;
  }

  /** Causes of a kind that the row could blame: a sibling on another failing Node says nothing against this one. */
  #isIndependent({ rule, cause }: Candidate, { node, isNew }: Peer): boolean {
    if (rule.via === 'owners') return !isNew;
    if (node === undefined || rule.cause.basis !== 'finding') return false;
    const other: Ref = `Node//${node}`;
    const { reasons } = rule.cause;
    const fails = this.#findings(other).some(({ reason }) => reasons === 'any' || reasons.includes(reason));
    return other !== cause.ref && !fails;
  }

  #knownOf(workload: Ref): Known {
    let known = this.#known.get(workload);
    if (known === undefined) {
      if (this.#known.size >= mostKept) this.#known.clear();
      known = { peers: this.#look(workload), counted: new Map() };
      this.#known.set(workload, known);
    }
    return known;
  }

  #look(workload: Ref): Peer[] {
    return podsOf(this.#world, workload, podsOfWorkload)
      .filter((pod) => pod.deletionAt === undefined && pod.phase !== 'Succeeded')
      .map((pod) => ({
        node: pod.node,
        families: new Set(this.#findings(pod.ref).map(({ reason }) => familyOf(reason))),
        isNew: isNewRevision(this.#world, pod),
      }));
  }
}
