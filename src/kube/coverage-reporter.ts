import type { Clock } from '../model/clock.ts';
import type { Coverage, CoverageReason, CoverageState } from '../model/coverage.ts';
import { type Resource, sourceOf } from '../model/resource.ts';

/** How long trouble may last before it is said (ms). */
const graceMs = 5_000;

/** States that are bad already: what else goes wrong is said at once. */
const bad: ReadonlySet<CoverageState | undefined> = new Set(['Failing', 'Denied', 'NotServed']);

type Trouble = { state: CoverageState; reason: CoverageReason; readonly cancel: () => void };

/** Says what is known of one resource, on every change of it and only then. */
export class CoverageReporter {
  readonly #resource: Resource;
  readonly #clock: Clock;
  readonly #report: (coverage: Coverage) => void;
  #last: Coverage | undefined;
  #trouble: Trouble | undefined;

  /** `report` must not throw. */
  constructor(resource: Resource, clock: Clock, report: (coverage: Coverage) => void) {
    this.#resource = resource;
    this.#clock = clock;
    this.#report = report;
  }

  /** What was said last. */
  get state(): CoverageState {
    return this.#last?.state ?? 'Syncing';
  }

  /** Whether that was that it cannot be watched. */
  get isBad(): boolean {
    return bad.has(this.#last?.state);
  }

  /** It is so now. */
  set(state: CoverageState, reason: CoverageReason): void {
    this.stop();
    const last = this.#last;
    if (last?.state === state && last.reason === reason) return;
    this.#last = {
      source: sourceOf(this.#resource),
      kind: this.#resource.kind,
      state,
      reason,
      since: last?.state === state ? last.since : this.#clock.now(),
      required: this.#resource.required ?? false,
    };
    this.#report(this.#last);
  }

  /** Something failed. Said only if it lasts: a watch that is back within 5 s has missed nothing. */
  trouble(state: CoverageState, reason: CoverageReason): void {
    if (this.isBad) {
      this.set(state, reason);
    } else if (this.#trouble !== undefined) {
      this.#trouble.state = state;
      this.#trouble.reason = reason;
    } else {
      const said = { state, reason, cancel: this.#clock.after(graceMs, () => this.set(said.state, said.reason)) };
      this.#trouble = said;
    }
  }

  /** Trouble that has not been said yet no longer counts. */
  stop(): void {
    this.#trouble?.cancel();
    this.#trouble = undefined;
  }
}
