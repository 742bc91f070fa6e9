import { backoffMs } from '../../model/backoff.ts';
import type { Clock } from '../../model/clock.ts';
import type { Resource } from '../../model/resource.ts';

/** What is served and allowed is looked at again this often. */
const usualMs = 600_000;
/** While something of that cannot be found out: this, doubling to a minute. */
const retryWaits = { firstMs: 2_000, longestMs: 60_000 };

/** What looking needs. */
export type LooksOptions = {
  readonly clock: Clock;
  /** How often everything is looked at; default ten minutes. */
  readonly everyMs?: number | undefined;
  /** Everything that is to be looked at now. */
  readonly everything: () => readonly Resource[];
  /** Looks at some resources; whether all could be found out. Must not reject. */
  readonly look: (resources: readonly Resource[]) => Promise<boolean>;
};

/** Looks at what is served and allowed, one look after the other: an older answer must not overrule a newer one. */
export class Looks {
  readonly #options: LooksOptions;
  #looking: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;
  /** Looks at everything in a row that left something unknown. */
  #failures = 0;
  #stopped = false;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** Looks at everything, and again every so often; sooner while something cannot be found out. */
  start(): void {
    this.#looking = this.#looking.then(async () => {
      const { clock, everyMs = usualMs, everything } = this.#options;
      const allKnown = await this.#look(everything());
      if (this.#stopped) return;
      this.#failures = allKnown ? 0 : this.#failures + 1;
      const waitMs = allKnown ? everyMs : backoffMs(retryWaits, this.#failures);
      this.#cancel = clock.after(waitMs, () => this.start());
    });
  }

  /** Looks at some between the usual looks, to which it leaves what cannot be found out. `some` is asked when its turn comes. */
  at(some: () => readonly Resource[]): void {
    this.#looking = this.#looking.then(async () => void (await this.#look(some())));
  }

  /** No further looks. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #look(resources: readonly Resource[]): Promise<boolean> | true {
    return this.#stopped || resources.length === 0 || this.#options.look(resources);
  }
}
