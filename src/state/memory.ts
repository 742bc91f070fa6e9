import { begins, type Delivery, laneOf, type Reference } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Memo } from '../model/memo.ts';
import {
  afterAttempt,
  type DeadLetter,
  type Diversion,
  type Saved,
  type Settlement,
  type Store,
  type StoredDelivery,
  type WaitingDeliveries,
} from '../model/store.ts';
import type { Batch } from '../model/turn.ts';
import { heirOf, supersededBy } from './collapse.ts';
import { DeadLetters } from './dead-letters.ts';
import { explanationsOf, incidentRowOf, mustReplace } from './explanations.ts';
import { Outbox } from './outbox.ts';
import { Streams } from './streams.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change, ChangeLog } from './tables.ts';

/** Ids of ended deliveries that are kept. */
const maxEnded = 10_000;
/** Whoever remembers bounds what it remembers; this only holds if one of them does not. */
const maxMemos = 100_000;

const unbounded = Number.POSITIVE_INFINITY;
const memoKey = ({ topic, key }: Pick<Memo, 'topic' | 'key'>): string => `${topic}|${key}`;

/**
 * The store in memory: all there is on Community. With a change log attached, every call's changes go there as one
 * transaction, so that what was saved can be loaded by the next process.
 */
export class MemoryStore implements Store {
  #position = 0;
  #log: ChangeLog | undefined;
  #changes: Change[] = [];
  readonly #owner: TableOwner = {
    place: () => {
      this.#position += 1;
      return this.#position;
    },
    changed: (change) => {
      if (this.#log) this.#changes.push(change);
    },
  };
  readonly #incidents = new Table<Incident>('incidents', unbounded, this.#owner, incidentRowOf);
  readonly #explanations = new Table<Explanation>('explanations', unbounded, this.#owner);
  readonly #outbox = new Outbox(this.#owner);
  readonly #streams = new Streams(this.#owner);
  readonly #deadLetters = new DeadLetters(this.#owner);
  readonly #ended = new Table<true>('ended', maxEnded, this.#owner);
  readonly #memos = new Table<Memo>('memos', maxMemos, this.#owner);
  #dropped: StoredDelivery[] = [];
  #savedAt: number | undefined;

  /** Begins with what an earlier process left, if it did. */
  constructor(saved?: Saved) {
    if (saved) this.restore(saved);
  }

  /** Goes on from what an earlier process left. Comes before anything else. */
  restore({ incidents, outbox, streams, deadLetters, ended, memos, savedAt }: Saved): void {
    this.#savedAt = savedAt;
    for (const incident of incidents) this.#keep(incident);
    for (const stored of outbox) this.#outbox.set(interrupted(stored));
    for (const memory of streams) this.#streams.restore(memory);
    for (const letter of deadLetters) this.#deadLetters.keep(letter);
    for (const id of ended) this.#ended.renew(id, true);
    for (const memo of memos) this.#remember(memo);
  }

  /** From now on every call's changes go to `log`, one transaction each. What there is already is in `changes`. */
  attach(log: ChangeLog): void {
    this.#log = log;
  }

  /** Nothing is behind this store any more. */
  detach(): void {
    this.#log = undefined;
  }

  /** Everything there is, as changes that would make it. */
  *changes(): Generator<Change> {
    yield* this.#incidents.changes();
    yield* this.#explanations.changes();
    yield* this.#outbox.changes();
    yield* this.#streams.changes();
    yield* this.#deadLetters.changes();
    yield* this.#ended.changes();
    yield* this.#memos.changes();
  }

