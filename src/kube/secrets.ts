import { shortHash } from '../model/hash.ts';
import { type Ref, refOf } from '../model/ref.ts';
import type { Secret } from '../model/secret.ts';
import type { OpenedSecrets, SecretSource, UnopenedSecrets } from '../model/secret-source.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { ReadSecret, SecretReader } from './secret-reader.ts';

/** What a secret source needs. */
export type SecretSourceOptions = {
  readonly reader: SecretReader;
  /** The provider as it is now. */
  provider(ref: Ref): Pick<ProviderSettings, 'namespace' | 'secrets' | 'generation'> | undefined;
  /** The value that the provider's own object holds for a field. */
  inline(provider: Ref, field: string): Secret | undefined;
};

/**
 * Reads the Secrets that a provider names, always from the provider's own namespace: naming another team's Secret is not
 * possible. While the API server cannot be asked, what was last read is used: an alert must not wait for the API.
 */
export class ProviderSecrets implements SecretSource {
  readonly #options: SecretSourceOptions;

  constructor(options: SecretSourceOptions) {
    this.#options = options;
  }

  /** `fresh`: read again, whatever is kept. Rejects with `ApiError` when the API server cannot be asked and nothing is kept. */
  async open(ref: Ref, fresh: boolean): Promise<OpenedSecrets | UnopenedSecrets> {
    const provider = this.#options.provider(ref);
    if (provider === undefined) return { missing: ref };
    const values = new Map<string, Secret>();
    const versions = new Set<string>();
    // One read per Secret, even when several fields name it and the cache is bypassed.
    const opened = new Map<string, ReadSecret>();
    for (const [field, location] of Object.entries(provider.secrets).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if ('inline' in location) {
        const value = this.#options.inline(ref, field);
        if (value === undefined) return { missing: ref, key: field };
        values.set(field, value);
        continue;
      }
      const { secret: name, key } = location;
      const secret = opened.get(name) ?? (await this.#options.reader.open(provider.namespace, name, fresh));
      if ('missing' in secret) return secret;
      opened.set(name, secret);
      const value = secret.data.get(key);
      if (value === undefined) return { missing: refOf('Secret', provider.namespace, name), key };
      values.set(field, value);
      versions.add(`${name}@${secret.version}`);
    }
    return { values, version: shortHash([provider.generation, ...versions]) };
  }
}
