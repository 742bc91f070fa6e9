import { reportOf } from '../../delivery/report.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Settings } from '../../model/settings.ts';
import type { Effects, Input } from '../../model/turn.ts';

/** How a replay departs from what was recorded. */
export type Departure = {
  /** The settings that are to hold instead. `now`: epoch milliseconds. */
  readonly settings: (recorded: Settings, now: number) => Settings;
  readonly recorded: RecordedRun;
};

/** What a replay under other settings must know of the run that was recorded, which is replayed first. */
export class RecordedRun {
  readonly #ended = new Set<string>();
  readonly #wakes: (number | undefined)[] = [];

  /** Takes note of a recorded turn, in order. */
  take({ inputs, effects }: { readonly inputs: readonly Input[]; readonly effects: Effects }): void {
    for (const input of inputs) if (input.kind === 'outcome') this.#ended.add(input.report.delivery);
    this.#wakes.push(effects.wakeAt);
  }

  /** Whether the recording tells how a delivery ended. */
  knowsEnd(delivery: string): boolean {
    return this.#ended.has(delivery);
  }

  /** When that run had asked to be woken before a turn (epoch milliseconds), by the turn's number from 0. */
  wakeBefore(turn: number): number | undefined {
    return this.#wakes[turn - 1];
  }
}

/** Whether what a window says by itself has changed is looked at so often (ms). */
const everyMs = 60_000;

/**
 * What a run that departs from a recording hears of its deliveries and settings. What it sends as the recorded run did ends as it did
 * there; what only it sends arrives; and nothing is heard of what it does not send.
 */
export class DepartedRun {
  readonly #departure: Departure;
  /** What was sent and has not ended. */
  readonly #underWay = new Map<string, Delivery>();
  #recorded: Settings | undefined;
  #held = '';
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(departure: Departure) {
    this.#departure = departure;
  }

  /** What the core is to be given of recorded inputs. */
  inputs(recorded: readonly Input[], now: number): readonly Input[] {
    const own = recorded.flatMap((input): readonly Input[] => {
      if (input.kind === 'settings') {
        this.#recorded = input.settings;
        return [];
      }
      return input.kind === 'outcome' && !this.#isUnderWay(input) ? [] : [input];
    });
    const isNew = recorded.some(({ kind }) => kind === 'settings');
    return [...this.#settings(now, isNew), ...own];
  }

  /** Takes note of what a turn sends. */
  sent({ save: { enqueue, replace, drop } }: Effects): void {
    for (const delivery of [...enqueue, ...replace]) this.#underWay.set(delivery.id, delivery);
    for (const id of drop) this.#underWay.delete(id);
  }

  /**
   * Whether a wake-up that this run asked for is the recorded turn of a number, however late that came on a busy machine: the recorded run had asked for
   * the same.
   */
  isWake(turn: number, wakeAt: number): boolean {
    return this.#departure.recorded.wakeBefore(turn) === wakeAt;
  }

  /** When the next delivery arrives that only this run sends (epoch milliseconds). */
  arrivesAt(): number | undefined {
    return this.#next()?.notBefore;
  }

  /** That it has arrived. */
  arrival(now: number): readonly Input[] {
    const delivery = this.#next();
    if (delivery === undefined) return [];
    this.#underWay.delete(delivery.id);
    const end = { ended: 'delivered', attempts: 1, mayHaveArrived: true } as const;
    return [{ kind: 'outcome', report: reportOf(delivery, end, now) }];
  }

  #next(): Delivery | undefined {
    let next: Delivery | undefined;
    for (const delivery of this.#underWay.values())
      if (
        !this.#departure.recorded.knowsEnd(delivery.id) &&
        delivery.notBefore < (next?.notBefore ?? Number.POSITIVE_INFINITY)
      )
        next = delivery;
    return next;
  }

  #isUnderWay({ report }: Extract<Input, { kind: 'outcome' }>): boolean {
    const isKnown = this.#underWay.has(report.delivery);
    if (report.ended !== 'pending') this.#underWay.delete(report.delivery);
    return isKnown;
  }

  /** The settings, where they are others than the core has. */
  #settings(now: number, isNew: boolean): readonly Input[] {
    if (this.#recorded === undefined || (!isNew && now < this.#lookedAt + everyMs)) return [];
    this.#lookedAt = now;
    const settings = this.#departure.settings(this.#recorded, now);
    const text = JSON.stringify(settings);
    if (text === this.#held && !isNew) return [];
    this.#held = text;
    return [{ kind: 'settings', settings }];
  }
}
