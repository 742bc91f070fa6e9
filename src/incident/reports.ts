import type { DeliveryReport } from '../model/delivery.ts';
import type { Book } from './book.ts';

/**
 * Learns from ended deliveries who was not reached: an opening or summary that certainly never arrived has not been told,
 * so that it is told when the provider works again. A fallback that took it over counts for the provider it stood in for, until
 * it turns out that the fallback could not deliver it either.
 */
export function learn(reports: readonly DeliveryReport[], book: Book): void {
  for (const { stream, act, untold } of reports) {
    if (untold.length === 0 || act === 'test') continue;
    const missed = new Set(untold.map(({ provider }) => provider));
    const incident = book.get(stream);
    if (incident && (act === 'open' || act === 'reopen'))
      book.put({ ...incident, toldTo: incident.toldTo.filter((ref) => !missed.has(ref)) });
    if (incident) continue;
    for (const one of book.all()) {
      const left = one.listedIn?.filter(({ id, provider }) => id !== stream || !missed.has(provider));
      if (left === undefined || left.length === one.listedIn?.length) continue;
      book.put({ ...one, listedIn: left, toldTo: one.toldTo.filter((ref) => !missed.has(ref)) });
    }
  }
}
