import { type Fields, fieldsOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

/** core/v1 ServiceAccount: whether it is there, and as whom clouds know what runs as it. */
export type ServiceAccountView = Meta & {
  readonly kind: 'ServiceAccount';
  /** The role or account of a cloud; empty: none is named. */
  readonly identity: string;
};

/** Annotations by which clouds give Pods an identity: EKS, GKE, AKS. */
const identities = [
  'eks.amazonaws.com/role-arn',
  'iam.gke.io/gcp-service-account',
  'azure.workload.identity/client-id',
];

function project(raw: Fields): ServiceAccountView {
  const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
  const identity = identities.flatMap((key) => textOf(annotations[key]) ?? []).join();
  return { ...metaOf('ServiceAccount', raw), kind: 'ServiceAccount', identity };
}

/** core/v1 ServiceAccount. */
export const serviceAccounts: WatchedKind<ServiceAccountView> = {
  group: '',
  versions: ['v1'],
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
  metadataOnly: true,
  withoutManagedFields: true,
  project,
  edited: ({ identity }) => [{ field: 'identity', says: identity, path: ['f:metadata', 'f:annotations'] }],
};
