import type { DeliveryReport } from '../model/delivery.ts';
import type { Settings } from '../model/settings.ts';
import type { Book } from './book.ts';

/**
 * Learns from ended deliveries who was not reached: an opening or summary that certainly never arrived has not been told,
 * so that it is told when the provider works again. With a fallback somebody else was told, and gets the end through it.
 */
export function learn(reports: readonly DeliveryReport[], book: Book, settings: Settings): void {
  const withFallback = new Set(settings.providers.flatMap(({ ref, fallback }) => (fallback ? [ref] : [])));
  for (const { stream, provider, act, ended, mayHaveArrived } of reports) {
    if ((ended !== 'failed' && ended !== 'dropped') || mayHaveArrived || withFallback.has(provider)) continue;
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
