import { namespaceOf } from '../model/ref.ts';
import type { Message } from './notices.ts';

/** An opening as it counts: its namespace is that of its root. `at`: epoch milliseconds. */
export type Opening = { readonly at: number; readonly namespace: string };

/** The namespace that an opening counts for. */
export const originOf = ({ notice }: Pick<Message, 'notice'>): string => namespaceOf(notice.view.root.ref);

/** How many each namespace has. */
function countsOf(openings: readonly Opening[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { namespace } of openings) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  return counts;
}

/**
 * The namespaces whose openings collapse, so that the others make no more than `most`: those with the most first, those with
 * as many together. So one team's storm never swallows what another team is told, and one fault that hits all is one message.
 */
export function stormingNamespaces(openings: readonly Opening[], most: number): ReadonlySet<string> {
  const storming = new Set<string>();
  const byCount = [...Map.groupBy(countsOf(openings), ([, count]) => count)].sort(([a], [b]) => b - a);
  let left = openings.length;
  for (const [count, alike] of byCount) {
    if (left <= most) break;
    for (const [namespace] of alike) storming.add(namespace);
    left -= count * alike.length;
  }
  return storming;
}

/** The namespaces that have more than `most` by themselves. */
export function floodingNamespaces(openings: readonly Opening[], most: number): ReadonlySet<string> {
  return new Set([...countsOf(openings)].flatMap(([namespace, count]) => (count > most ? [namespace] : [])));
}
