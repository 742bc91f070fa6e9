import type { RawObject } from '../model/raw-object.ts';
import { fieldsOf, listOf, textOf, timeOf } from '../world/reading/fields.ts';
import { lastWrite } from '../world/reading/meta.ts';
import { isEdited, makingMs, withWrite } from './told-write.ts';

const kinds: readonly (string | undefined)[] = ['StatefulSet', 'DaemonSet'];
/** One Pod alone may have been moved. */
const fewest = 2;
/** The first Pod of a template is made so long (ms) after it was written at the latest: another one has to end before. */
const longestMs = 10 * 60_000;

/** The Pods of one template: how many there are, and when the first and the last of them was made (epoch milliseconds). */
type Made = { readonly count: number; readonly first: number; readonly last: number };

/**
 * When StatefulSets and DaemonSets got the template that they have, by their Pods, which bear its name. A Deployment's ReplicaSets tell that; these have
 * nothing that is written down of it but the revisions, which no tool takes.
 */
export class Rollouts {
  /** By the UID of the owner, and the name of the template. */
  readonly #made = new Map<string, Map<string, Made>>();

  /** Notes a Pod, before its owner is asked for. */
  note({ kind, metadata }: RawObject): void {
    const hash = kind === 'Pod' && textOf(fieldsOf(metadata.labels)['controller-revision-hash']);
    const at = timeOf(metadata.creationTimestamp);
    if (!hash || at === undefined) return;
    for (const owner of listOf(metadata.ownerReferences)) {
      const uid = textOf(owner.uid);
      if (uid === undefined || !kinds.includes(textOf(owner.kind))) continue;
      const ofOwner = this.#made.get(uid) ?? new Map<string, Made>();
      const { count, first, last } = ofOwner.get(hash) ?? { count: 0, first: at, last: at };
      ofOwner.set(hash, { count: count + 1, first: Math.min(first, at), last: Math.max(last, at) });
      this.#made.set(uid, ofOwner);
    }
  }

  /** A workload with the write that its Pods tell of: they are all of one template and newer, or some are of another one that is newer. */
  told(raw: RawObject): RawObject {
    const { kind, metadata } = raw;
    const made = [...(this.#made.get(metadata.uid ?? '')?.values() ?? [])].sort((a, b) => b.last - a.last);
    const [newest] = made;
    if (!kinds.includes(kind) || newest === undefined || !isEdited(metadata)) return raw;
    if (made.length === 1 && newest.count < fewest) return raw;
    const { first } = newest;
    if (first <= (timeOf(metadata.creationTimestamp) ?? first) + makingMs) return raw;
    // Who wrote it is told, then: of what is through with it, that this was its template.
    const write = lastWrite(raw, 'f:spec', 'f:template');
    const isKnown = metadata.managedFields !== undefined;
    if (isKnown && (made.length > 1 || !write || write.at > first || write.at < first - longestMs)) return raw;
    const at = Math.max(first - 1000, (write?.at ?? 0) + 1);
    return withWrite(raw, at, { 'f:spec': { 'f:template': { 'f:spec': {} } } });
  }
}
