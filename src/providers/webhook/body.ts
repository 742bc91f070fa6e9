import { Environment } from '@marcbachmann/cel-js';
import { BoundedMap } from '../../model/bounded-map.ts';
import { errorMessage } from '../../model/error-message.ts';
import { cleanText } from '../../model/redact.ts';
import type { WebhookEvent } from '../kit.ts';
import { checkCost } from './cost.ts';

/** The largest body that is sent; bytes. Receivers of alerts take less: PagerDuty 512 KB, ServiceNow and EventBridge 256 KB. */
const maxBytes = 256 * 1024;
/** The longest expression; UTF-16 units. */
export const maxSource = 8_192;
/** What receivers of JSON call it; the first is meant where nothing is said. */
export const contentTypes = [
  ...(['application/json', 'application/vnd.kafka.json.v2+json', 'application/vnd.api+json'] as const),
  ...(['application/cloudevents+json', 'application/problem+json', 'application/hal+json'] as const),
] as const;
/** How deep what it makes may be. */
const maxDepth = 20;

const environment = new Environment({
  unlistedVariablesAreDyn: false,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 4 },
})
  .registerVariable('event', 'dyn')
  // For receivers that take JSON as a text within theirs.
  .registerFunction('json(dyn): string', (value) => JSON.stringify(jsonValue(value, 0)));

/** A body as people want it, or why there is none. */
export type OwnBody = { readonly body: string } | { readonly problem: string };

type Program = { readonly run: ReturnType<Environment['parse']> } | { readonly problem: string };

/** Expressions that were read; an AlertProvider has one. */
const programs = new BoundedMap<string, Program>(500);

function programOf(source: string): Program {
  const known = programs.get(source);
  if (known) return known;
  const program = parsed(source);
  programs.set(source, program);
  return program;
}

function parsed(source: string): Program {
  if (source.length > maxSource) return { problem: `it is longer than ${maxSource} characters` };
  try {
    const run = environment.parse(source);
    checkCost(run.ast);
    return { run };
  } catch (error) {
    return { problem: wordsOf(error) };
  }
}

/** The body that an expression makes of an event. It never throws; the same event gives the same body. */
export function ownBody(source: string, event: WebhookEvent): OwnBody {
  const program = programOf(source);
  if ('problem' in program) return program;
  try {
    const made = program.run({ event: celValue(event) });
    if (typeof made !== 'object' || made === null || made instanceof Date)
      return { problem: 'it makes no map and no list' };
    const body = JSON.stringify(jsonValue(made, 0));
    const bytes = Buffer.byteLength(body);
    return bytes > maxBytes ? { problem: `it makes ${bytes} bytes, of at most ${maxBytes}` } : { body };
  } catch (error) {
    return { problem: wordsOf(error) };
  }
}

/** What is wrong, on one line, without the expression that the parser repeats below it. */
function wordsOf(error: unknown): string {
  const [first = ''] = errorMessage(error).split('\n');
  return cleanText(first, 300);
}

/** A value as CEL has it: whole numbers as int. */
function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, celValue(item)]));
}

/** What CEL made, as JSON has it. */
function jsonValue(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new Error(`it nests more than ${maxDepth} deep`);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean' || typeof value === 'number' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => jsonValue(item, depth + 1));
  const isPlain = typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain) throw new Error('it holds a value that JSON does not have: write it as a text, by string()');
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, item]) => [key.toWellFormed(), jsonValue(item, depth + 1)]),
  );
}
