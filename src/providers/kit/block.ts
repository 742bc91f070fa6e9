/** A block of a resource, or opened configuration, of any type. */
export type AnyConfig = Readonly<Record<string, unknown>>;

/** A JSON object, or `undefined` when the value is anything else. */
export function objectOf(value: unknown): AnyConfig | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
