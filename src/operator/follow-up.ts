import type { Clock } from '../model/clock.ts';
import { kindOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { Admission } from './admission.ts';
import { isOurKind, type OwnObjects } from './objects.ts';
import type { ProviderChecks } from './provider-checks.ts';
import type { ProviderJudge } from './provider-judge.ts';
import type { ProviderRequests } from './provider-requests.ts';
import { silenceChangesAt } from './silence-status.ts';
import { Timetable } from './timetable.ts';
import { windowChangesAt } from './window-status.ts';

/** What following a publication needs. */
export type FollowUpOptions = {
  readonly objects: OwnObjects;
  readonly admission: Admission;
  readonly checks: ProviderChecks;
  readonly judge: ProviderJudge;
  readonly requests: ProviderRequests;
  readonly clock: Clock;
  /** The status of an object may have changed. */
  readonly touch: (ref: Ref) => void;
  /** Time alone has changed what an object means. */
  readonly changed: (ref: Ref) => void;
};

/** Looks after the objects that a publication changed: their statuses, what is asked of them, and when they change by time alone. */
export class FollowUp {
  readonly #options: FollowUpOptions;
  readonly #timetable: Timetable;

  constructor(options: FollowUpOptions) {
    this.#options = options;
    this.#timetable = new Timetable(options.clock);
  }

  /** An object changed, takes part now or no longer, or means something else to the core. */
  follow(ref: Ref): void {
    if (kindOf(ref) === 'AlertProvider') this.#followProvider(ref);
    else this.#changeInTime(ref);
    this.#options.touch(ref);
  }

  /** The object is gone. */
  forget(ref: Ref): void {
    this.#timetable.cancel(ref);
  }

  /** Nothing changes by time any more. */
  stop(): void {
    this.#timetable.stop();
  }

  #followProvider(ref: Ref): void {
    const { objects, admission, checks, judge, requests, touch } = this.#options;
    // What they fall back on came, went or leads elsewhere.
    for (const other of objects.refsIn('AlertProvider', namespaceOf(ref)))
      if (objects.get('AlertProvider', other)?.meaning?.fallback === ref) touch(other);
    if (!objects.get('AlertProvider', ref) || !admission.has('AlertProvider', ref)) return;
    if (checks.isCurrent(ref)) void requests.look(ref);
    else void judge.judgeAgain(ref);
  }

  /** Silences and windows change by time alone. */
  #changeInTime(ref: Ref): void {
    const { objects, admission, clock, changed } = this.#options;
    const now = clock.now();
    const kind = kindOf(ref);
    const takesPart = isOurKind(kind) && admission.has(kind, ref);
    const silence = takesPart && objects.get('Silence', ref)?.meaning;
    const window = takesPart && objects.get('MaintenanceWindow', ref)?.meaning;
    const next = silence ? silenceChangesAt(silence, now) : window ? windowChangesAt(window, now) : undefined;
    this.#timetable.at(ref, next, () => changed(ref));
  }
}
