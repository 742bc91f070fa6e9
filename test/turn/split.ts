import type { Coverage } from '../../src/model/coverage.ts';
import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import type { Input } from '../../src/model/turn.ts';
import type { Log, LogLine } from '../scenarios/kit/log.ts';

const nameOf = ({ apiVersion, kind, metadata }: RawObject): string =>
  `${apiVersion}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** What is known once these lines have been read: every source as it said last, and every object as it is. */
function known(lines: readonly LogLine[]) {
  const sources = new Map<string, Coverage>();
  const objects = new Map<string, Map<string, ObjectEvent>>();
  for (const { inputs, restart } of lines) {
    if (restart) {
      sources.clear();
      objects.clear();
    }
    for (const input of inputs) {
      if (input.kind === 'source') sources.set(input.coverage.source, input.coverage);
      if (input.kind !== 'objects') continue;
      const own = objects.get(input.source) ?? new Map<string, ObjectEvent>();
      objects.set(input.source, own);
      for (const event of input.events) {
        if (event.is === 'gone') own.delete(nameOf(event.raw));
        else own.set(nameOf(event.raw), event);
      }
    }
  }
  return { sources, objects };
}

/** Lists everything anew, as a process does that has just started, and then takes its baseline. */
function begun(lines: readonly LogLine[], now: number): LogLine[] {
  const { sources, objects } = known(lines);
  const inputs: Input[] = [...sources.values()].map((coverage) => ({
    kind: 'source',
    coverage: { ...coverage, state: 'Syncing', reason: 'InitialList' },
  }));
  for (const [source, own] of objects) inputs.push({ kind: 'objects', source, events: [...own.values()] });
  for (const coverage of sources.values()) inputs.push({ kind: 'source', coverage });
  return [
    { now, restart: true, inputs },
    { now, inputs: [{ kind: 'baseline' }] },
  ];
}

/** When the baseline was taken for the first time (epoch milliseconds). */
export function baselineAt({ lines }: Log): number {
  const first = lines.find(({ inputs }) => inputs.some(({ kind }) => kind === 'baseline'));
  return first?.now ?? Number.POSITIVE_INFINITY;
}

/** The same log with a stop and a start at an instant (epoch milliseconds) after its baseline. */
export function splitAt({ header, lines }: Log, instant: number): Log {
  const before = lines.filter(({ now }) => now < instant);
  return { header, lines: [...before, ...begun(before, instant), ...lines.slice(before.length)] };
}
