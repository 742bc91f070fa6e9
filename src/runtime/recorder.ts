import { appendFileSync, writeFileSync } from 'node:fs';
import { shortHash } from '../model/hash.ts';
import type { RawObject } from '../model/raw-object.ts';
import { redact } from '../model/redact.ts';
import type { Input } from '../model/turn.ts';

/** First line of a log: what the core was made with. */
export type LogHeader = { readonly tocsinLog: 1; readonly clusterId: string; readonly version: string };

/** Every further line: one turn. */
export type LogTurn = { readonly now: number; readonly inputs: readonly Input[] };

/** Whole copies of an object, made by what applies it; no detector reads them. The first one is kubectl's. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const longestAnnotation = 1_024;
/** Lists of `{ name, value }` whose values are often secret and have no name that would tell: variables, probe headers. */
const pairLists: ReadonlySet<string> = new Set(['env', 'httpHeaders']);

const hashed = (value: string): string => `sha256:${shortHash([value])}`;

/** One field of an object, safe to keep: a hash where a change must still show, nothing where nobody would look. */
function keepField(key: string, item: unknown, within: string): readonly (readonly [string, unknown])[] {
  if (key === lastApplied) return [];
  if (typeof item === 'string') {
    const opaque = pairLists.has(within)
      ? key === 'value'
      : within === 'annotations' && item.length > longestAnnotation;
    if (opaque) return [[key, hashed(item)]];
  }
  return [[key, keep(item, key)]];
}

/** A value with every text redacted. `within`: the field it is in; items of a list are in the field of the list. */
function keep(value: unknown, within: string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => keep(item, within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => keepField(key, item, within)));
}

/** An object safe to keep: no environment values, no last-applied copy, credentials in texts and arguments blanked out. */
export function redactObject(raw: RawObject): RawObject {
  // Shapes survive: only strings were replaced.
  return keep(raw, '') as RawObject;
}

/**
 * Inputs safe to keep: no environment values, no last-applied copy, credentials in texts, arguments and addresses blanked
 * out. What the edges made (evidence, outcomes) is redacted already, and its ids must stay as they are.
 */
function redactInput(input: Input): Input {
  // Shapes survive: only strings were replaced.
  return input.kind === 'objects' || input.kind === 'settings' ? (keep(input, '') as Input) : input;
}

/**
 * Records exactly (inputs, now) as JSON lines, redacted. It returns the inputs as recorded (a round trip through JSON), and
 * the turn runs on those: a replay of the file is byte for byte the run that was recorded. When the file cannot be written,
 * `failed` is told once and nothing more is recorded: alerting goes on.
 */
export function createRecorder(options: {
  readonly path: string;
  readonly header: Omit<LogHeader, 'tocsinLog'>;
  readonly failed: (error: unknown) => void;
}): (inputs: readonly Input[], now: number) => readonly Input[] {
  const { path, header } = options;

  function attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      options.failed(error);
      return false;
    }
  }

  const first: LogHeader = { tocsinLog: 1, ...header };
  // Only for its owner: names and texts of a whole cluster.
  let recording = attempt(() => writeFileSync(path, `${JSON.stringify(first)}\n`, { mode: 0o600 }));
  return (inputs, now) => {
    if (!recording) return inputs;
    const line = JSON.stringify({ now, inputs: inputs.map(redactInput) } satisfies LogTurn);
    recording = attempt(() => appendFileSync(path, `${line}\n`));
    return (JSON.parse(line) as LogTurn).inputs;
  };
}
