import type { RawObject } from '../model/raw-object.ts';
import { type Fields, fieldsOf, timeOf } from '../world/reading/fields.ts';
import { isEdited, makingMs, withWrite } from './told-write.ts';

/** A kind whose objects are written by those who edit them alone, as a rule → what they own by that, in the form of FieldsV1. */
const edited: Readonly<Record<string, (raw: Fields) => Fields | undefined>> = {
  ConfigMap: ({ data, binaryData }) => ({ 'f:data': ownedOf(data), 'f:binaryData': ownedOf(binaryData) }),
  Namespace: () => ({ 'f:metadata': { 'f:labels': {} } }),
  Service: ({ spec }) => ofService(fieldsOf(spec)),
  // What has no Pods is written no more: the last to do so was who ended them, or the controller right after.
  Deployment: toNothing,
  StatefulSet: toNothing,
};

/** What no controller writes a status of, its own of most network policies and rules of meshes, was written by who edited it. */
const withoutStatus = ({ metadata, status }: Fields): Fields | undefined =>
  isEdited(metadata) && Object.keys(fieldsOf(status)).length === 0 ? { 'f:spec': {} } : undefined;

/** Load balancers write their addresses to Services. */
function ofService({ type, externalName }: Fields): Fields | undefined {
  if (type === 'LoadBalancer') return undefined;
  return { 'f:spec': externalName === undefined ? { 'f:selector': {} } : { 'f:externalName': {} } };
}

function toNothing({ metadata, spec }: Fields): Fields | undefined {
  return fieldsOf(spec).replicas === 0 && isEdited(metadata) ? { 'f:spec': { 'f:replicas': {} } } : undefined;
}

const ownedOf = (data: unknown): Fields =>
  Object.fromEntries(Object.keys(fieldsOf(data)).map((key) => [`f:${key}`, {}]));

const ownedBy = (raw: RawObject): Fields | undefined =>
  (raw.kind !== undefined && Object.hasOwn(edited, raw.kind) ? edited[raw.kind] : withoutStatus)?.(raw);

/**
 * When objects were written last, where they do not say it. Every write of a cluster takes the next number (`resourceVersion`, the revision of etcd),
 * so that an object was written after all that others with lower numbers tell of. Events may be in a store of their own, with numbers of their own:
 * they tell nothing here.
 */
export class WriteOrder {
  readonly #writes: { readonly version: number; at: number }[] = [];
  #isSorted = true;

  /** Notes an object that tells of a time (epoch milliseconds). */
  note({ metadata }: RawObject, at: number): void {
    const version = versionOf(metadata);
    if (version === undefined || at === 0) return;
    this.#writes.push({ version, at });
    this.#isSorted = false;
  }

  /** An object with the write that its number tells of, in the form of managedFields; one that tells its writes itself stays as it is. */
  told(raw: RawObject): RawObject {
    const { metadata } = raw;
    if (metadata.managedFields !== undefined) return raw;
    const at = this.#after(versionOf(metadata));
    const fieldsV1 = at > (timeOf(metadata.creationTimestamp) ?? at) + makingMs ? ownedBy(raw) : undefined;
    return fieldsV1 === undefined ? raw : withWrite(raw, at, fieldsV1);
  }

  /** The newest time that anything with this number or a lower one tells of (epoch milliseconds); 0: nothing does. */
  #after(version: number | undefined): number {
    if (version === undefined) return 0;
    if (!this.#isSorted) this.#sort();
    let [from, to] = [0, this.#writes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#writes[middle]?.version ?? 0) <= version) from = middle + 1;
      else to = middle;
    }
    return this.#writes[from - 1]?.at ?? 0;
  }

  #sort(): void {
    this.#writes.sort((a, b) => a.version - b.version);
    let newest = 0;
    for (const write of this.#writes) {
      newest = Math.max(newest, write.at);
      write.at = newest;
    }
    this.#isSorted = true;
  }
}

function versionOf({ resourceVersion }: RawObject['metadata']): number | undefined {
  const version = typeof resourceVersion === 'string' ? Number(resourceVersion) : Number.NaN;
  return Number.isSafeInteger(version) && version > 0 ? version : undefined;
}
