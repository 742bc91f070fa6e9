import { type Fields, fieldsOf, given, listOf } from '../../reading/fields.ts';
import { createPool } from '../../reading/intern.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { lastWrite, type Meta } from '../../reading/meta.ts';

/** What Pods are given, known by its metadata only: `dataChangedAt` is the newest time of a managedFields entry that owns data. */
type Given = Meta & {
  readonly dataChangedAt?: number;
  readonly dataChangedBy?: string;
  /** The keys of its data, by who owns them (managedFields), at most 64: what they hold is not read. */
  readonly keys?: readonly string[];
};

/** core/v1 ConfigMap by its metadata. */
export type ConfigMapView = Given & { readonly kind: 'ConfigMap' };

/**
 * core/v1 Secret by its metadata. Its ref is one of its own, as TLS Secrets are held by their certificates besides: whatever is
 * told of its edits is told of the Secret (`editedOf`).
 */
export type SecretMetadataView = Given & { readonly kind: 'SecretMetadata' };

/** Keys kept of one; one with so many may have more. */
export const maxKeys = 64;
/** Those of one release have the same keys. */
const texts = createPool<string>(2000);

/** Whoever writes data owns its keys: `f:data: { f:app.yaml: {} }`. */
function keysOf(raw: Fields): readonly string[] | undefined {
  const keys = new Set<string>();
  for (const { fieldsV1 } of listOf(fieldsOf(raw.metadata).managedFields))
    for (const part of ['f:data', 'f:binaryData'])
      for (const field in fieldsOf(fieldsOf(fieldsV1)[part]))
        if (field.startsWith('f:') && keys.size < maxKeys) keys.add(texts(field.slice(2), () => field.slice(2)));
  return keys.size === 0 ? undefined : [...keys].sort();
}

function dataOf(raw: Fields): Omit<Given, keyof Meta> {
  const writes = [lastWrite(raw, 'f:data'), lastWrite(raw, 'f:binaryData')].filter((write) => write !== undefined);
  const newest = writes.sort((a, b) => b.at - a.at)[0];
  return given({ dataChangedAt: newest?.at, dataChangedBy: newest?.by, keys: keysOf(raw) });
}

/** core/v1 ConfigMap by its metadata: when a manager that owns data last wrote. */
export const configMaps: WatchedKind<ConfigMapView> = watched({
  group: '',
  kind: 'ConfigMap',
  namespaced: true,
  metadataOnly: true,
  managedFields: true,
  fields: ({ raw }) => dataOf(raw),
});

/** The same of Secrets, where the cluster allows it. What Helm, the API server and kubeadm keep in Secrets no Pod is given. */
export const secretMetadata: WatchedKind<SecretMetadataView> = watched({
  group: '',
  plural: 'secrets',
  kind: 'SecretMetadata',
  aspect: 'metadata',
  namespaced: true,
  metadataOnly: true,
  withoutValues: true,
  optIn: true,
  fieldSelector: ['helm.sh/release.v1', 'kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token']
    .map((type) => `type!=${type}`)
    .join(),
  managedFields: true,
  fields: ({ raw }) => dataOf(raw),
});
