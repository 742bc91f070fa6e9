import { fieldsOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

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

/** core/v1 ServiceAccount. */
export const serviceAccounts: WatchedKind<ServiceAccountView> = watched({
  group: '',
  kind: 'ServiceAccount',
  namespaced: true,
  metadataOnly: true,
  fields({ raw }) {
    const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
    const identity = identities.flatMap((key) => textOf(annotations[key]) ?? []).join();
    return { identity };
  },
  edited: ({ identity }) => [{ field: 'identity', says: identity, path: ['f:metadata', 'f:annotations'] }],
});
