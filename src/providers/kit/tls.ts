import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { openSecret, type Secret } from '../../model/secret.ts';
import { type ConfigOf, group, secret } from './fields.ts';

/** Characters of PEM: the bundle of a Linux distribution has 220,000. */
const longestPem = 512 * 1024;
/** Of PEM that is written in the resource itself: some forty certificates. */
const longestInline = 64 * 1024;

const tlsFields = {
  caBundle: secret({
    maxLength: longestInline,
    description: 'Authorities to trust (PEM), in place of the usual ones.',
  }),
  clientCertificate: secret({
    maxLength: longestInline,
    description: 'Certificate for servers that ask for one (PEM, with its chain).',
  }),
  clientKey: secret({ description: 'Its private key (PEM, not encrypted).', maxLength: 16_384 }),
} as const;

/** Fields of `spec.tls`. */
export type TlsField = keyof typeof tlsFields;

/** The fields of an AlertProvider's spec beside its block that hold secrets, declared as those of a block are. */
export const specFields = {
  tls: group(
    {
      description: 'TLS with the product.',
      rules: [
        {
          cel: 'has(self.clientCertificate) == has(self.clientKey)',
          message: 'set `clientCertificate` and `clientKey` together',
        },
      ],
    },
    tlsFields,
  ),
} as const;

/** What the connections of one provider are made with, opened. */
export type ProviderTls = ConfigOf<typeof tlsFields>;

/** Where the values of a provider hold it. */
const prefix = 'tls.';
/** A certificate is public: it may stand in the resource. */
const publicPaths: readonly string[] = ['tls.caBundle', 'tls.clientCertificate'];

/** Whether the secret field of this path is one that connections are made with: what stands there is never sent. */
export function isTls(path: string): boolean {
  return path.startsWith(prefix);
}

/** Whether the secret field of this path holds nothing that must be kept secret. */
export function isPublic(path: string): boolean {
  return publicPaths.includes(path);
}

/** What connections are made with, of the opened values of a provider; `undefined`: nothing of its own. */
export function tlsOf(values: ReadonlyMap<string, Secret>): ProviderTls | undefined {
  const own = [...values].flatMap(([path, value]) =>
    isTls(path) ? [[path.slice(prefix.length), value] as const] : [],
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** The opened values of a provider that requests may hold, so that answers may quote them. */
export function sentSecrets(values: ReadonlyMap<string, Secret>): readonly Secret[] {
  return [...values].flatMap(([path, value]) => (isTls(path) ? [] : [value]));
}

/** What is wrong with a field: the end of a sentence, without a byte of a key. `isOver`: by the clock alone, so that it may be tried. */
export type TlsProblem = { readonly field: TlsField; readonly says: string; readonly isOver?: true };

/** What is wrong with these, as far as they are known. `now`: epoch milliseconds. Never throws. */
export function tlsProblems(tls: ProviderTls, now: number): readonly TlsProblem[] {
  const { caBundle, clientCertificate, clientKey } = tls;
  const wrong = [
    ...(caBundle ? certificateProblems('caBundle', caBundle, now) : []),
    ...(clientCertificate ? certificateProblems('clientCertificate', clientCertificate, now) : []),
    ...(clientKey ? keyProblems(clientKey, clientCertificate) : []),
  ];
  if (wrong.some(({ isOver }) => !isOver) || Object.keys(tls).length === 0) return wrong;
  const refusal = refusalOf(tls);
  return refusal ? [...wrong, refusal] : wrong;
}

function certificateProblems(field: 'caBundle' | 'clientCertificate', pem: Secret, now: number): readonly TlsProblem[] {
  const text = openSecret(pem);
  if (text.length > longestPem)
    return [{ field, says: `is longer than ${longestPem / 1024} KiB: give what is needed` }];
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0)
    return [{ field, says: 'holds no certificate in PEM: it begins with `-----BEGIN CERTIFICATE-----`' }];
  const read = blocks.map(certificateOf);
  const broken = read.indexOf(undefined);
  if (broken >= 0)
    return [{ field, says: `holds a certificate that cannot be read, number ${broken + 1}: copy it again, whole` }];
  // Of a bundle any may do; of a chain the first is shown.
  const counted = field === 'caBundle' ? read : read.slice(0, 1);
  const reasons = counted.map((certificate) => certificate && outOfTime(certificate, now));
  const [reason] = reasons;
  return reason !== undefined && reasons.every((each) => each !== undefined)
    ? [{ field, says: reason, isOver: true }]
    : [];
}

function outOfTime({ validFrom, validTo }: X509Certificate, now: number): string | undefined {
  const day = (text: string): string => new Date(text).toISOString().slice(0, 10);
  if (Date.parse(validTo) < now) return `holds a certificate that expired on ${day(validTo)}: renew it`;
  if (Date.parse(validFrom) > now) return `holds a certificate that is not valid before ${day(validFrom)}`;
  return undefined;
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyProblems(key: Secret, certificate: Secret | undefined): readonly TlsProblem[] {
  const field = 'clientKey';
  const pem = openSecret(key);
  if (/ENCRYPTED/.test(pem.slice(0, 200)))
    return [{ field, says: 'is encrypted, and nobody types a passphrase here: give it decrypted' }];
  let read: ReturnType<typeof createPrivateKey>;
  try {
    read = createPrivateKey(pem);
  } catch {
    // What the parser says may quote what it could not read.
    return [{ field, says: 'holds no private key in PEM: it begins with `-----BEGIN PRIVATE KEY-----` or the like' }];
  }
  const leaf = certificate && certificateOf(openSecret(certificate));
  if (!leaf || leaf.checkPrivateKey(read)) return [];
  return [{ field, says: 'is not the key of `clientCertificate`: take both from one Secret' }];
}

/** What the TLS library has against it, by the name of the error alone: keys that are too short, and the like. */
function refusalOf(tls: ProviderTls): TlsProblem | undefined {
  try {
    secureContextOf(tls);
    return undefined;
  } catch (error) {
    const code = String(Object(error).code);
    const why = /^ERR_[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
    const field = /CA_|_CA\b/.test(code) || !tls.clientCertificate ? 'caBundle' : 'clientCertificate';
    return { field, says: `is refused by OpenSSL${why}: issue it anew with a longer key or another algorithm` };
  }
}

/** For the TLS library. Throws what that throws. */
export function secureContextOf({ caBundle, clientCertificate, clientKey }: ProviderTls): SecureContext {
  return createSecureContext({
    // As a list: an empty text would be as good as none. Whoever names an intermediate authority trusts it, as with other programs of Kubernetes.
    ...(caBundle && { ca: [openSecret(caBundle)], allowPartialTrustChain: true }),
    ...(clientCertificate && { cert: openSecret(clientCertificate) }),
    ...(clientKey && { key: openSecret(clientKey) }),
  });
}
