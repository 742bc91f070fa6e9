import { type Delivery, deliveryKeys, laneOf, type Recipient } from '../model/delivery.ts';
import type { LostDelivery } from '../model/redelivery.ts';
import type { DeadLetter, StoredDelivery } from '../model/store.ts';

/** Longest chain of fallbacks that is followed; lint refuses cycles, and every provider is in one chain once. */
const longestChain = 1_000;

/** Dead letters that an act makes up for once it has arrived: what is told later of a stream says all there is. */
export function madeUpFor(arrived: Delivery, letters: readonly DeadLetter[]): readonly string[] {
  const lane = laneOf(arrived);
  return letters
    .filter(({ delivery }) => delivery.sequence < arrived.sequence && laneOf(delivery) === lane)
    .map(({ delivery: { id } }) => id);
}

/** The id of a delivery's copy for somebody else in its chain of fallbacks. */
function idFor({ stream, act, sequence }: Delivery, { providerUid }: Recipient): string {
  return deliveryKeys(stream, providerUid, act, sequence).id;
}

/** The letters of the fallbacks that took this one over in vain, and who has it in the end. */
function follow(letter: DeadLetter, letters: ReadonlyMap<string, DeadLetter>) {
  const inVain: string[] = [];
  let { handedTo } = letter;
  for (let step = 0; handedTo !== undefined && step < longestChain; step += 1) {
    const next = letters.get(idFor(letter.delivery, handedTo));
    if (next === undefined) return { inVain, toldBy: handedTo.provider };
    inVain.push(next.delivery.id);
    handedTo = next.handedTo;
  }
  return { inVain };
}

/** What failed for good at a provider, its own messages and those it took over, with what decides whether to send it again. */
export function lostDeliveries(
  providerUid: string,
  letters: readonly DeadLetter[],
  outbox: readonly StoredDelivery[],
): readonly LostDelivery[] {
  const byId = new Map(letters.map((letter) => [letter.delivery.id, letter]));
  const waiting = new Map<string, number>();
  for (const { delivery } of outbox)
    waiting.set(laneOf(delivery), Math.max(delivery.sequence, waiting.get(laneOf(delivery)) ?? 0));
  const own = letters.filter(({ delivery }) => delivery.providerUid === providerUid);
  return own.map((letter) => {
    const { delivery, endedAt, mayHaveArrived } = letter;
    const { inVain, toldBy } = follow(letter, byId);
    const before = (delivery.via ?? []).map((one) => idFor(delivery, one)).filter((id) => byId.has(id));
    const newerWaits = (waiting.get(laneOf(delivery)) ?? 0) > delivery.sequence;
    return {
      ...{ delivery, endedAt, mayHaveArrived, letters: [...before, delivery.id, ...inVain] },
      ...(toldBy !== undefined && { toldBy }),
      ...(newerWaits && { newerWaits }),
    };
  });
}
