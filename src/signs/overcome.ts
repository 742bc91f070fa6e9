import { addressIn } from './address.ts';
import { levelIn } from './level.ts';

/** What a log shows a program to have got over, by the number of the line that says so. */
export type Overcome = {
  /** The last line that says that the program has started. -1: none. */
  readonly startedAt: number;
  /** By the name of whoever was reached after all. */
  readonly reachedAt: ReadonlyMap<string, number>;
  /** The last line that says of a call that it went well, whomever it went to. -1: none. */
  readonly wellAt: number;
  /** The last line with which the program goes on as on any day, having nothing to complain of. -1: none. */
  readonly calmAt: number;
  /** The line in which it was told to stop, unless it has started since: what fails behind that fails because it stops. */
  readonly stoppedAt: number;
};

/** It serves now, or has begun its work. */
const started =
  /\b(?:listening (?:on|at|for)\b|"listening"|(?:server|application|service|app) (?:has |is |was )?(?:successfully )?(?:started|running|listening|ready)\b|started \w{1,80} in [\d.]{1,10} ?(?:s|ms|sec|seconds)\b|starting server on\b|ready (?:to accept|for) connections\b|start-?up (?:is )?(?:complete|finished)\b)/i;
/** A connection, a name or a service is there after all. */
const reached =
  /\b(?:re)?connected\b|\bconnection (?:to \S{1,253} )?(?:was |is |has been )?(?:re-?)?established\b|\bis (?:now )?(?:available|reachable|healthy|up|back|ready)\b|\brecovered\b|\bsucceeded\b|\bsuccess(?:fully)?\b|\bcircuit\b.{0,200}\bclosed\b/i;
/** It says that it is being stopped from outside; a program that ends by itself says other words. */
const stopped =
  /\b(?:received|caught|got|handling) (?:\w{1,10} ){0,2}SIGTERM\b|\bsignal SIGTERM$|\bsignal(?: received)?: (?:terminated|15)\b|\bhandling signal: term\b|\breceived (?:\w{1,10} )?(?:shutdown|termination|terminate|stop) (?:signal|request)\b|\b(?:application|server) is shutting down\b|\bshutting down (?:the )?(?:https? |grpc )?server\b|\bgraceful(?:ly)? shut|\bterminating: via signal\b|\] stopping \.\.\.$/i;
/** Whoever says so does not just go on. */
const uneasy =
  /\b(?:fail\w{0,4}|errors?|exception|retry(?:ing)?|giving up|exit(?:ing|ed)?|unable|cannot|could not|refused|timed out|timeout|waiting|stopp?ing|shutting down|unreachable|unavailable)\b/i;
/** A line in JSON with which a program tells of its ordinary work. */
const informs = /"(?:level|severity|lvl|levelname|log\.level)": ?"(?:info|information|notice)"/i;
/** None of these is meant where it is denied, asked for or waited for. */
const notSo =
  /\b(?:not|never|cannot|can't|could|unable|fail(?:ed|ure|ing)?|error|waiting|waits|until|if|is the server|dis(?:connect|abl|card|allow|miss)\w{1,10})\b/i;
/** Lines in which one who was reached is named: of more only that they began is kept. */
const mostReached = 100;

/** What the lines of a log show to have been got over. */
export function overcomeIn(lines: readonly string[]): Overcome {
  const reachedAt = new Map<string, number>();
  const found = { startedAt: -1, wellAt: -1, calmAt: -1, stoppedAt: -1 };
  for (const [at, line] of lines.entries()) {
    const start = line.slice(0, 400);
    if (stopped.test(start)) found.stoppedAt = at;
    if ((informs.test(start) || levelIn(start) === 'info') && !uneasy.test(start)) found.calmAt = at;
    if (notSo.test(start)) continue;
    if (started.test(start)) Object.assign(found, { startedAt: at, stoppedAt: -1 });
    if (!reached.test(start)) continue;
    found.wellAt = at;
    const host = reachedAt.size < mostReached ? addressIn(start)?.host : undefined;
    if (host !== undefined) reachedAt.set(host, at);
  }
  return { ...found, reachedAt };
}
