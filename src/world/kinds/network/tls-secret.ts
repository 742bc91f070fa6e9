import type { Certificate } from '../../../model/certificate.ts';
import { type Ref, refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, messageOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** core/v1 Secret of type kubernetes.io/tls, by what its certificates say: the data itself does not get here. */
export type TlsSecretView = Meta & {
  readonly kind: 'Secret';
  /** In the order of `tls.crt`: that of the server first. */
  readonly certificates: readonly Certificate[];
  /** Parts of it that are no certificates. */
  readonly unreadable: number;
  /** Nothing is in it: whoever is to fill it has not come to it. */
  readonly isEmpty: boolean;
  /** Whether the key is that of the first certificate; absent: that cannot be told. */
  readonly isPair?: boolean;
  /** The cert-manager Certificate that renews it. */
  readonly renewedBy?: Ref;
};

/** Set on every Secret that cert-manager writes (pkg/apis/certmanager/v1 `CertificateNameKey`). */
const renewedBy = 'cert-manager.io/certificate-name';
/** The kind of refs to Certificates of cert-manager. */
const certificateKind = 'Certificate.cert-manager.io';

function certificateOf({ id, subject, names, issuer, notBefore, notAfter, isSelfIssued }: Fields): Certificate[] {
  const [begin, end] = [numberOf(notBefore), numberOf(notAfter)];
  if (begin === undefined || end === undefined) return [];
  return [
    {
      id: textOf(id) ?? '',
      subject: messageOf(subject),
      issuer: messageOf(issuer),
      names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
      notBefore: begin,
      notAfter: end,
      isSelfIssued: isSelfIssued === true,
    },
  ];
}

/** Secrets of type kubernetes.io/tls, and no other: the API server is asked for these alone. */
export const tlsSecrets: WatchedKind<TlsSecretView> = watched({
  group: '',
  kind: 'Secret',
  namespaced: true,
  optIn: true,
  licensed: true,
  fieldSelector: 'type=kubernetes.io/tls',
  certificatesOnly: true,
  fields({ raw, namespace }) {
    const { certificates, unreadable, isEmpty, isPair } = fieldsOf(raw.tls);
    const { annotations } = fieldsOf(raw.metadata);
    const certificate = textOf(fieldsOf(annotations)[renewedBy]);
    return {
      certificates: listOf(certificates).flatMap(certificateOf),
      unreadable: numberOf(unreadable) ?? 0,
      isEmpty: isEmpty === true,
      ...given({
        isPair: typeof isPair === 'boolean' ? isPair : undefined,
        renewedBy: certificate === undefined ? undefined : refOf(certificateKind, namespace, certificate),
      }),
    };
  },
});
