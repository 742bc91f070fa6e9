import { BoundedMap } from '../model/bounded-map.ts';
import type { Clock } from '../model/clock.ts';
import { refOf } from '../model/ref.ts';
import { Secret } from '../model/secret.ts';
import type { UnopenedSecrets } from '../model/secret-source.ts';
import { type ApiClient, ApiError } from './api-client.ts';

/** A Secret as it was read: keys and values, the version they had, and when that was (monotonic milliseconds). */
export type ReadSecret = { readonly at: number; readonly version: string; readonly data: ReadonlyMap<string, Secret> };

const cacheMs = 60_000;
/** Secrets kept at most; the one read longest ago goes first. */
const maxKept = 500;

/** Reads Secrets, each at most once a minute. While the API server cannot be asked, what was last read is used. */
export class SecretReader {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, ReadSecret>(maxKept);
  readonly #reading = new Map<string, Promise<ReadSecret>>();

  constructor(client: ApiClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** `fresh`: read again, whatever is kept. Rejects with `ApiError` when the API server cannot be asked and nothing is kept. */
  async open(namespace: string, name: string, fresh: boolean): Promise<ReadSecret | UnopenedSecrets> {
    try {
      return await this.#read(namespace, name, fresh);
    } catch (error) {
      const why = error instanceof ApiError ? unopened(error, namespace, name) : undefined;
      if (why === undefined) throw error;
      return why;
    }
  }

  #read(namespace: string, name: string, fresh: boolean): Promise<ReadSecret> {
    const key = `${namespace}/${name}`;
    const last = this.#kept.get(key);
    if (!fresh && last !== undefined && this.#clock.monotonic() - last.at < cacheMs) return Promise.resolve(last);
    const reading = this.#reading.get(key) ?? this.#fetch(key, namespace, name);
    this.#reading.set(key, reading);
    return reading;
  }

  async #fetch(key: string, namespace: string, name: string): Promise<ReadSecret> {
    try {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
      const secret = decode(
        await this.#client.json({ path, deadlineMs: 10_000, attempts: 2 }),
        this.#clock.monotonic(),
      );
      this.#kept.set(key, secret);
      return secret;
    } catch (error) {
      const last = this.#kept.get(key);
      if (last !== undefined && error instanceof ApiError && isUnavailable(error)) return last;
      this.#kept.delete(key);
      throw error;
    } finally {
      this.#reading.delete(key);
    }
  }
}

/** No answer, or one that says nothing about the Secret. */
function isUnavailable(error: ApiError): boolean {
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;
}

function unopened(error: ApiError, namespace: string, name: string): UnopenedSecrets | undefined {
  const missing = refOf('Secret', namespace, name);
  if (error.status === 404) return { missing };
  if (error.status !== 403) return undefined;
  return { missing, denied: true, permission: `get secrets in namespace ${namespace} (Secret ${name})` };
}

type SecretBody = {
  readonly metadata?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly data?: Readonly<Record<string, string>> | null;
};

/**
 * Values as text. A line break at the end is dropped: `--from-file` and editors leave one, and no token, URL or password
 * ends with one.
 */
function decode(body: SecretBody, at: number): ReadSecret {
  const data = new Map<string, Secret>();
  for (const [key, value] of Object.entries(body.data ?? {}))
    data.set(
      key,
      new Secret(
        Buffer.from(value, 'base64')
          .toString('utf8')
          .replace(/[\r\n]+$/, ''),
      ),
    );
  return { at, version: `${body.metadata?.uid ?? ''}/${body.metadata?.resourceVersion ?? ''}`, data };
}
