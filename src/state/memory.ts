import { BoundedMap } from '../model/bounded-map.ts';
import { begins, type Delivery, type Reference } from '../model/delivery.ts';
import type { Incident } from '../model/incident.ts';
import {
  afterAttempt,
  type DeadLetter,
  type Diversion,
  type Settlement,
  type Store,
  type StoredDelivery,
} from '../model/store.ts';
import type { Batch } from '../model/turn.ts';
import { heirOf, supersededBy } from './collapse.ts';
import { Outbox } from './outbox.ts';

/** Dead letters kept; the oldest go first. */
const maxDeadLetters = 500;
/** Streams whose references and diversions are kept, and ids of ended deliveries, when nobody says that they are forgotten. */
const maxRemembered = 10_000;

/** What is remembered of a stream, by the UID of the provider. */
type Memory = { readonly references: Map<string, Reference>; readonly diversions: Map<string, Diversion> };

/** The store of Community: everything in memory, gone with the process. */
export class MemoryStore implements Store {
  readonly #incidents = new Map<string, Incident>();
  readonly #outbox = new Outbox();
  readonly #streams = new BoundedMap<string, Memory>(maxRemembered);
  readonly #ended = new BoundedMap<string, true>(maxRemembered);
  /** By the id of the delivery. */
  readonly #deadLetters = new BoundedMap<string, DeadLetter>(maxDeadLetters);
  #dropped: StoredDelivery[] = [];

  commit({ incidents, forget, replace, drop, forgetFailed, enqueue }: Batch): void {
    for (const incident of incidents) this.#incidents.set(incident.id, incident);
    for (const id of forget) {
      this.#incidents.delete(id);
      this.#streams.delete(id);
    }
    for (const delivery of replace) this.#replace(delivery);
    for (const id of drop) {
      const stored = this.#outbox.get(id);
      if (stored && !stored.inFlight) this.#drop(stored);
    }
    for (const id of forgetFailed) this.#deadLetters.delete(id);
    for (const delivery of enqueue) this.#enqueue(delivery);
  }

  begin(id: string): StoredDelivery | undefined {
    const stored = this.#outbox.get(id);
    if (!stored) return undefined;
    const begun = { ...stored, inFlight: true };
    this.#outbox.set(begun);
    return begun;
  }

  settle(id: string, settlement: Settlement): void {
    const before = this.#outbox.get(id);
    if (!before) return;
    const outcome = settlement.is === 'moved' ? undefined : settlement.outcome;
    const stored = outcome ? afterAttempt(before, outcome) : before;
    const { stream, providerUid } = stored.delivery;
    if (outcome?.ref) this.#memoryOf(stream).references.set(providerUid, outcome.ref);
    if (settlement.is === 'retry') {
      this.#outbox.set({ ...stored, nextAttemptAt: settlement.nextAttemptAt });
      return;
    }
    this.#outbox.delete(stored);
    this.#ended.set(id, true);
    if (settlement.is === 'delivered') {
      if (begins(stored.delivery)) this.#endDiversion(stored.delivery);
      return;
    }
    if (settlement.is === 'failed') this.#bury(stored, settlement);
    if (settlement.copy) this.#handOver(stored, settlement.copy);
  }

  postpone(id: string, until: number): void {
    const stored = this.#outbox.get(id);
    if (stored) this.#outbox.set({ ...stored, nextAttemptAt: until, inFlight: false });
  }

  takeDropped(): readonly StoredDelivery[] {
    const taken = this.#dropped;
    this.#dropped = [];
    return taken;
  }

  load(): ReturnType<Store['load']> {
    return { incidents: [...this.#incidents.values()], outbox: this.outbox() };
  }

  outbox(): readonly StoredDelivery[] {
    return this.#outbox.all();
  }

  reference(stream: string, providerUid: string): Reference | undefined {
    return this.#streams.get(stream)?.references.get(providerUid);
  }

  diversion(stream: string, providerUid: string): Diversion | undefined {
    return this.#streams.get(stream)?.diversions.get(providerUid);
  }

  deadLetters(): readonly DeadLetter[] {
    return [...this.#deadLetters.values()];
  }

  #memoryOf(stream: string): Memory {
    const memory = this.#streams.get(stream) ?? { references: new Map(), diversions: new Map() };
    this.#streams.set(stream, memory);
    return memory;
  }

  #replace(delivery: Delivery): void {
    const stored = this.#outbox.get(delivery.id);
    if (!stored || stored.inFlight || stored.mayHaveArrived) return;
    const nextAttemptAt = stored.attempts === 0 ? delivery.notBefore : stored.nextAttemptAt;
    this.#outbox.set({ ...stored, delivery: heirOf(delivery, [stored]), nextAttemptAt });
  }

  #enqueue(delivery: Delivery): void {
    if (this.#outbox.get(delivery.id) || this.#ended.has(delivery.id)) return;
    const { drops, needless } = supersededBy(delivery, this.#outbox.lane(delivery));
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
    const letter = { delivery, endedAt: at, attempts, mayHaveArrived, failure, ...(handedTo && { handedTo }) };
    this.#deadLetters.set(delivery.id, letter);
  }

  /** The provider was told of an opening itself; a fallback that knows of it as well is told its end all the same. */
  #endDiversion({ stream, providerUid, again }: Delivery): void {
    const diversions = this.#streams.get(stream)?.diversions;
    const known = diversions?.get(providerUid);
    if (known && again?.fallbackKnows === true) diversions?.set(providerUid, { ...known, both: true });
    else diversions?.delete(providerUid);
  }

  #handOver({ delivery, mayHaveArrived }: StoredDelivery, copy: Delivery): void {
    this.#enqueue(copy);
    if (!begins(delivery)) return;
    const to = { provider: copy.provider, providerUid: copy.providerUid };
    this.#memoryOf(delivery.stream).diversions.set(delivery.providerUid, { to, both: mayHaveArrived });
  }
}
