import { BoundedMap } from '../model/bounded-map.ts';
import { type Delivery, hasPerhapsArrived, type Reference } from '../model/delivery.ts';
import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { DeadLetter, Diversion, Store, StoredDelivery } from '../model/store.ts';
import type { Batch } from '../model/turn.ts';
import { heirOf, supersededBy } from './collapse.ts';

/** Dead letters kept; the oldest go first. */
const maxDeadLetters = 500;
/** References, diversions and ids of ended deliveries kept when nobody says that their incident is forgotten. */
const maxRemembered = 10_000;

/** What belongs to a (stream, provider). */
const laneKey = (stream: string, provider: Ref): string => `${stream}|${provider}`;

/** The store of Community: everything in memory, gone with the process. */
export function createMemoryStore(): Store {
  const incidents = new Map<string, Incident>();
  const outbox = new Map<string, StoredDelivery>();
  const references = new BoundedMap<string, Reference>(maxRemembered);
  const diversions = new BoundedMap<string, Diversion>(maxRemembered);
  const ended = new BoundedMap<string, true>(maxRemembered);
  const deadLetters: DeadLetter[] = [];
  let dropped: StoredDelivery[] = [];

  function drop(stored: StoredDelivery): void {
    outbox.delete(stored.delivery.id);
    dropped.push(stored);
  }

  function enqueue(delivery: Delivery): void {
    if (outbox.has(delivery.id) || ended.get(delivery.id)) return;
    const lane = [...outbox.values()].filter(
      (stored) => stored.delivery.stream === delivery.stream && stored.delivery.provider === delivery.provider,
    );
    const { drops, needless } = supersededBy(delivery, lane);
    for (const stored of drops) drop(stored);
    const stored = {
      delivery: heirOf(delivery, drops),
      attempts: 0,
      nextAttemptAt: delivery.notBefore,
      mayHaveArrived: false,
      inFlight: false,
    };
    if (needless) dropped.push(stored);
    else outbox.set(delivery.id, stored);
  }

  function forget(incident: string): void {
    incidents.delete(incident);
    for (const map of [references, diversions])
      for (const [key] of map.entries()) if (key.startsWith(`${incident}|`)) map.delete(key);
  }

  function fail(stored: StoredDelivery, attempts: number, reason: string, at: number): void {
    outbox.delete(stored.delivery.id);
    ended.set(stored.delivery.id, true);
    deadLetters.push({ delivery: stored.delivery, endedAt: at, attempts, reason });
    if (deadLetters.length > maxDeadLetters) deadLetters.shift();
  }

  return {
    commit(batch: Batch) {
      for (const incident of batch.incidents) incidents.set(incident.id, incident);
      for (const id of batch.forget) forget(id);
      for (const delivery of batch.replace) {
        const stored = outbox.get(delivery.id);
        if (stored && !stored.inFlight && !stored.mayHaveArrived)
          outbox.set(delivery.id, {
            ...stored,
            delivery: heirOf(delivery, [stored]),
            nextAttemptAt: stored.attempts === 0 ? delivery.notBefore : stored.nextAttemptAt,
          });
      }
      for (const id of batch.drop) {
        const stored = outbox.get(id);
        if (stored && !stored.inFlight) drop(stored);
      }
      for (const delivery of batch.enqueue) enqueue(delivery);
    },
    begin(id) {
      const stored = outbox.get(id);
      if (!stored) return undefined;
      const begun = { ...stored, inFlight: true };
      outbox.set(id, begun);
      return begun;
    },
    settle(id, outcome, nextAttemptAt, at) {
      const stored = outbox.get(id);
      if (!stored) return;
      const { stream, provider } = stored.delivery;
      if (outcome.ref) references.set(laneKey(stream, provider), outcome.ref);
      const attempts = stored.attempts + (outcome.is === 'rateLimited' ? 0 : 1);
      if (outcome.is === 'delivered') {
        outbox.delete(id);
        ended.set(id, true);
      } else if (nextAttemptAt === undefined) {
        fail(stored, attempts, outcome.is === 'rateLimited' ? 'rate limited' : outcome.reason, at);
      } else {
        const mayHaveArrived = stored.mayHaveArrived || hasPerhapsArrived(outcome);
        outbox.set(id, { ...stored, attempts, mayHaveArrived, nextAttemptAt, inFlight: false });
      }
    },
    postpone(id, until) {
      const stored = outbox.get(id);
      if (stored) outbox.set(id, { ...stored, nextAttemptAt: until, inFlight: false });
    },
    end(id, reason, at) {
      const stored = outbox.get(id);
      if (stored) fail(stored, stored.attempts, reason, at);
    },
    takeDropped() {
      const taken = dropped;
      dropped = [];
      return taken;
    },
    load: () => ({ incidents: [...incidents.values()], outbox: [...outbox.values()] }),
    outbox: () => [...outbox.values()],
    reference: (stream, provider) => references.get(laneKey(stream, provider)),
    diversion: (stream, provider) => diversions.get(laneKey(stream, provider)),
    divert(stream, provider, diversion) {
      const key = laneKey(stream, provider);
      if (diversion) diversions.set(key, diversion);
      else diversions.delete(key);
    },
    deadLetters: () => [...deadLetters],
  };
}
