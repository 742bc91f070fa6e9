import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../model/clock.ts';
import type { Ref } from '../model/ref.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ProviderChecks } from './provider-checks.ts';
import { Timetable } from './timetable.ts';

/** What judging providers needs. */
export type ProviderJudgeOptions = {
  readonly checks: ProviderChecks;
  readonly clock: Clock;
  readonly log: Logger;
  /** The verdict on a provider, which nobody had just seen, is another one now. */
  readonly changed: (ref: Ref) => void;
};

/** Keeps the verdicts on our AlertProviders up to date: each is judged again whenever its Secrets may have changed. */
export class ProviderJudge {
  readonly #options: ProviderJudgeOptions;
  readonly #timetable: Timetable;
  /** Providers with other Secrets than before, since they were last taken. */
  readonly #reopened = new Set<Ref>();

  constructor(options: ProviderJudgeOptions) {
    this.#options = options;
    this.#timetable = new Timetable(options.clock);
  }

  /** Judges a provider now; `fresh`: with its Secrets read anew. Never rejects. */
  async judge(ref: Ref, fresh = false): Promise<void> {
    const { checks, clock, log } = this.#options;
    try {
      if (await checks.judge(ref, fresh)) this.#reopened.add(ref);
    } catch (error) {
      log.warn({ err: error, provider: ref }, 'cannot read the Secrets of a provider; trying again');
    }
    const nextMs = checks.nextMs(ref);
    this.#timetable.at(ref, nextMs === undefined ? undefined : clock.now() + nextMs, () => void this.judgeAgain(ref));
  }

  /**
   * Judges a provider with Secrets read anew, and tells when the verdict changed: what a delivery read a moment ago would hide a
   * change for another minute. Never rejects.
   */
  async judgeAgain(ref: Ref): Promise<void> {
    const { checks, changed } = this.#options;
    const before = checks.get(ref);
    await this.judge(ref, true);
    if (!isDeepStrictEqual(before, checks.get(ref))) changed(ref);
  }

  /** The providers with other Secrets than when they were last taken. */
  takeReopened(): readonly Ref[] {
    const taken = [...this.#reopened];
    this.#reopened.clear();
    return taken;
  }

  /** The provider is gone. */
  forget(ref: Ref): void {
    this.#timetable.cancel(ref);
    this.#reopened.delete(ref);
    this.#options.checks.forget(ref);
  }

  /** None is judged again by itself. */
  stop(): void {
    this.#timetable.stop();
  }
}
