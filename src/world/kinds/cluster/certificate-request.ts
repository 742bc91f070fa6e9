import { refOf } from '../../../model/ref.ts';
import { textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

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

/** certificates.k8s.io/v1 CertificateSigningRequest. */
export const certificateSigningRequests: WatchedKind<CertificateSigningRequestView> = watched({
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  namespaced: false,
  fields: ({ raw, spec, status, meta }) => ({
    signer: textOf(spec.signerName) ?? '',
    requestor: textOf(spec.username) ?? '',
    isIssued: textOf(status.certificate) !== undefined,
    conditions: conditionsOf(raw, meta.createdAt),
  }),
});

/** certificates.k8s.io PodCertificateRequest, on by default from 1.37 on. */
export const podCertificateRequests: WatchedKind<PodCertificateRequestView> = watched({
  group: 'certificates.k8s.io',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  kind: 'PodCertificateRequest',
  namespaced: true,
  fields({ raw, spec, meta, namespace }) {
    const pod = textOf(spec.podName);
    return {
      signer: textOf(spec.signerName) ?? '',
      conditions: conditionsOf(raw, meta.createdAt),
      ...(pod !== undefined && { owner: refOf('Pod', namespace, pod) }),
    };
  },
});
