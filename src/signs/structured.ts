import { type Level, levelOf } from './level.ts';

/** What a line in JSON says: its sentence, the lines of its error and stack, its level. */
export interface Structured {
  readonly texts: readonly string[];
  readonly level?: Level;
}

/** Fields of the sentence: zap, slog, pino, logback, structlog, Serilog, .NET, MongoDB, Bunyan. */
const messageFields = ['msg', 'message', 'Message', 'event', '@m', '@mt', 'text', 'log', 'body', 'short_message', 'M'];
/** Fields of the error and of its stack, the plain one first. */
const errorFields = [
  'err',
  'error',
  'Error',
  'error.message',
  'exception',
  'Exception',
  'exc_info',
  'cause',
  'reason',
  'attr',
  'fields',
  'details',
  'detail',
  'data',
  'context',
  'thrown',
  'errorVerbose',
  'error.stack_trace',
  'stack_trace',
  'stacktrace',
  'stack',
  'full_message',
  '@x',
];
/** What the error fields hold where they hold an object. */
const innerFields = ['message', 'error', 'errmsg', 'localizedMessage', 'reason', 'exception', 'stack', 'stack_trace'];
const typeFields = ['type', 'name', 'class', 'code'];
const levelFields = ['level', 'severity', 'levelname', 'log.level', 'lvl', 'LogLevel', 'Level', '@l', 's', 'L'];

/** Longer lines are not parsed: containerd splits lines at 16 KiB, so none is whole. */
const maxJson = 16_384;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The line as JSON, if it is an object with at least a sentence or an error. */
export function structured(line: string): Structured | undefined {
  const json = record(line);
  if (!json) return undefined;
  if (isTurnedAway(json)) return { texts: [] };
  const message = messageFields.map((field) => json[field]).find((value) => typeof value === 'string' && value !== '');
  const errors = errorFields.flatMap((field) => errorTexts(json[field]));
  if (typeof message !== 'string' && errors.length === 0) return undefined;
  const sentence = typeof message === 'string' ? message : '';
  const [error, ...more] = errors;
  const joined =
    error === undefined || sentence.includes(error) ? sentence : sentence ? `${sentence}: ${error}` : error;
  const nested = isRecord(json.log) ? json.log.level : undefined;
  const level = [...levelFields.map((field) => json[field]), nested].map(levelOf).find((found) => found !== undefined);
  const texts = [joined, ...more].flatMap((text) => text.split('\n')).slice(0, 100);
  return { texts: [...texts, ...addressTexts(json)], ...(level && { level }) };
}

/** Fields that name whom a program calls: often beside the error, and not in it. */
const addressFields = [
  'endpoint',
  'endpoints',
  'addr',
  'address',
  'url',
  'uri',
  'target',
  'upstream',
  'server',
  'broker',
  'brokers',
];
/** Only what is written as a place: a word by itself may be anything. */
const isPlace =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/)?[\w.-]{1,253}:\d{2,5}(?:\/\S{0,200})?$|^https?:\/\/[\w.-]{1,253}(?:\/\S{0,200})?$/i;

/** Whom the fields beside an error name, each as a sentence of its own. */
function addressTexts(json: Record<string, unknown>): readonly string[] {
  return addressFields.flatMap((field) => {
    const value = json[field];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' && isPlace.test(first) ? [`${field}: ${first}`] : [];
  });
}

function record(line: string): Record<string, unknown> | undefined {
  const start = line.indexOf('{');
  // Some collectors and frameworks put a time or a stream before the object; a sentence with an object in it is text.
  if (start === -1 || start > 60 || line.length > maxJson || !line.trimEnd().endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(start));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Objects in an object of an error that are looked into: MongoDB has the error below the attributes. */
const maxDepth = 2;

/** The record of a request that was answered with what its visitor did wrong. */
const isTurnedAway = ({ method, status }: Record<string, unknown>): boolean =>
  typeof method === 'string' && typeof status === 'number' && status >= 400 && status < 500;

/** The sentences of an error: a string, a list of them, or an object with a type and a message. */
function errorTexts(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((each) => (typeof each === 'string' ? [each] : []));
  if (!isRecord(value)) return [];
  const type = typeFields.map((field) => value[field]).find((each) => typeof each === 'string');
  const [first, ...more] = innerFields.flatMap((field) => {
    const inner = value[field];
    return typeof inner === 'string'
      ? [inner]
      : isRecord(inner) && depth < maxDepth
        ? errorTexts(inner, depth + 1)
        : [];
  });
  if (first === undefined) return [];
  return [typeof type === 'string' && !first.includes(type) ? `${type}: ${first}` : first, ...more];
}
