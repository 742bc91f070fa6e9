/** Waits for something that a socket is about to bring, at most `limitMs` of real time. */
export async function eventually(what: string, holds: () => boolean, limitMs = 10_000): Promise<void> {
  const until = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > until) throw new Error(`still not so after ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
