import type { DeliveryReport } from '../model/delivery.ts';
import type { Book } from './book.ts';

/**
 * Learns from ended deliveries who was not reached: an opening or summary that certainly never arrived has not been told,
 * so that it is told when the provider works again. Where a fallback took it, that one was told, and gets the end as well.
 */
export function learn(reports: readonly DeliveryReport[], book: Book): void {
  for (const { stream, provider, act, ended, mayHaveArrived, fallback } of reports) {
    if ((ended !== 'failed' && ended !== 'dropped') || mayHaveArrived || fallback !== undefined) continue;
    const incident = book.get(stream);
    if (incident && (act === 'open' || act === 'reopen'))
      book.put({ ...incident, toldTo: incident.toldTo.filter((ref) => ref !== provider) });
    if (incident || act === 'test') continue;
    for (const one of book.all()) {
      const left = one.listedIn?.filter(({ id, provider: reader }) => id !== stream || reader !== provider);
      if (left === undefined || left.length === one.listedIn?.length) continue;
      book.put({ ...one, listedIn: left, toldTo: one.toldTo.filter((ref) => ref !== provider) });
    }
  }
}
