/** An object of JSON. */
type Fields = Readonly<Record<string, unknown>>;

/** Whether two values of JSON's kinds say the same, in whatever order their keys are. Makes nothing, unlike a comparison by text. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) if (!isSame(a[at], b[at])) return false;
    return true;
  }
  return sameFields(a as Fields, b as Fields);
}

function sameFields(a: Fields, b: Fields): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isSame(a[key], b[key])) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}
