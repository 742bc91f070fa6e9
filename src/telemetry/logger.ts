import { type DestinationStream, type LogFn, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { prettyLine } from './pretty.ts';

/** Least important line that is written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What rooms log with: fields first, then the message. `child` adds fields to every line. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'> & {
  child(fields: Readonly<Record<string, unknown>>): Logger;
};

/** Field names whose value is never written, at the top and one level down. A `Secret` prints `***` anywhere. */
const secretFields = ['password', 'secret', 'token', 'authorization', 'cookie', 'apiKey', 'credentials', 'headers'];

type Redact = (text: string) => string;

/** An error without its secrets, the causes included, at most four deep. */
function describeError(error: unknown, redact: Redact, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return {
    type: error.name,
    message: redact(error.message),
    ...code,
    ...(error.stack !== undefined && { stack: redact(error.stack) }),
    ...(error.cause !== undefined && depth < 4 && { cause: describeError(error.cause, redact, depth + 1) }),
  };
}

/**
 * A logger that writes one JSON line per message (or, with `pretty`, a line for people) to `stream`, standard output by
 * default. Messages and errors are redacted, the usual secret fields never written.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly pretty?: boolean;
  readonly stream?: { write(line: string): unknown };
  /** Applied to every message and error text (`redact` of the model; this folder imports nothing of ours). */
  readonly redact?: Redact;
}): Logger {
  const redact = options.redact ?? ((text: string) => text);
  const serialize = (error: unknown): unknown => describeError(error, redact);
  const stream = options.stream ?? process.stdout;
  const destination: DestinationStream = {
    write: (line) => void stream.write(options.pretty === true ? prettyLine(line) : line),
  };
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '***' },
      serializers: { err: serialize, error: serialize },
      hooks: {
        logMethod(args: Parameters<LogFn>, method) {
          const [first, second, ...rest] = args;
          // pino's overloads: (message) or (fields, message).
          if (typeof first === 'string') method.apply(this, [redact(first), second, ...rest]);
          else method.apply(this, [first, typeof second === 'string' ? redact(second) : second, ...rest]);
        },
      },
    },
    destination,
  );
}
