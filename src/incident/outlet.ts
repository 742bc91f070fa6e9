import type { Announcement } from '../model/announcement.ts';
import type { Faults } from '../model/faults.ts';
import { type Memory, recall } from '../model/memory.ts';
import { refOf } from '../model/ref.ts';
import { announce } from './announce.ts';
import type { StepContext } from './context.ts';
import { Debts } from './debts.ts';
import { Digests } from './digest.ts';
import { listsOver } from './list-endings.ts';
import { listsForStandIns } from './list-stand-ins.ts';
import type { Message } from './notices.ts';
import type { Reach, Reached } from './reach.ts';
import type { UntoldList } from './reports.ts';
import type { Found } from './start-lists.ts';
import type { Step } from './step.ts';
import type { IncidentStore } from './store.ts';
import { Throttles } from './throttle.ts';
import { isThrottleMemory } from './throttle-memory.ts';

/** What a step announces from, beside the messages that it has gathered. */
type Announcing = {
  readonly reached: Reached;
  readonly found: Found;
  readonly untoldLists: readonly UntoldList[];
  /** This life took a baseline. */
  readonly isFresh: boolean;
};

/**
 * The last stages of a step: what is owed, throttle and announce; what goes out by itself, and the lists that stand for the rest. Where one
 * of them throws, the others are announced, and messages go out by themselves rather than not at all.
 */
export class Outlet {
  readonly #throttles = new Throttles();
  readonly #digests: Digests;
  readonly #debts: Debts;
  readonly #store: IncidentStore;
  readonly #reach: Reach;
  readonly #faults: Faults;

  constructor(store: IncidentStore, reach: Reach, faults: Faults) {
    this.#store = store;
    this.#reach = reach;
    this.#faults = faults;
    this.#digests = new Digests(faults);
    this.#debts = new Debts(faults);
  }

  /** What is to be remembered of what was announced. */
  memory(): Memory {
    return { ...this.#debts.memory(), ...this.#digests.memory(), throttles: this.#throttles.memory() };
  }

  /** Goes on from what was announced before a restart. */
  restore(memory: Memory): void {
    this.#debts.restore(memory);
    this.#digests.restore(memory);
    this.#throttles.restore(recall(memory, 'throttles', isThrottleMemory));
  }

  /** All that goes out in this step, in order. */
  announce({ reached, found, untoldLists, isFresh }: Announcing, context: StepContext, step: Step): Announcement[] {
    const store = this.#store;
    const alone = announce(this.#sift(step.messages, 'messages', context), store, context);
    const digests = this.#digests.due(store, context);
    const late = found.incidents.size > 0 ? found : undefined;
    const paid = this.#debts.pay(reached, { found: late, fresh: isFresh, reach: this.#reach }, store, context);
    for (const decision of paid.decisions) step.decisions.push(decision);
    const [ends, others] = [alone.filter(({ act }) => act === 'resolve'), alone.filter(({ act }) => act !== 'resolve')];
    const due = new Set([...reached.arrived, ...reached.answered, ...reached.probed]);
    const announcements = [
      // What ended under a key is closed before it is opened anew.
      ...[...announce(paid.ends, store, context), ...ends],
      ...paid.summaries,
      ...announce(this.#sift(paid.messages, 'debts', context), store, context),
      ...others,
      ...this.#lists('overviews', () => this.#throttles.overviews(store, context)),
      ...this.#lists('closings', () => listsOver(step.resolved, due, store, context)),
      ...digests.announcements,
      ...this.#lists('stand-ins', () => listsForStandIns(untoldLists, store, context)),
    ];
    step.wakes.push(digests.wakeAt, this.#throttles.wakeAt());
    return announcements;
  }

  #sift(messages: readonly Message[], by: string, context: StepContext): readonly Message[] {
    return this.#gather(
      by,
      () => this.#throttles.sift(messages, this.#store, context),
      () => messages,
    );
  }

  #lists(by: string, work: () => readonly Announcement[]): readonly Announcement[] {
    return this.#gather(by, work, () => []);
  }

  #gather<T>(by: string, work: () => T, otherwise: () => T): T {
    return this.#faults.guard({ step: 'list', about: refOf('Message', '', by), by }, work, otherwise);
  }
}
