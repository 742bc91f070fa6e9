import type { Coverage } from '../../model/coverage.ts';
import type { ObjectEvent, RawObject } from '../../model/raw-object.ts';
import type { Input } from '../../model/turn.ts';

/**
 * What changed of a value: fields of an object by name, `null` where one went; items of a list of the same length under `$items`, by
 * index. Anything else is the new value itself.
 */
type Change = unknown;

/** An event of an object that the log has told of before: `of` is its namespace and name. */
type ChangedEvent = { readonly is: 'put' | 'gone'; readonly of: string; readonly change: Change };

/** Sources that all came to be so at once. */
type SourcesInput = Pick<Coverage, 'state' | 'reason' | 'since'> & {
  readonly kind: 'sources';
  /** Source, kind, and whether it is required. */
  readonly sources: readonly (readonly [source: string, kind: string, required: boolean])[];
};

/** An input as it stands in a log of what happened. */
export type LoggedInput =
  | Exclude<Input, { readonly kind: 'objects' }>
  | {
      readonly kind: 'objects';
      readonly source: string;
      readonly events: readonly (ObjectEvent | ChangedEvent)[];
    }
  | SourcesInput;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a list can be told item by item. */
const areAlike = (before: unknown, after: unknown): boolean =>
  Array.isArray(before) && Array.isArray(after) && before.length === after.length && after.every(isObject);

/** What must be changed of `before` to get `after`; `undefined`: nothing. */
function changeOf(before: unknown, after: unknown): Change {
  if (areAlike(before, after)) {
    const items = fieldsChanged({ ...(before as object) }, { ...(after as object) });
    return items && { $items: items };
  }
  if (isObject(before) && isObject(after)) return fieldsChanged(before, after);
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
}

function fieldsChanged(before: Fields, after: Fields): Fields | undefined {
  const changed: Record<string, unknown> = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changed[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const change = Object.hasOwn(before, key) ? changeOf(before[key], value) : value;
    if (change !== undefined) changed[key] = change;
  }
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** The value that a change makes of `before`. */
function changed(before: unknown, change: Change): unknown {
  if (!isObject(change)) return change;
  if (Array.isArray(before) && isObject(change.$items)) {
    const items = change.$items;
    return before.map((item, index) => (Object.hasOwn(items, index) ? changed(item, items[index]) : item));
  }
  if (!isObject(before)) return change;
  const after: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(change))
    if (value === null) delete after[key];
    else after[key] = Object.hasOwn(before, key) ? changed(before[key], value) : value;
  return after;
}

/** Objects as a log has told of them so far. Both ways end with the same objects; one for each log and each way. */
export class LoggedObjects {
  readonly #seen = new Map<string, RawObject>();

  /** The input as it was, of an input of a log. Throws on a change of what the log has not told of. */
  read(input: LoggedInput): readonly Input[] {
    if (input.kind === 'sources') {
      const { sources, kind: _, ...common } = input;
      return sources.map(([source, kind, required]) => ({
        kind: 'source',
        coverage: { source, kind, required, ...common },
      }));
    }
    if (input.kind !== 'objects') return [input];
    return [{ ...input, events: input.events.map((event) => this.#readEvent(input.source, event)) }];
  }

  /** The input as it is written to a log. */
  write(input: Input): LoggedInput {
    if (input.kind !== 'objects') return input;
    return { ...input, events: input.events.map((event) => this.#writeEvent(input.source, event)) };
  }

  #readEvent(source: string, event: ObjectEvent | ChangedEvent): ObjectEvent {
    if ('raw' in event) {
      this.#note(source, event.raw);
      return event;
    }
    const before = this.#seen.get(`${source} ${event.of}`);
    if (!before) throw new Error(`${event.of} of ${source} changes and was not there before`);
    // What was written as a change of an object is one again.
    const raw = changed(before, event.change) as RawObject;
    this.#note(source, raw);
    return { is: event.is, raw };
  }

  #writeEvent(source: string, event: ObjectEvent): ObjectEvent | ChangedEvent {
    const of = placeOf(event.raw);
    const before = this.#seen.get(`${source} ${of}`);
    this.#note(source, event.raw);
    return before ? { is: event.is, of, change: changeOf(before, event.raw) ?? {} } : event;
  }

  #note(source: string, raw: RawObject): void {
    this.#seen.set(`${source} ${placeOf(raw)}`, raw);
  }
}

const placeOf = ({ metadata: { namespace, name } }: RawObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
