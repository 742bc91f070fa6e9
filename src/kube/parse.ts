/** How the API server begins the list of who wrote which fields. The comma says that the quote after it opens a name. */
const beginOfManagedFields = Buffer.from(',"managedFields":[');
/** Its end, where more of the object follows. */
const endOfManagedFields = Buffer.from(']},"');
const bracket = ']';

/** Parses an object of the API. Throws `SyntaxError` when the bytes are not JSON. */
export function parseObject(bytes: Buffer, withoutManagedFields: boolean): unknown {
  return (withoutManagedFields ? parseTrimmed(bytes) : undefined) ?? JSON.parse(bytes.toString('utf8'));
}

/**
 * The object without its managedFields, which are up to a third of it and cost more than that. `undefined` when it has none or
 * they are written in another way. What is searched for in the bytes is no guess: in a text every quote is escaped, so both
 * marks stand outside of texts. Between them no list is closed. Had another been opened there, the brackets of what is left
 * would not match, and `JSON.parse` would refuse it.
 */
function parseTrimmed(bytes: Buffer): unknown {
  const start = bytes.indexOf(beginOfManagedFields);
  if (start < 0) return undefined;
  const end = bytes.indexOf(bracket, start + beginOfManagedFields.length);
  if (end < 0 || !isEnd(bytes, end)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', 0, start) + bytes.toString('utf8', end + 1));
  } catch {
    return undefined;
  }
}

/** `]},"` and a letter: a quote that ends a text is not followed by one. */
function isEnd(bytes: Buffer, at: number): boolean {
  const letter = bytes[at + endOfManagedFields.length] ?? 0;
  if (letter < 0x61 || letter > 0x7a) return false;
  return endOfManagedFields.compare(bytes, at, at + endOfManagedFields.length) === 0;
}
