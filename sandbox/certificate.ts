/**
 * Just enough X.509 to run TLS on loopback without any tool: Node reads certificates but writes none. Elliptic curve
 * P-256 keys, SHA-256 signatures, version 3 (RFC 5280).
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its private key, both PEM. */
export type KeyPair = { readonly certificate: string; readonly key: string };

/** What a certificate says. */
export type CertificateRequest = {
  readonly commonName: string;
  /** Groups of a Kubernetes user (O). */
  readonly organizations?: readonly string[];
  readonly addresses?: readonly string[];
  readonly names?: readonly string[];
  /** Epoch milliseconds; default: from an hour before the authority was made (clocks differ) for ten years. */
  readonly notBefore?: number;
  readonly notAfter?: number;
};

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(contents);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
};
const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes);
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const yes = der(0x01, Buffer.from([0xff]));

/** An object identifier: the first two arcs share a byte, the others are written to base 128. */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const serverAuth = oid('1.3.6.1.5.5.7.3.1');
const clientAuth = oid('1.3.6.1.5.5.7.3.2');

const attribute = (type: string, value: string): Buffer => der(0x31, sequence(oid(type), text(value)));
const nameOf = (request: CertificateRequest): Buffer =>
  sequence(
    ...(request.organizations ?? []).map((organization) => attribute('2.5.4.10', organization)),
    attribute('2.5.4.3', request.commonName),
  );
const extension = (type: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(type), ...(critical ? [yes] : []), octets(value));
const generalizedTime = (epochMs: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

/** Key usage bits: digitalSignature for everybody, keyCertSign for an authority. */
const keyUsage = (authority: boolean): Buffer =>
  extension('2.5.29.15', true, der(0x03, Buffer.from(authority ? [2, 0x84] : [7, 0x80])));

function extensions(request: CertificateRequest, authority: boolean): Buffer {
  if (authority) return sequence(extension('2.5.29.19', true, sequence(yes)), keyUsage(true));
  const names = [
    ...(request.names ?? []).map((name) => der(0x82, Buffer.from(name))),
    ...(request.addresses ?? []).map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  return sequence(
    extension('2.5.29.19', true, sequence()),
    keyUsage(false),
    extension('2.5.29.37', false, sequence(serverAuth, clientAuth)),
    ...(names.length > 0 ? [extension('2.5.29.17', false, sequence(...names))] : []),
  );
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`;

type Signer = { readonly name: Buffer; readonly key: KeyObject };

function issue(request: CertificateRequest, authority: boolean, signer: Signer | undefined, now: number): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const hour = 3_600_000;
  const { notBefore = now - hour, notAfter = now + 87_600 * hour } = request;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ecdsaWithSha256,
    signer?.name ?? nameOf(request),
    sequence(generalizedTime(notBefore), generalizedTime(notAfter)),
    nameOf(request),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions(request, authority)),
  );
  const signature = sign('sha256', body, signer?.key ?? privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { certificate: pem('CERTIFICATE', whole), key: typeof key === 'string' ? key : key.toString() };
}

/** A certificate authority of one's own: it signs server and client certificates. */
export type Authority = { readonly certificate: string; sign(request: CertificateRequest): KeyPair };

/** Makes an authority; `now` is epoch milliseconds by the real clock, which TLS compares with. */
export function createAuthority(commonName: string, now: number): Authority {
  const own = issue({ commonName }, true, undefined, now);
  const signer = { name: nameOf({ commonName }), key: createPrivateKey(own.key) };
  return { certificate: own.certificate, sign: (request) => issue(request, false, signer, now) };
}
