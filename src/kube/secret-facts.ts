import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Certificate } from '../model/certificate.ts';
import type { RawObject } from '../model/raw-object.ts';

/** What is kept of a Secret of type kubernetes.io/tls. */
export type CertificateFacts = {
  /** Those of `tls.crt` in its order, at most twenty. */
  readonly certificates: readonly Certificate[];
  /** Parts of `tls.crt` that say they are certificates and are none. */
  readonly unreadable: number;
  /** Nothing is in `tls.crt`. */
  readonly isEmpty: boolean;
  /** Whether the private key is that of the first certificate; absent: that cannot be told. */
  readonly isPair?: boolean;
};

/** Certificates looked at of one Secret: a chain has two to four. */
const maxCertificates = 20;
/** Longer ones (characters of base64) are not read: no key is. */
const maxKeyLength = 32 * 1024;
const maxNames = 10;
const maxTextLength = 120;
const idLength = 16;

/** Annotations that somebody reads; any other may hold the whole Secret (`last-applied-configuration`). */
const read: ReadonlySet<string> = new Set([
  'cert-manager.io/certificate-name',
  'argocd.argoproj.io/tracking-id',
  'meta.helm.sh/release-name',
]);
const isRead = (annotation: string): boolean => read.has(annotation) || annotation.startsWith('tocsin.dev/');
const keptMetadata = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'ownerReferences',
];

/**
 * A Secret of type kubernetes.io/tls as whoever comes after the API client sees it: what its certificates say, and nothing else of
 * its data. The private key is compared with the first certificate and dropped. Never throws.
 */
export function withoutSecretData(raw: RawObject): RawObject {
  const { data, metadata, apiVersion = 'v1', kind = 'Secret' } = raw;
  const fields = isRecord(data) ? data : {};
  return { apiVersion, kind, metadata: keptOf(metadata), tls: factsOf(fields['tls.crt'], fields['tls.key']) };
}

/**
 * The metadata of a Secret as whoever comes after the API client sees it: who wrote which keys, and when, and no annotation
 * that may hold what is in them.
 */
export function withoutSecretValues({ metadata, apiVersion = 'v1', kind = 'Secret' }: RawObject): RawObject {
  const { managedFields } = metadata;
  return { apiVersion, kind, metadata: { ...keptOf(metadata), ...(managedFields !== undefined && { managedFields }) } };
}

function keptOf(metadata: RawObject['metadata']): RawObject['metadata'] {
  const kept = Object.fromEntries(
    keptMetadata.flatMap((key) => (metadata[key] === undefined ? [] : [[key, metadata[key]]])),
  );
  const annotations = Object.entries(isRecord(metadata.annotations) ? metadata.annotations : {});
  return {
    ...kept,
    name: metadata.name,
    annotations: Object.fromEntries(annotations.filter(([name]) => isRead(name))),
  };
}

/** What `tls.crt` says, and whether `tls.key` belongs to it; both in base64. */
function factsOf(chain: unknown, key: unknown): CertificateFacts {
  const pem = typeof chain === 'string' ? Buffer.from(chain, 'base64').toString('latin1') : '';
  const blocks = pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  const parsed = [...Iterator.from(blocks).take(maxCertificates)].map(([block]) => parse(block));
  const [leaf] = parsed;
  const isPair = leaf && belongsTo(leaf, key);
  return {
    certificates: parsed.flatMap((certificate) => (certificate ? [described(certificate)] : [])),
    unreadable: parsed.filter((certificate) => certificate === undefined).length,
    isEmpty: pem.trim() === '',
    ...(isPair !== undefined && { isPair }),
  };
}

function parse(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    return Number.isNaN(Date.parse(certificate.validTo)) ? undefined : certificate;
  } catch {
    return undefined;
  }
}

/** The key exists in here only, and what was decoded of it is overwritten. A key that cannot be read (an encrypted one) tells nothing. */
function belongsTo(certificate: X509Certificate, key: unknown): boolean | undefined {
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) return undefined;
  const pem = Buffer.from(key, 'base64');
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem));
  } catch {
    // What the parser says may quote what it could not read.
    return undefined;
  } finally {
    pem.fill(0);
  }
}

function described(certificate: X509Certificate): Certificate {
  const { subject, issuer, subjectAltName = '', validFrom, validTo, fingerprint256 } = certificate;
  const names = [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)]
    .slice(0, maxNames)
    .map(([, name]) => short(name));
  return {
    id: fingerprint256.replaceAll(':', '').slice(0, idLength).toLowerCase(),
    subject: commonName(subject) || names[0] || short(subject),
    names,
    issuer: commonName(issuer) || short(issuer),
    notBefore: Date.parse(validFrom),
    notAfter: Date.parse(validTo),
    isSelfIssued: subject === issuer,
  };
}

const short = (text = ''): string => text.replaceAll(/\s+/g, ' ').slice(0, maxTextLength);
const commonName = (name = ''): string => short(/^CN=(.*)$/m.exec(name)?.[1]);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
