import { isRef, type Ref } from './ref.ts';

/** Where a value is not what the types say, in the words of whoever looks (`a.b[2].c`; '': the value itself), and what is there instead. */
type Misfit = { readonly path: string; readonly says: string };

/**
 * Whether a value that was read back is what the types say; `undefined`: it fits. What a shape does not name is ignored. Nearly everything fits, so that
 * the path is put together only where something does not.
 */
export type Shape<T> = ((value: unknown) => Misfit | undefined) & { readonly type?: T };

type OptionalKeys<T> = { [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? K : never }[keyof T];

/** A shape for every property that must be there: one that is added to the type and not here does not compile. */
export type Fields<T> = { readonly [K in Exclude<keyof T, OptionalKeys<T>>]: Shape<T[K]> };

/** The same for those that may be absent. */
type OptionalFields<T> = { readonly [K in OptionalKeys<T>]-?: Shape<Exclude<T[K], undefined>> };

/** For each word of the property that tells the members of a union apart, the shape of the rest. */
type Variants<T, K extends keyof T> = {
  readonly [W in T[K] & string]: Shape<Omit<Extract<T, Readonly<Record<K, W>>>, K>>;
};

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

const misfit = (value: unknown, wanted: string): Misfit => ({ path: '', says: `is ${nameOf(value)}, not ${wanted}` });

/** The same as whoever holds the value sees it: `name` as it stands before a path. */
function within(name: string, { path, says }: Misfit): Misfit {
  const isProperty = path !== '' && !path.startsWith('[');
  return { path: `${name}${isProperty ? '.' : ''}${path}`, says };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ofType<T>(is: (value: unknown) => boolean, wanted: string): Shape<T> {
  return (value) => (is(value) ? undefined : misfit(value, wanted));
}

/** A text. */
export const text: Shape<string> = ofType((value) => typeof value === 'string', 'a text');

/** A number. */
export const number: Shape<number> = ofType(Number.isFinite, 'a number');

/** A flag. */
export const flag: Shape<boolean> = ofType((value) => typeof value === 'boolean', 'a flag');

/** A flag that is there only when it is set. */
export const set: Shape<true> = ofType((value) => value === true, 'a flag that is set');

/** A flag that is there only when it is not set. */
export const unset: Shape<false> = ofType((value) => value === false, 'a flag that is not set');

/** A text or a number. */
export const textOrNumber: Shape<string | number> = ofType(
  (value) => typeof value === 'string' || Number.isFinite(value),
  'a text or a number',
);

/** Anything, as long as it is there. */
export const anything: Shape<unknown> = ofType((value) => value !== undefined, 'there');

/** The ref of an object. */
export const ref: Shape<Ref> = ofType((value) => typeof value === 'string' && isRef(value), 'the ref of an object');

/** One of many words; a word that nobody knows does no harm. */
export function word<T extends string>(): Shape<T> {
  return ofType((value) => typeof value === 'string', 'a text');
}

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[]): Shape<T> {
  const known = new Set<unknown>(words);
  return (value) => {
    if (known.has(value)) return undefined;
    return typeof value === 'string' ? { path: '', says: `is none of ${words.join(', ')}` } : misfit(value, 'a text');
  };
}

/** An object with these properties; the second table has those that may be absent. */
export function record<T extends object>(
  fields: Fields<NoInfer<T>>,
  ...rest: [OptionalKeys<T>] extends [never] ? [] : [OptionalFields<NoInfer<T>>]
): Shape<T> {
  // The tables are written once and walked for each value.
  const must = Object.entries<Shape<unknown>>(fields);
  const may = rest.flatMap((optional) => Object.entries<Shape<unknown>>(optional));
  return (value) => {
    if (!isObject(value)) return misfit(value, 'an object');
    for (const [name, shape] of must) {
      const wrong = shape(value[name]);
      if (wrong) return within(name, wrong);
    }
    for (const [name, shape] of may) {
      const wrong = value[name] === undefined ? undefined : shape(value[name]);
      if (wrong) return within(name, wrong);
    }
    return undefined;
  };
}

/** One of several kinds of objects, which a property tells apart. */
export function oneBy<T extends object, K extends keyof T & string>(by: K, variants: Variants<T, K>): Shape<T> {
  const shapes = new Map<unknown, Shape<unknown>>(Object.entries<Shape<unknown>>(variants));
  return (value) => {
    if (!isObject(value)) return misfit(value, 'an object');
    const shape = shapes.get(value[by]);
    return shape ? shape(value) : { path: by, says: `is none of ${[...shapes.keys()].join(', ')}` };
  };
}

/** A list of such values. */
export function listOf<T>(items: Shape<T>): Shape<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return misfit(value, 'a list');
    for (let index = 0; index < value.length; index += 1) {
      const wrong = items(value[index]);
      if (wrong) return within(`[${index}]`, wrong);
    }
    return undefined;
  };
}

/** Two such values. */
export function pairOf<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> {
  return (value) => {
    if (!Array.isArray(value) || value.length !== 2) return misfit(value, 'a pair');
    const [a, b] = [first(value[0]), second(value[1])];
    return (a && within('[0]', a)) ?? (b && within('[1]', b));
  };
}

/** A list of such values that has one at least. */
export function someOf<T>(items: Shape<T>): Shape<readonly T[]> {
  const list = listOf(items);
  return (value) => (Array.isArray(value) && value.length === 0 ? { path: '', says: 'is empty' } : list(value));
}

/** Such values by names that nobody knows beforehand. */
export function tableOf<T>(values: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isObject(value)) return misfit(value, 'an object');
    for (const item of Object.values(value)) {
      const wrong = values(item);
      if (wrong) return within('[…]', wrong);
    }
    return undefined;
  };
}

/** What does not fit of a row, in words without any of its text; `undefined`: it fits. */
export function whyNot(shape: Shape<unknown>, row: unknown): string | undefined {
  const wrong = shape(row);
  return wrong && `${wrong.path || 'the row'} ${wrong.says}`;
}

/** The same as a question. */
export function fits<T>(shape: Shape<T>): (value: unknown) => value is T {
  return (value): value is T => shape(value) === undefined;
}
