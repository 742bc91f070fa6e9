import { addressIn } from './address.ts';

/** What a log shows a program to have got over, by the number of the line that says so. */
export type Overcome = {
  /** The last line that says that the program has started. -1: none. */
  readonly startedAt: number;
  /** By the name of whoever was reached after all. */
  readonly reachedAt: ReadonlyMap<string, number>;
};

/** It serves now, or has begun its work. */
const started =
  /\b(?:listening (?:on|at|for)\b|"listening"|(?:server|application|service|app) (?:has |is |was )?(?:successfully )?(?:started|running|listening|ready)\b|started \w{1,80} in [\d.]{1,10} ?(?:s|ms|sec|seconds)\b|starting server on\b|ready (?:to accept|for) connections\b|start-?up (?:is )?(?:complete|finished)\b)/i;
/** A connection, a name or a service is there after all. */
const reached =
  /\b(?:re)?connected\b|\bconnection (?:to \S{1,253} )?(?:was |is |has been )?(?:re-?)?established\b|\bis (?:now )?(?:available|reachable|healthy|up|back|ready)\b|\brecovered\b|\bsucceeded\b|\bcircuit\b.{0,200}\bclosed\b/i;
/** None of these is meant where it is denied, asked for or waited for. */
const notSo =
  /\b(?:not|never|cannot|can't|could|unable|fail(?:ed|ure|ing)?|error|waiting|waits|until|if|is the server|dis\w{3,20})\b/i;
/** Lines in which one who was reached is named: of more only that they began is kept. */
const mostReached = 100;

/** What the lines of a log show to have been got over. */
export function overcomeIn(lines: readonly string[]): Overcome {
  const reachedAt = new Map<string, number>();
  let startedAt = -1;
  for (const [at, line] of lines.entries()) {
    const start = line.slice(0, 400);
    if (notSo.test(start)) continue;
    if (started.test(start)) startedAt = at;
    if (reachedAt.size >= mostReached || !reached.test(start)) continue;
    const host = addressIn(start)?.host;
    if (host !== undefined) reachedAt.set(host, at);
  }
  return { startedAt, reachedAt };
}
