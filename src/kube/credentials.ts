import { readFile } from 'node:fs/promises';
import type { Clock } from '../model/clock.ts';
import { openSecret, Secret } from '../model/secret.ts';

/** TLS material of one connection, PEM. A change of any part needs new connections. */
export type TlsMaterial = {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: Secret;
  /** Name to verify instead of the host (`tls-server-name`). */
  readonly servername?: string;
  /** `insecure-skip-tls-verify`. */
  readonly insecure?: boolean;
};

/** What one request needs to be known to the API server. */
export type Credentials = {
  /** The whole `Authorization` header. */
  readonly authorization?: Secret;
  readonly impersonate?: string;
  readonly tls: TlsMaterial;
};

/** Gives the credentials of the next request. `fresh`: the last ones were answered with 401, so read everything again. */
export type CredentialSource = (fresh: boolean) => Promise<Credentials>;

/** Material that never changes: servers on loopback, tests. */
export function fixedCredentials(
  parts: { readonly token?: string; readonly tls?: TlsMaterial } = {},
): CredentialSource {
  const credentials: Credentials = {
    ...(parts.token === undefined ? {} : { authorization: new Secret(`Bearer ${parts.token}`) }),
    tls: parts.tls ?? {},
  };
  return () => Promise.resolve(credentials);
}

/**
 * How long material is used before it is read again (ms). Service account tokens are rotated by the kubelet at 80 % of
 * their life; client-go reads the file every minute too.
 */
const rereadAfterMs = 60_000;

/**
 * Reads credentials again when they are older than a minute or were refused. One read at a time, shared by everyone who
 * asks meanwhile. When a later read fails (a file is being replaced), the last good material is used.
 */
export function rereading(read: (fresh: boolean) => Promise<Credentials>, clock: Clock): CredentialSource {
  let current: Credentials | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Credentials> | undefined;

  async function refresh(fresh: boolean): Promise<Credentials> {
    try {
      current = await read(fresh);
      readAt = clock.monotonic();
      return current;
    } catch (error) {
      if (current === undefined) throw error;
      return current;
    } finally {
      reading = undefined;
    }
  }

  return (fresh) => {
    if (current !== undefined && !fresh && clock.monotonic() - readAt < rereadAfterMs) return Promise.resolve(current);
    reading ??= refresh(fresh);
    return reading;
  };
}

/** Whether connections made with one can be used with the other. */
export function sameTls(a: TlsMaterial, b: TlsMaterial): boolean {
  return (
    a.ca === b.ca &&
    a.cert === b.cert &&
    a.servername === b.servername &&
    a.insecure === b.insecure &&
    sameSecret(a.key, b.key)
  );
}

function sameSecret(a: Secret | undefined, b: Secret | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return openSecret(a) === openSecret(b);
}

/** PEM from a file, else from base64 data, else nothing. */
export async function pemOf(file: string | undefined, data: string | undefined): Promise<string | undefined> {
  if (file) return readFile(file, 'utf8');
  return data ? Buffer.from(data, 'base64').toString('utf8') : undefined;
}
