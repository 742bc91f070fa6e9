import { refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../../reading/meta.ts';

/** certificates.k8s.io/v1 CertificateSigningRequest, without the request and the certificate. */
export type CertificateSigningRequestView = Meta & {
  readonly kind: 'CertificateSigningRequest';
  /** Who is to sign it: `kubernetes.io/kubelet-serving`. */
  readonly signer: string;
  /** Who asks: `system:node:n1`. */
  readonly requestor: string;
  readonly isIssued: boolean;
  readonly conditions: readonly Condition[];
};

/** certificates.k8s.io PodCertificateRequest, owned by the Pod that it is for. */
export type PodCertificateRequestView = Meta & {
  readonly kind: 'PodCertificateRequest';
  readonly signer: string;
  readonly conditions: readonly Condition[];
};

function projectSigning(raw: Fields): CertificateSigningRequestView {
  const meta = metaOf('CertificateSigningRequest', raw);
  const spec = fieldsOf(raw.spec);
  return {
    ...meta,
    kind: 'CertificateSigningRequest',
    signer: textOf(spec.signerName) ?? '',
    requestor: textOf(spec.username) ?? '',
    isIssued: textOf(fieldsOf(raw.status).certificate) !== undefined,
    conditions: conditionsOf(raw, meta.createdAt),
  };
}

function projectOfPod(raw: Fields): PodCertificateRequestView {
  const meta = metaOf('PodCertificateRequest', raw);
  const spec = fieldsOf(raw.spec);
  const pod = textOf(spec.podName);
  const { namespace } = fieldsOf(raw.metadata);
  return {
    ...meta,
    kind: 'PodCertificateRequest',
    signer: textOf(spec.signerName) ?? '',
    conditions: conditionsOf(raw, meta.createdAt),
    ...(pod !== undefined && { owner: refOf('Pod', textOf(namespace), pod) }),
  };
}

/** certificates.k8s.io/v1 CertificateSigningRequest. */
export const certificateSigningRequests: WatchedKind<CertificateSigningRequestView> = {
  group: 'certificates.k8s.io',
  versions: ['v1'],
  plural: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  namespaced: false,
  withoutManagedFields: true,
  project: projectSigning,
};

/** certificates.k8s.io PodCertificateRequest, on by default from 1.37 on. */
export const podCertificateRequests: WatchedKind<PodCertificateRequestView> = {
  group: 'certificates.k8s.io',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  plural: 'podcertificaterequests',
  kind: 'PodCertificateRequest',
  namespaced: true,
  withoutManagedFields: true,
  project: projectOfPod,
};
