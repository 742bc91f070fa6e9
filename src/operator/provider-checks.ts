import type { Clock } from '../model/clock.ts';
import type { Ref } from '../model/ref.ts';
import type { SecretSource, UnopenedSecrets } from '../model/secret-source.ts';
import { checkSecrets, checkSpec, checkValues, type ProviderCheck } from './check.ts';
import type { Held } from './objects.ts';

/**
 * Referenced Secrets are read again after this; milliseconds. `found`: the design's figure, so that a rotated credential is
 * noticed. `missing`: somebody is likely to be creating it. `unread`: the API server could not be asked.
 */
const recheckMs: Readonly<Record<ProviderCheck['secrets'], number>> = { found: 60_000, missing: 10_000, unread: 2_000 };
/** A provider and its Secret are often applied together, in any order: for so long a missing one is waited for. Milliseconds. */
const graceMs = 60_000;

/** What the checks are made from. */
export type ProviderChecksOptions = {
  /** The provider as last seen. */
  readonly provider: (ref: Ref) => Held<'AlertProvider'> | undefined;
  readonly secrets: SecretSource;
  /** The operator's. */
  readonly namespace: string;
  readonly clock: Clock;
};

/** The verdicts on our AlertProviders. */
export class ProviderChecks {
  readonly #options: ProviderChecksOptions;
  readonly #checks = new Map<Ref, ProviderCheck>();

  constructor(options: ProviderChecksOptions) {
    this.#options = options;
  }

  /** `undefined`: it has not been judged yet. */
  get(ref: Ref): ProviderCheck | undefined {
    return this.#checks.get(ref);
  }

  /** Whether the verdict is about the spec as it is now. */
  isCurrent(ref: Ref): boolean {
    return this.#checks.get(ref)?.generation === this.#options.provider(ref)?.object.metadata.generation;
  }

  /**
   * Judges a provider, reading its Secrets; `fresh`: whatever was read before. Resolves with whether what it would be sent with has
   * changed. Rejects when the Secrets cannot be read; the verdict then says so.
   */
  async judge(ref: Ref, fresh = false): Promise<boolean> {
    const held = this.#options.provider(ref);
    if (!held) return false;
    const { generation } = held.object.metadata;
    const wrong = checkSpec(held, this.#options.namespace);
    if (wrong.length > 0) {
      this.#checks.set(ref, { generation, invalid: true, secrets: 'unread', problems: wrong });
      return false;
    }
    const before = this.#checks.get(ref);
    /** Edited or deleted meanwhile: the newer visit judges. An echo of our own status is no edit. */
    const isSuperseded = (): boolean => this.#options.provider(ref)?.meaning !== held.meaning;
    try {
      const opened = await this.#options.secrets.open(ref, fresh);
      if (isSuperseded()) return false;
      if (!('values' in opened)) {
        this.#checks.set(ref, this.#missing(held, before, opened));
        return false;
      }
      const verdict = checkValues(held.object, opened, this.#options.clock.now());
      const secretsVersion = opened.version;
      this.#checks.set(ref, { generation, ...verdict, secrets: 'found', secretsVersion });
      return before?.secretsVersion !== secretsVersion;
    } catch (error) {
      // What was found out about this very spec still counts.
      if (!isSuperseded() && before?.generation !== generation)
        this.#checks.set(ref, { generation, invalid: false, secrets: 'unread', problems: [] });
      throw error;
    }
  }

  /** Milliseconds until it should be judged again, `undefined` when only an edit can change the verdict. */
  nextMs(ref: Ref): number | undefined {
    const check = this.#checks.get(ref);
    if (!check || (check.invalid && check.secrets === 'unread')) return undefined;
    if (check.waiting === undefined) return recheckMs[check.secrets];
    return Math.min(recheckMs[check.secrets], Math.max(0, check.waiting.until - this.#options.clock.now()));
  }

  /** The provider is gone. */
  forget(ref: Ref): void {
    this.#checks.delete(ref);
  }

  /** A Secret that has never been there since this spec was first seen is waited for; one that went away is a problem at once. */
  #missing(
    { object }: Held<'AlertProvider'>,
    before: ProviderCheck | undefined,
    unopened: UnopenedSecrets,
  ): ProviderCheck {
    const now = this.#options.clock.now();
    const { generation } = object.metadata;
    const problems = checkSecrets(unopened);
    const same = before?.generation === generation && before.secrets !== 'unread';
    const isNew = !same && object.status?.observedGeneration !== generation;
    const until = same ? (before.waiting?.until ?? now) : isNew ? now + graceMs : now;
    const verdict = { generation, invalid: false, secrets: 'missing' } as const;
    if (until <= now || unopened.denied === true) return { ...verdict, problems };
    return { ...verdict, problems: [], waiting: { until, message: problems.map(({ message }) => message).join('; ') } };
  }
}
