import { isListOf, isNumber, isText } from '../model/memory.ts';
import { NotedMap } from '../model/noted-map.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { PodView } from './kinds/pod.ts';
import type { Projection } from './kinds.ts';

/** A Pod was lost with or through its Node. */
export type Loss = { readonly node: string; readonly uid: string; readonly at: number };

/** How long after a loss a new Pod of the same owner counts as taking the lost one's place. */
export const replacementMs = 15 * 60_000;
/** A Job that failed because of a loss is told for a day. */
const jobMemoryMs = 24 * 60 * 60_000;
/** Of so many owners losses are remembered. */
const maxOwners = 20_000;
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

function isLoss(value: unknown): value is Loss {
  if (typeof value !== 'object' || value === null) return false;
  const { node, uid, at }: Partial<Loss> = value;
  return isText(node) && isText(uid) && isNumber(at);
}

/** Whether something remembered is the losses of one owner. */
export const areLosses = (value: unknown): value is readonly Loss[] => isListOf(value, isLoss);

/** Recent losses by the owner that replaces them. */
export class Losses {
  readonly #losses = new NotedMap<Ref, readonly Loss[]>();

  /** What is to be saved. */
  get noted(): NotedMap<Ref, readonly Loss[]> {
    return this.#losses;
  }

  note(owner: Ref, loss: Loss): void {
    const list = this.#losses.get(owner) ?? [];
    if (list.some(({ uid }) => uid === loss.uid)) return;
    this.#losses.set(owner, [...list, loss]);
    const [first] = this.#losses.size > maxOwners ? this.#losses.keys().take(1) : [];
    if (first !== undefined) this.#losses.delete(first);
  }

  /** The Nodes whose lost Pods a Pod took the place of. `createdAt`: epoch milliseconds. */
  replacedBy(pod: { readonly owner: Ref | undefined; readonly uid: string; readonly createdAt: number }): string[] {
    const { owner, uid, createdAt } = pod;
    const list = owner === undefined ? [] : (this.#losses.get(owner) ?? []);
    const replaced = list.filter(
      (loss) => loss.uid !== uid && createdAt >= loss.at - headStartMs && createdAt <= loss.at + replacementMs,
    );
    return [...new Set(replaced.map(({ node }) => node))].sort();
  }

  /** The Nodes on which Pods of an owner were lost, one for each Pod, the last one last. */
  nodesOf(owner: Ref): readonly string[] {
    return (this.#losses.get(owner) ?? []).map(({ node }) => node);
  }

  /** Owners that lost a Pod on a Node. */
  ownersOn(node: string): Ref[] {
    return [...this.#losses].filter(([, list]) => list.some((loss) => loss.node === node)).map(([owner]) => owner);
  }

  /** Forgets what nobody replaces any more. */
  expire(now: number): void {
    for (const [owner, list] of this.#losses) {
      // Kept while a Pod made within the window may still be failing for it.
      const memoryMs = kindOf(owner) === 'Job' ? jobMemoryMs : 2 * replacementMs;
      const kept = list.filter(({ at }) => at > now - memoryMs);
      if (kept.length === 0) this.#losses.delete(owner);
      else if (kept.length < list.length) this.#losses.set(owner, kept);
    }
  }
}
