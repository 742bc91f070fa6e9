import type { Reference } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Memo } from '../model/memo.ts';
import type { DeadLetter, Saved, Settlement, Store, StoredDelivery, WaitingDeliveries } from '../model/store.ts';
import type { Batch } from '../model/turn.ts';
import { Deliveries } from './deliveries.ts';
import { explanationsOf, incidentRowOf, mustReplace } from './explanations.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change, ChangeLog, PlaceOf, TableName } from './tables.ts';

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
  /** Where the rows that are being restored stand in the file. */
  #placeOf: PlaceOf | undefined;
  #isSaved = false;
  readonly #owner: TableOwner = {
    place: (table, key) => this.#place(table, key),
    changed: (change) => {
      if ((this.#log || this.#isSaved) && !this.#isInPlace(change)) this.#changes.push(change);
    },
  };
  readonly #incidents = new Table<Incident>('incidents', unbounded, this.#owner, incidentRowOf);
  readonly #explanations = new Table<Explanation>('explanations', unbounded, this.#owner);
  readonly #deliveries = new Deliveries(this.#owner);
  readonly #memos = new Table<Memo>('memos', maxMemos, this.#owner);
  #savedAt: number | undefined;

  /** Begins with what an earlier process left, if it did. */
  constructor(saved?: Saved, placeOf?: PlaceOf) {
    if (saved) this.restore(saved, placeOf);
  }

  /**
   * Goes on from what an earlier process left. Comes before anything else. `placeOf`: where each row stands in a file that holds it as it is
   * here, so that it need not be written anew.
   */
  restore({ incidents, memos, savedAt, ...deliveries }: Saved, placeOf?: PlaceOf): void {
    this.#savedAt = savedAt;
    this.#placeOf = placeOf;
    this.#isSaved = placeOf !== undefined;
    for (const incident of incidents) this.#keep(incident);
    this.#deliveries.restore(deliveries);
    for (const memo of memos) this.#remember(memo);
    this.#placeOf = undefined;
  }

  /** Whether a file holds all there is, but for changes since. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** From now on every call's changes go to `log`, one transaction each. What there is already is in `changes`. */
  attach(log: ChangeLog): void {
    this.#log = log;
  }

  /** Nothing is behind this store any more. */
  detach(): void {
    this.#log = undefined;
    this.#isSaved = false;
  }

  /** Everything there is, as changes that would make it. */
  *changes(): Generator<Change> {
    yield* this.#incidents.changes();
    yield* this.#explanations.changes();
    yield* this.#deliveries.changes();
    yield* this.#memos.changes();
  }

  commit({ incidents, forget, replace, drop, forgetFailed, enqueue, memos }: Batch): void {
    this.#transaction(() => {
      for (const incident of incidents) this.#keep(incident);
      for (const id of forget) this.#forget(id);
      for (const delivery of replace) this.#deliveries.replace(delivery);
      for (const id of drop) this.#deliveries.drop(id);
      for (const id of forgetFailed) this.#deliveries.forgetFailed(id);
      for (const delivery of enqueue) this.#deliveries.enqueue(delivery);
      for (const memo of memos) this.#remember(memo);
    });
  }

  begin(id: string): StoredDelivery | undefined {
    return this.#transaction(() => this.#deliveries.begin(id));
  }

  settle(id: string, settlement: Settlement): void {
    this.#transaction(() => this.#deliveries.settle(id, settlement));
  }

  postpone(id: string, until: number): void {
    this.#transaction(() => this.#deliveries.postpone(id, until));
  }

  takeDropped(): readonly StoredDelivery[] {
    return this.#deliveries.takeDropped();
  }

  load(): Saved {
    return {
      incidents: this.#incidents.values(),
      ...this.#deliveries.load(),
      memos: this.#memos.values(),
      ...(this.#savedAt !== undefined && { savedAt: this.#savedAt }),
    };
  }

  durable(): Promise<void> | undefined {
    return this.#log?.durable();
  }

  outbox(): readonly StoredDelivery[] {
    return this.#deliveries.outbox();
  }

  get waiting(): WaitingDeliveries {
    return this.#deliveries.waiting;
  }

  reference(stream: string, providerUid: string): Reference | undefined {
    return this.#deliveries.reference(stream, providerUid);
  }

  deadLetters(): readonly DeadLetter[] {
    return this.#deliveries.deadLetters();
  }

  #place(table: TableName, key: string): number {
    const known = this.#placeOf?.(table, key);
    const place = known ?? this.#position + 1;
    this.#position = Math.max(this.#position, place);
    return place;
  }

  /** Whether it is a row that is restored where it stands. What its restoring makes of it, it makes of it again next time. */
  #isInPlace({ table, key, position, value }: Change): boolean {
    return value !== undefined && this.#placeOf?.(table, key) === position;
  }

  /** Does `work` and hands on what it changed. */
  #transaction<Result>(work: () => Result): Result {
    const result = work();
    // What was changed since a file was gone on from waits for its log.
    if (this.#changes.length === 0 || this.#log === undefined) return result;
    const changes = this.#changes;
    this.#changes = [];
    this.#log.append(changes);
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
    this.#deliveries.forgetStreams(id);
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
}
