import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import type { Input } from '../../src/model/turn.ts';
import { readLog } from '../scenarios/kit/log.ts';
import type { Happening } from './recorded-run.ts';

/** From one outage to the next (ms): 40 in a day. */
export const slotMs = 36 * 60_000;
/** What failed is taken down so long before the next (ms). */
const clearedMs = 4 * 60_000;

/** Everything in it so much later: times of the API are texts, those of lines are numbers. */
function later<T>(value: T, ms: number): T {
  const text = JSON.stringify(value).replaceAll(
    /"(20\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?Z"/g,
    (_, second: string, fraction = '') =>
      `"${new Date(Date.parse(`${second}Z`) + ms).toISOString().slice(0, 19)}${fraction}Z"`,
  );
  return JSON.parse(text) as T;
}

const keyOf = (source: string, { metadata }: RawObject): string =>
  `${source} ${metadata.namespace ?? ''}/${metadata.name}`;

/**
 * A day of one cluster, made of what happened in recorded ones: what is in the next of them comes while it goes on, fails as it did there, and is taken
 * down when it is over. `start`: epoch milliseconds, to the second.
 */
export function* recordedDay(names: readonly string[], start: number): Generator<Happening> {
  const known = new Set<string>();
  const held = new Map<string, { readonly source: string; readonly raw: RawObject }>();
  let isBegun = false;
  for (const [index, name] of names.entries()) {
    const { lines } = readLog(name);
    const begin = start + index * slotMs;
    const shift = begin - Math.floor((lines[0]?.now ?? 0) / 1000) * 1000;
    const end = begin + slotMs - clearedMs;
    for (const line of lines) {
      const now = line.now + shift;
      if (now >= end) break;
      const inputs = later(line.inputs, shift).filter((input): boolean => isNews(input, known, isBegun));
      for (const input of inputs)
        if (input.kind === 'objects')
          for (const { is, raw } of input.events) {
            const key = keyOf(input.source, raw);
            if (is === 'put') held.set(key, { source: input.source, raw });
            else held.delete(key);
          }
      yield { now, inputs, ...(line.logs && { logs: line.logs }) };
      isBegun = true;
    }
    const bySource = Map.groupBy(held.values(), ({ source }) => source);
    const gone = [...bySource].toReversed().map(
      ([source, objects]): Input => ({
        ...{ kind: 'objects', source },
        events: objects.map(({ raw }): ObjectEvent => ({ is: 'gone', raw })),
      }),
    );
    held.clear();
    yield { now: end, inputs: gone };
  }
}

/** The cluster is watched once, whatever is added to it; a kind that no story before had is seen from then on. */
function isNews(input: Input, known: Set<string>, isBegun: boolean): boolean {
  if (input.kind === 'baseline') return !isBegun || !known.has('baseline') ? Boolean(known.add('baseline')) : false;
  if (input.kind !== 'source') return true;
  const { source, state } = input.coverage;
  if (known.has(`${source} ${state}`)) return false;
  known.add(`${source} ${state}`);
  return true;
}
