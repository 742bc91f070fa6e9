import { mayNameOwner } from '../../model/owner.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import { type Fields, fieldsOf, given, labelsOf, listOf, messageOf, numberOf, textOf, timeOf } from './fields.ts';
import { ownerOf } from './owner.ts';

/**
 * What is kept of an object: the few fields somebody reads. Times are epoch milliseconds, memory and CPU stay the
 * quantity strings people wrote. Absent optional fields mean the API did not say.
 */
export type Meta = {
  readonly ref: Ref;
  readonly uid: string;
  readonly labels: Labels;
  readonly annotations?: Labels;
  readonly createdAt: number;
  readonly generation: number;
  /** When deletion was asked for; the API's `deletionTimestamp` already includes the grace period. */
  readonly deletionAt?: number;
  /** Of an object that is being deleted: what it waits for, by name. */
  readonly finalizers?: readonly string[];
  /** Who wrote the last of these (field manager), where it is recorded. */
  readonly finalizedBy?: string;
  /** The controlling owner. */
  readonly owner?: Ref;
};

/** A condition of `status.conditions`. */
export type Condition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly since: number;
};

/** Marks the API object of a static Pod, which the kubelet of its Node owns (core/v1 `ConfigMirrorAnnotationKey`). */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Finalizers kept of one object. */
const maxFinalizers = 10;

/** The annotations somebody reads: our own, what may name an owner, and what marks static Pods. */
function annotationsOf(metadata: Fields): Labels | undefined {
  const annotations = fieldsOf(metadata.annotations);
  let read: Record<string, string> | undefined;
  for (const name in annotations) {
    const value = annotations[name];
    if (typeof value !== 'string') continue;
    if (name !== mirrorAnnotation && !name.startsWith('tocsin.dev/') && !mayNameOwner(name)) continue;
    read = { ...read, [name]: value };
  }
  return read;
}

/** What an object that is being deleted waits for. Finalizers of others are nobody's concern. */
function finalizersOf(raw: Fields, metadata: Fields): Pick<Meta, 'finalizers' | 'finalizedBy'> {
  const { finalizers } = metadata;
  if (metadata.deletionTimestamp === undefined || !Array.isArray(finalizers)) return {};
  const names = finalizers.filter((name) => typeof name === 'string').slice(0, maxFinalizers);
  if (names.length === 0) return {};
  return { finalizers: names, ...given({ finalizedBy: lastWrite(raw, 'f:metadata', 'f:finalizers')?.by }) };
}

/** The metadata of an object of a kind. */
export function metaOf(kind: string, raw: Fields): Meta {
  const metadata = fieldsOf(raw.metadata);
  const namespace = textOf(metadata.namespace);
  return {
    ref: refOf(kind, namespace, textOf(metadata.name) ?? ''),
    uid: textOf(metadata.uid) ?? '',
    labels: labelsOf(metadata.labels),
    createdAt: timeOf(metadata.creationTimestamp) ?? 0,
    generation: numberOf(metadata.generation) ?? 0,
    ...given({
      annotations: annotationsOf(metadata),
      deletionAt: timeOf(metadata.deletionTimestamp),
      owner: ownerOf(metadata, namespace),
    }),
    ...finalizersOf(raw, metadata),
  };
}

/** `status.conditions`, in the order of the API. A condition without a time is as old as its object. */
export function conditionsOf(raw: Fields, createdAt: number): readonly Condition[] {
  return listOf(fieldsOf(raw.status).conditions).map((condition) => ({
    type: textOf(condition.type) ?? '',
    status: condition.status === 'True' || condition.status === 'False' ? condition.status : 'Unknown',
    reason: textOf(condition.reason) ?? '',
    message: messageOf(condition.message),
    since: timeOf(condition.lastTransitionTime) ?? createdAt,
  }));
}

/** When a field was written (epoch milliseconds) and by which field manager. */
export type Write = {
  readonly at: number;
  readonly by?: string;
  /** The fields below it that whoever wrote it has ever written, in the form of FieldsV1. */
  readonly fields?: readonly string[];
};

/**
 * When and by whom a field was last written, by the newest managedFields entry that owns it. `path` is in the form of
 * FieldsV1 (`f:spec`, `f:template`). Entries of subresources (status) never count.
 */
export function lastWrite(raw: Fields, ...path: readonly string[]): Write | undefined {
  return newestWrite(raw, path, ({ subresource }) => subresource !== 'status');
}

/** When and by whom the status was last written as a subresource, which controllers do. */
export function statusWriter(raw: Fields): Write | undefined {
  return newestWrite(raw, ['f:status'], ({ subresource }) => subresource === 'status');
}

function newestWrite(raw: Fields, path: readonly string[], counts: (entry: Fields) => boolean): Write | undefined {
  let newest: Write | undefined;
  for (const entry of listOf(fieldsOf(raw.metadata).managedFields)) {
    if (!counts(entry)) continue;
    const at = timeOf(entry.time);
    const owned = path.reduce<unknown>((fields, step) => fieldsOf(fields)[step], entry.fieldsV1);
    if (at === undefined || owned === undefined || (newest && newest.at >= at)) continue;
    newest = { at, fields: Object.keys(fieldsOf(owned)), ...given({ by: textOf(entry.manager) }) };
  }
  return newest;
}
