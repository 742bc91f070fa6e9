import { appendFileSync, writeFileSync } from 'node:fs';
import { shortHash } from '../model/hash.ts';
import { redact } from '../model/redact.ts';
import type { Input, ObjectEvent, RawObject } from '../model/turn.ts';

/** First line of a log: what the core was made with. */
export type LogHeader = { readonly tocsinLog: 1; readonly clusterId: string; readonly version: string };

/** Every further line: one turn. */
export type LogTurn = { readonly now: number; readonly inputs: readonly Input[] };

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Redacts every string of a value. An environment variable's `value` becomes a hash: a change of it still shows. */
function redactValue(value: unknown, inEnvironment: boolean): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, inEnvironment));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (key === lastApplied) return [];
      if (inEnvironment && key === 'value' && typeof item === 'string') return [[key, `sha256:${shortHash([item])}`]];
      return [[key, redactValue(item, key === 'env')]];
    }),
  );
}

/** An object safe to keep: no environment values, no last-applied copy, credentials in texts and arguments blanked out. */
export function redactObject(raw: RawObject): RawObject {
  const { metadata, ...rest } = raw;
  const clean = redactValue(rest, false);
  const cleanMetadata = redactValue(metadata, false);
  // Shapes survive: only strings were replaced.
  return { ...(clean as Omit<RawObject, 'metadata'>), metadata: cleanMetadata as RawObject['metadata'] };
}

function redactInput(input: Input): Input {
  if (input.kind !== 'objects') return input;
  const events: ObjectEvent[] = input.events.map((event) => ({ is: event.is, raw: redactObject(event.raw) }));
  return { ...input, events };
}

/**
 * Records exactly (inputs, now) as JSON lines, redacted. It returns the inputs as recorded (a round trip through JSON), and
 * the turn runs on those: a replay of the file is byte for byte the run that was recorded.
 */
export function createRecorder(
  path: string,
  header: Omit<LogHeader, 'tocsinLog'>,
): (inputs: readonly Input[], now: number) => readonly Input[] {
  writeFileSync(path, `${JSON.stringify({ tocsinLog: 1, ...header } satisfies LogHeader)}\n`);
  return (inputs, now) => {
    const line = JSON.stringify({ now, inputs: inputs.map(redactInput) } satisfies LogTurn);
    appendFileSync(path, `${line}\n`);
    return (JSON.parse(line) as LogTurn).inputs;
  };
}
