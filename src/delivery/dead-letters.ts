import type { Delivery } from '../model/delivery.ts';
import type { LostDelivery } from '../model/redelivery.ts';
import type { DeadLetter, StoredDelivery } from '../model/store.ts';

/** One incident or list, at one provider. */
const streamOf = ({ stream, providerUid }: Delivery): string => `${stream}|${providerUid}`;

/** Dead letters that an act makes up for once it has arrived: what is told later of a stream says all there is. */
export function madeUpFor(arrived: Delivery, letters: readonly DeadLetter[]): readonly string[] {
  const stream = streamOf(arrived);
  return letters
    .filter(({ delivery }) => delivery.sequence < arrived.sequence && streamOf(delivery) === stream)
    .map(({ delivery: { id } }) => id);
}

/** What failed for good at a provider, with what decides whether to send it again. */
export function lostDeliveries(
  providerUid: string,
  letters: readonly DeadLetter[],
  outbox: readonly StoredDelivery[],
): readonly LostDelivery[] {
  const waiting = new Map<string, number>();
  for (const { delivery } of outbox)
    waiting.set(streamOf(delivery), Math.max(delivery.sequence, waiting.get(streamOf(delivery)) ?? 0));
  const own = letters.filter(({ delivery }) => delivery.providerUid === providerUid);
  return own.map(({ delivery, endedAt, mayHaveArrived }) => {
    const newerWaits = (waiting.get(streamOf(delivery)) ?? 0) > delivery.sequence;
    return { delivery, endedAt, mayHaveArrived, ...(newerWaits && { newerWaits }) };
  });
}
