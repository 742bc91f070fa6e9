import { nameOf, type Ref } from './ref.ts';
import type { Secret } from './secret.ts';

/** The secret fields of one provider, opened. */
export type OpenedSecrets = {
  /** Field path as in `ProviderSettings.secrets` (`url`, `headers.X-Key`) → its value. */
  readonly values: ReadonlyMap<string, Secret>;
  /** Changes whenever a value may have changed: a rotated credential makes a failed destination usable again. */
  readonly version: string;
};

/** Why they cannot be opened. `missing` is the Secret (or, for a value written inline, the provider itself). */
export type UnopenedSecrets =
  | {
      readonly missing: Ref;
      /** The Secret exists and lacks this key (inline: the field). */
      readonly key?: string;
      readonly denied?: false;
    }
  | {
      readonly missing: Ref;
      /** The API server refused the read. */
      readonly denied: true;
      /** Exactly what must be granted, for people: `get secrets in namespace shop (Secret chat-token)`. */
      readonly permission: string;
    };

/** Where the sender gets credentials from. kube/ implements it, runtime/ hands it to delivery/. */
export type SecretSource = {
  /**
   * Opens every secret field of a provider. `fresh` bypasses the cache, for the attempt after a refused credential.
   * Rejects only when the API server cannot be asked and nothing was read before: worth another try later.
   */
  open(provider: Ref, fresh: boolean): Promise<OpenedSecrets | UnopenedSecrets>;
};

/** Why a Secret of the operator's settings cannot be read, for people. `called`: whose it is. */
export function whyUnopened(unopened: UnopenedSecrets, called = 'its Secret'): string {
  if (unopened.denied) return `Tocsin may not read ${called}: grant ${unopened.permission}`;
  const secret = `the Secret ${nameOf(unopened.missing)}`;
  return unopened.key === undefined ? `${secret} does not exist` : `${secret} has no key ${unopened.key}`;
}
