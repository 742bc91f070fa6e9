import type { RawObject } from '../model/raw-object.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../world/reading/fields.ts';

/**
 * The Deployment that made an owner of a Pod, by name: it calls its ReplicaSets by its own name and the hash of their template, and their Pods have the
 * hash as a label (apps/v1 `pod-template-hash`). `undefined`: none did.
 */
export function deploymentOf({ kind, metadata }: RawObject, owner: Fields): string | undefined {
  const hash = textOf(fieldsOf(metadata.labels)['pod-template-hash']);
  const name = textOf(owner.name) ?? '';
  if (kind !== 'Pod' || hash === undefined || owner.kind !== 'ReplicaSet' || !name.endsWith(`-${hash}`))
    return undefined;
  return name.slice(0, -hash.length - 1) || undefined;
}

/** A Pod whose ReplicaSet nobody wrote down, as one of the Deployment that made both. */
export function ofDeployment(raw: RawObject): RawObject {
  if (raw.kind !== 'Pod') return raw;
  const ownerReferences = listOf(raw.metadata.ownerReferences).map((owner) => {
    const name = deploymentOf(raw, owner);
    return name === undefined ? owner : { ...owner, kind: 'Deployment', name };
  });
  return { ...raw, metadata: { ...raw.metadata, ownerReferences } };
}
