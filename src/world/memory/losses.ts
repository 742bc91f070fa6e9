import { kindOf, type Ref } from '../../model/ref.ts';
import { fits, listOf, number, record, text } from '../../model/shape.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { Recent } from './recent.ts';

/** A Pod was lost with or through its Node. */
export type Loss = { readonly node: string; readonly uid: string; readonly at: number };

/** How long after a loss a new Pod of the same owner counts as taking the lost one's place. */
export const replacementMs = 15 * 60_000;
/** A Job that failed because of a loss is told for a day. */
const jobMemoryMs = 24 * 60 * 60_000;
/** A controller may have seen the loss this much before us. */
const headStartMs = 60_000;

/** Reasons of the Pod condition DisruptionTarget that come from the Node (KEP-3329). */
const lostByNode = new Set(['DeletionByTaintManager', 'DeletionByPodGC', 'TerminationByKubelet']);

/** When a Pod that is going away was lost through its Node (epoch milliseconds); `undefined` when it was not. */
export function lostAt(pod: PodView, node: Projection | 'absent' | 'unknown', now: number): number | undefined {
  const disruption = pod.conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (disruption && lostByNode.has(disruption.reason)) return disruption.since;
  if (node === 'absent') return now;
  if (node === 'unknown' || node.kind !== 'Node') return undefined;
  const ready = node.conditions.find(({ type }) => type === 'Ready');
  return ready && ready.status !== 'True' ? now : undefined;
}

/** Whether a Node works, as far as is seen: what its Pods do otherwise is its doing. */
export function worksOn(node: Projection | 'absent' | 'unknown'): boolean {
  if (typeof node !== 'object' || node.kind !== 'Node') return false;
  return node.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Whether something remembered is the losses of one owner. */
export const areLosses = fits(listOf(record<Loss>({ node: text, uid: text, at: number })));

/** Recent losses by the owner that replaces them. */
export class Losses extends Recent<Loss> {
  constructor() {
    super({ ofOne: Number.POSITIVE_INFINITY, objects: 20_000 });
  }

  /** A Pod was lost. It may be told more than once. */
  note(owner: Ref, loss: Loss): void {
    if (!this.of(owner).some(({ uid }) => uid === loss.uid)) this.remember(owner, loss);
  }

  /** The Nodes whose lost Pods a Pod took the place of. `createdAt`: epoch milliseconds. */
  replacedBy(pod: { readonly owner: Ref | undefined; readonly uid: string; readonly createdAt: number }): string[] {
    const { owner, uid, createdAt } = pod;
    const replaced = (owner === undefined ? [] : this.of(owner)).filter(
      (loss) => loss.uid !== uid && createdAt >= loss.at - headStartMs && createdAt <= loss.at + replacementMs,
    );
    return [...new Set(replaced.map(({ node }) => node))].sort();
  }

  /** The Nodes on which Pods of an owner were lost, one for each Pod, the last one last. */
  nodesOf(owner: Ref): readonly string[] {
    return this.of(owner).map(({ node }) => node);
  }

  /** Owners that lost a Pod on a Node. */
  ownersOn(node: string): Ref[] {
    return [...this].filter(([, list]) => list.some((loss) => loss.node === node)).map(([owner]) => owner);
  }

  /** Forgets what nobody replaces any more. */
  expire(now: number): void {
    // Kept while a Pod made within the window may still be failing for it.
    this.keep(({ at }, owner) => at > now - (kindOf(owner) === 'Job' ? jobMemoryMs : 2 * replacementMs));
  }
}
