import type { Effects } from '../model/turn.ts';
import { createCore } from './core.ts';
import { everyIncidentTypes } from './provider-types.ts';
import type { LogHeader, LogTurn } from './recorder.ts';

/** One turn of a replay. */
export type ReplayedTurn = { readonly now: number; readonly effects: Effects };

/**
 * Runs a recorded log through a fresh core. Throws on a file that is not a log, naming the line; yields the effects of each
 * turn in order.
 */
export function* replay(lines: Iterable<string>): Generator<ReplayedTurn> {
  let core: ReturnType<typeof createCore> | undefined;
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const entry = parseLine(line, number);
    if (!core) {
      const header = entry as Partial<LogHeader>;
      if (header.tocsinLog !== 1 || typeof header.clusterId !== 'string' || typeof header.version !== 'string')
        throw new Error('line 1 is not the header of a Tocsin log: expected {"tocsinLog":1,"clusterId":…,"version":…}');
      core = createCore({ clusterId: header.clusterId, version: header.version, everyIncident: everyIncidentTypes });
      continue;
    }
    const turn = entry as Partial<LogTurn>;
    if (typeof turn.now !== 'number' || !Array.isArray(turn.inputs))
      throw new Error(`line ${number} is not a turn: expected {"now":…,"inputs":[…]}`);
    yield { now: turn.now, effects: core.turn(turn.inputs, turn.now) };
  }
}

function parseLine(line: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new Error(`line ${number} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new Error(`line ${number} is not a JSON object`);
}
