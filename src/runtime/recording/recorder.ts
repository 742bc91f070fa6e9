import { appendFileSync, writeFileSync } from 'node:fs';
import { shortHash } from '../../model/hash.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { redact } from '../../model/redact.ts';
import { namesSecret } from '../../model/redaction/names.ts';
import type { Input } from '../../model/turn.ts';

/** First line of a log: what the core was made with. */
export type LogHeader = { readonly tocsinLog: 1; readonly clusterId: string; readonly version: string };

/** Every further line: one turn. */
export type LogTurn = { readonly now: number; readonly inputs: readonly Input[] };

/** Whole copies of an object, made by what applies it; no detector reads them. The first one is kubectl's. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const longestAnnotation = 1_024;
/** Lists of `{ name, value }` whose values are often secret and have no name that would tell: variables, probe headers. */
const pairLists: ReadonlySet<string> = new Set(['env', 'httpHeaders']);
/** Flags that take a password in some tool; what follows is let be where it is a port, an identity, a path or another flag. */
const passwordFlags: ReadonlySet<string> = new Set(['-p', '-P', '-a', '-w', '-W']);
const noPassword = /^(?:\d{1,6}(?::\d{1,6})?(?:\/\w+)?|[./~].*|-.*)$/;
/** `-phunter22` of MySQL's clients; `-port=80` and `-p8080:80` are something else. */
const attachedPassword = /^-p(?![\d:]+$)(?=[^=]*[\d!@#$%^&*])[^\s=]{4,}$/;
const loginFlags: ReadonlySet<string> = new Set(['-u', '-U', '--user', '--proxy-user']);

const hashed = (value: string): string => `sha256:${shortHash([value])}`;

/** A text of a field, safe to keep: a hash where the name of the field says that it is secret, so that a change still shows. */
function keepText(text: string, key: string, within: string): string {
  if (pairLists.has(within) ? key === 'value' : namesSecret(key)) return hashed(text);
  if (within === 'annotations' && text.length > longestAnnotation) return hashed(text);
  return redact(text);
}

/** One argument after another: `--password X`, `-p X` and `-u user:X` are pairs. */
function keepArguments(list: readonly string[]): readonly string[] {
  return list.map((argument, index) => {
    const flag = list[index - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && namesSecret(flag) && !argument.startsWith('-')) return hashed(argument);
    if (passwordFlags.has(flag) && !noPassword.test(argument)) return hashed(argument);
    if (loginFlags.has(flag) && !noPassword.test(argument)) return argument.replace(/:.+$/s, ':***');
    return attachedPassword.test(argument) ? '-p***' : redact(argument);
  });
}

/** A value with every text made safe. `within`: the field it is in; items of a list are in the field of the list. */
function keep(value: unknown, within: string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string')
      ? keepArguments(value)
      : value.map((item) => keep(item, within));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => key !== lastApplied);
  return Object.fromEntries(
    fields.map(([key, item]) => [key, typeof item === 'string' ? keepText(item, key, within) : keep(item, key)]),
  );
}

/**
 * An object safe to keep: no environment values, no last-applied copy, nothing whose key names a secret; credentials in texts and
 * arguments blanked out.
 */
export function redactObject(raw: RawObject): RawObject {
  // Shapes survive: only strings were replaced.
  return keep(raw, '') as RawObject;
}

/** Fields of what was saved that hold the API's own texts. */
const savedTexts: ReadonlySet<string> = new Set(['detail', 'facts', 'pullErrors']);

/** What was saved, with the API's own texts made safe; ids and keys must stay as they are. */
function redactRestored(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return savedTexts.has(key) ? redact(value) : value;
  if (Array.isArray(value)) return value.map((item) => redactRestored(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactRestored(item, savedTexts.has(key) ? key : name)]),
  );
}

/**
 * Inputs safe to keep: no environment values, no last-applied copy, credentials in texts, arguments and addresses blanked
 * out. What the edges made (evidence, outcomes) is redacted already, and its ids must stay as they are.
 */
function redactInput(input: Input): Input {
  if (input.kind === 'restored') return redactRestored(input) as Input;
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
