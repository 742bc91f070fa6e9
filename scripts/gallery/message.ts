/** A request or mail as the golden files hold it. */
export type Message = {
  readonly request?: string;
  readonly body?: unknown;
  readonly html?: unknown;
  readonly headers?: unknown;
};

/** Fields of something that came out of JSON. */
export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> => new Map(Object.entries(Object(value)));

/** A list that came out of JSON; empty where it is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text as golden files hold it: whole, or line by line. */
export const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value ?? ''));

/** A text at the end of a path of fields: `payload.summary`. */
export function textAt(value: unknown, path: string): string {
  const end = path.split('.').reduce<unknown>((inner, name) => fieldsOf(inner).get(name), value);
  return textOf(end);
}
