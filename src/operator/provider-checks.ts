import type { AlertProvider } from '../api/alert-provider.ts';
import type { Ref } from '../model/ref.ts';
import type { SecretSource } from '../model/secret-source.ts';
import { checkSecrets, checkSpec, checkValues, type ProviderCheck } from './check.ts';

/**
 * Referenced Secrets are read again after this; milliseconds. `found`: the design's figure, so that a rotated credential is
 * noticed. `missing`: somebody is likely to be creating it. `unread`: the API server could not be asked.
 */
const recheckMs: Readonly<Record<ProviderCheck['secrets'], number>> = { found: 60_000, missing: 10_000, unread: 2_000 };

/** The verdicts on our AlertProviders. */
export type ProviderChecks = {
  /** `undefined`: it has not been judged yet. */
  get(ref: Ref): ProviderCheck | undefined;
  /**
   * Judges a provider, reading its Secrets. Resolves with whether what it would be sent with has changed. Rejects when the
   * Secrets cannot be read; the verdict then says so.
   */
  judge(ref: Ref): Promise<boolean>;
  /** Milliseconds until it should be judged again, `undefined` when only an edit can change the verdict. */
  nextMs(ref: Ref): number | undefined;
  forget(ref: Ref): void;
};

/** No verdicts yet. `object`: the provider as last seen. */
export function createProviderChecks(options: {
  readonly object: (ref: Ref) => AlertProvider | undefined;
  readonly secrets: SecretSource;
}): ProviderChecks {
  const checks = new Map<Ref, ProviderCheck>();

  async function judge(ref: Ref): Promise<boolean> {
    const object = options.object(ref);
    if (!object) return false;
    const { generation } = object.metadata;
    const spec = checkSpec(object);
    if (spec.length > 0) {
      checks.set(ref, { generation, invalid: true, secrets: 'unread', problems: spec });
      return false;
    }
    const before = checks.get(ref);
    try {
      const opened = await options.secrets.open(ref, false);
      // Edited or deleted meanwhile: the newer visit judges.
      if (options.object(ref) !== object) return false;
      if (!('values' in opened)) {
        checks.set(ref, { generation, invalid: false, secrets: 'missing', problems: checkSecrets(opened) });
        return false;
      }
      const problems = checkValues(object, opened);
      const secretsVersion = opened.version;
      checks.set(ref, { generation, invalid: problems.length > 0, secrets: 'found', secretsVersion, problems });
      return before?.secretsVersion !== secretsVersion;
    } catch (error) {
      // What was found out about this very spec still counts.
      if (options.object(ref) === object && before?.generation !== generation)
        checks.set(ref, { generation, invalid: false, secrets: 'unread', problems: [] });
      throw error;
    }
  }

  return {
    get: (ref) => checks.get(ref),
    judge,
    nextMs(ref) {
      const check = checks.get(ref);
      return !check || (check.invalid && check.secrets === 'unread') ? undefined : recheckMs[check.secrets];
    },
    forget: (ref) => void checks.delete(ref),
  };
}
