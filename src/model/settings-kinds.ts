import { kindOf, nameOf, namespaceOf, type Ref, refOf } from './ref.ts';

/** Kinds of what Pods are given, whose edits are known and whose data is not. */
export const settingsKinds: readonly string[] = ['ConfigMap', 'Secret'];

/** Whose edits an object tells: metadata of a Secret those of the Secret. */
export const editedOf = (ref: Ref): Ref =>
  kindOf(ref) === 'SecretMetadata' ? refOf('Secret', namespaceOf(ref), nameOf(ref)) : ref;