  commit({ incidents, forget, replace, drop, forgetFailed, enqueue, memos }: Batch): void {
    this.#transaction(() => {
      for (const incident of incidents) this.#keep(incident);
      for (const id of forget) this.#forget(id);
      for (const delivery of replace) this.#replace(delivery);
      for (const id of drop) {
        const stored = this.#outbox.get(id);
        if (stored && !stored.inFlight) this.#drop(stored);
      }
      for (const id of forgetFailed) this.#deadLetters.forget(id);
      for (const delivery of enqueue) this.#enqueue(delivery);
      for (const memo of memos) this.#remember(memo);
    });
  }

  begin(id: string): StoredDelivery | undefined {
    return this.#transaction(() => {
      const stored = this.#outbox.get(id);
      if (!stored) return undefined;
      const begun = { ...stored, inFlight: true };
      this.#outbox.set(begun);
      return begun;
    });
  }

  settle(id: string, settlement: Settlement): void {
    const before = this.#outbox.get(id);
    if (before) this.#transaction(() => this.#settle(before, settlement));
  }

  postpone(id: string, until: number): void {
    const stored = this.#outbox.get(id);
    if (stored) this.#transaction(() => this.#outbox.set({ ...stored, nextAttemptAt: until, inFlight: false }));
  }

  takeDropped(): readonly StoredDelivery[] {
    const taken = this.#dropped;
    this.#dropped = [];
    return taken;
  }

  load(): Saved {
    return {
      incidents: this.#incidents.values(),
      outbox: this.outbox(),
      streams: this.#streams.values(),
      deadLetters: this.deadLetters(),
      ended: this.#ended.keys(),
      memos: this.#memos.values(),
      ...(this.#savedAt !== undefined && { savedAt: this.#savedAt }),
    };
  }

  durable(): Promise<void> | undefined {
    return this.#log?.durable();
  }

  outbox(): readonly StoredDelivery[] {
    return this.#outbox.all();
  }

  get waiting(): WaitingDeliveries {
    return this.#outbox;
  }

  reference(stream: string, providerUid: string): Reference | undefined {
    return this.#streams.reference(stream, providerUid);
  }

  diversion(stream: string, providerUid: string): Diversion | undefined {
    return this.#streams.diversion(stream, providerUid);
  }

  deadLetters(): readonly DeadLetter[] {
    return this.#deadLetters.values();
  }

  /** Does `work` and hands on what it changed. */
  #transaction<Result>(work: () => Result): Result {
    const result = work();
    if (this.#changes.length === 0) return result;
    const changes = this.#changes;
    this.#changes = [];
    this.#log?.append(changes);
    return result;
  }

  #keep(incident: Incident): void {
    const kept = new Set<string>();
    for (const [key, explanation] of explanationsOf(incident)) {
      kept.add(key);
      const saved = this.#explanations.get(key);
      if (saved === undefined || mustReplace(saved, explanation)) this.#explanations.set(key, explanation);
    }
    this.#withoutExplanations(incident.id, kept);
    this.#incidents.set(incident.id, incident);
  }

  #forget(id: string): void {
    this.#withoutExplanations(id, new Set());
    this.#incidents.delete(id);
    this.#streams.forget(id);
  }

  /** Takes out what an incident said so far, but for some. */
  #withoutExplanations(id: string, kept: ReadonlySet<string>): void {
    const before = this.#incidents.get(id);
    if (before) for (const [key] of explanationsOf(before)) if (!kept.has(key)) this.#explanations.delete(key);
  }

  #remember(memo: Memo): void {
    if (memo.value === undefined) this.#memos.delete(memoKey(memo));
    else this.#memos.renew(memoKey(memo), memo);
  }

  #settle(before: StoredDelivery, settlement: Settlement): void {
    const outcome = settlement.is === 'moved' ? undefined : settlement.outcome;
    const stored = outcome ? afterAttempt(before, outcome) : before;
    if (outcome?.ref) this.#streams.refer(stored.delivery, outcome.ref);
    if (settlement.is === 'retry') {
      this.#outbox.set({ ...stored, nextAttemptAt: settlement.nextAttemptAt });
      return;
    }
    this.#outbox.delete(stored);
    this.#ended.renew(stored.delivery.id, true);
    if (settlement.is === 'delivered') {
      if (begins(stored.delivery)) this.#streams.endDiversion(stored.delivery);
      return;
    }
    if (settlement.is === 'failed') this.#bury(stored, settlement);
    if (settlement.copy) this.#handOver(stored, settlement.copy);
  }

  #replace(delivery: Delivery): void {
    const stored = this.#outbox.get(delivery.id);
    if (!stored || stored.inFlight || stored.mayHaveArrived) return;
    const nextAttemptAt = stored.attempts === 0 ? delivery.notBefore : stored.nextAttemptAt;
    this.#outbox.set({ ...stored, delivery: heirOf(delivery, [stored]), nextAttemptAt });
  }

  #enqueue(delivery: Delivery): void {
    if (this.#outbox.get(delivery.id) || this.#ended.has(delivery.id)) return;
    const { drops, needless } = supersededBy(delivery, this.#outbox.lane(laneOf(delivery)));
    for (const stored of drops) this.#drop(stored);
    const stored = {
      delivery: heirOf(delivery, drops),
      attempts: 0,
      nextAttemptAt: delivery.notBefore,
      mayHaveArrived: false,
      inFlight: false,
    };
    if (needless) this.#dropped.push(stored);
    else this.#outbox.set(stored);
  }

  #drop(stored: StoredDelivery): void {
    this.#outbox.delete(stored);
    this.#dropped.push(stored);
  }

  #bury(
    { delivery, attempts, mayHaveArrived }: StoredDelivery,
    { at, failure, copy }: Settlement & { is: 'failed' },
  ): void {
    const handedTo = copy && { provider: copy.provider, providerUid: copy.providerUid };
    this.#deadLetters.keep({
      ...{ delivery, endedAt: at, attempts, mayHaveArrived, failure },
      ...(handedTo && { handedTo }),
    });
  }

  #handOver({ delivery, mayHaveArrived }: StoredDelivery, copy: Delivery): void {
    this.#enqueue(copy);
    if (begins(delivery)) this.#streams.divert(delivery, copy, mayHaveArrived);
  }
}

/** A delivery whose attempt the process did not outlive: nobody knows whether it arrived. */
function interrupted(stored: StoredDelivery): StoredDelivery {
  return stored.inFlight ? { ...stored, inFlight: false, mayHaveArrived: true } : stored;
}
