/** A value that is costly to make and may be a little old: made at most once in `lifeMs`, however many ask at once. */
export function recent<T>(lifeMs: number, now: () => number, make: () => Promise<T>): () => Promise<T> {
  let made: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const at = now();
    // A clock that stepped back must not make it live longer.
    if (made && Math.abs(at - made.at) < lifeMs) return made.value;
    const value = make();
    made = { at, value };
    value.catch(() => {
      // The next one tries again.
      if (made?.value === value) made = undefined;
    });
    return value;
  };
}
