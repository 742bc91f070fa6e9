import type { Clock } from '../model/clock.ts';
import type { Coverage, CoverageReason, CoverageState } from '../model/coverage.ts';
import { type Resource, sourceOf } from './resources.ts';

/** Says what is known of one resource, on every change of it and only then. */
export type CoverageReporter = {
  /** It is so now. */
  set(state: CoverageState, reason: CoverageReason): void;
  /** Something failed. Said only if it lasts: a watch that is back within 5 s has missed nothing. */
  trouble(state: CoverageState, reason: CoverageReason): void;
  state(): CoverageState;
  /** No more reports. */
  stop(): void;
};

/** How long trouble may last before it is said (ms). */
const graceMs = 5_000;

/** A reporter for one resource. A throwing listener is told to `onHandlerError`. */
export function createCoverageReporter(options: {
  readonly resource: Resource;
  readonly clock: Clock;
  readonly onCoverage: (coverage: Coverage) => void;
  readonly onHandlerError: (error: unknown) => void;
}): CoverageReporter {
  const { resource, clock } = options;
  let last: Coverage | undefined;
  let pending: { state: CoverageState; reason: CoverageReason; readonly cancel: () => void } | undefined;

  function set(state: CoverageState, reason: CoverageReason): void {
    pending?.cancel();
    pending = undefined;
    if (last?.state === state && last.reason === reason) return;
    last = {
      source: sourceOf(resource),
      kind: resource.kind,
      state,
      reason,
      since: last?.state === state ? last.since : clock.now(),
      required: resource.required ?? false,
    };
    try {
      options.onCoverage(last);
    } catch (error) {
      options.onHandlerError(error);
    }
  }

  return {
    set,
    trouble(state, reason) {
      const known = last?.state;
      if (known === 'Failing' || known === 'Denied' || known === 'NotServed') {
        set(state, reason);
      } else if (pending !== undefined) {
        pending.state = state;
        pending.reason = reason;
      } else {
        const said = { state, reason, cancel: clock.after(graceMs, () => set(said.state, said.reason)) };
        pending = said;
      }
    },
    state: () => last?.state ?? 'Syncing',
    stop() {
      pending?.cancel();
      pending = undefined;
    },
  };
}
