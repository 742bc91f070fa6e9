import { narrateTest } from '../message/test-message.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import type { Delivery } from '../model/delivery.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import { testDelivery } from './deliveries.ts';

/** Providers whose last test is remembered; the one tested longest ago is forgotten first. */
const rememberedTests = 1_000;

/** The test messages that are asked of providers: whoever asks again wants to know how it is now, so the newest counts. */
export class ProviderTests {
  /** UID of a provider → id of the last test asked of it. */
  readonly #last = new BoundedMap<string, string>(rememberedTests);

  /** The test that is asked for, and the id of the one that it takes the place of. `now`: epoch milliseconds. */
  ask(
    provider: ProviderSettings,
    nonce: string,
    settings: Settings,
    now: number,
  ): { readonly test: Delivery; readonly dropped?: string } {
    const test = testDelivery(provider, nonce, narrateTest({ settings, now, provider: provider.ref }), now);
    const before = this.#last.get(provider.uid);
    this.#last.set(provider.uid, test.id);
    return { test, ...(before !== undefined && before !== test.id && { dropped: before }) };
  }

  /** The id of the last test of each provider, by its UID. */
  memory(): ReadonlyMap<string, string> {
    return new Map(this.#last.entries());
  }

  /** Goes on from what was asked before a restart. */
  restore(tests: ReadonlyMap<string, string>): void {
    for (const [uid, id] of tests) this.#last.set(uid, id);
  }
}
