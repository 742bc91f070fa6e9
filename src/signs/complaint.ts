import type { Sign } from '../model/sign.ts';
import { addressIn } from './address.ts';
import type { Entry } from './entry.ts';
import { excerpt } from './sentence.ts';

/** A sentence that something went wrong, in the words of most programs; and the codes with which servers turn a call away. */
const failing =
  /\b(?:fail(?:ed|ure|s|ing)?|error|err=|err":|exception|refused|rejected|denied|unauthori[sz]ed|unavailable|unimplemented|cannot|can't|could not|couldn't|unable|unreachable|revoked|blocked by|giving up|gave up)|\bstatus(?: ?code)?["']?[=: ]{1,2}[45]\d\d\b|\b[A-Z]\w{1,80}(?:Error|Exception)\b/i;
/** The address is its own, or is only where people can read more. */
const ofItsOwn = /\b(?:listen(?:ing|s)?|bind(?:ing)?|bound|serving|started) (?:on|at|to)\b|address already in use/i;
const toRead =
  /\b(?:see|visit|read|more|docs?|help|guide|wiki|faq|issues?|report|upgrade|learn)\b[^:]{0,60}:? ?["'(<]?https?:|https?:\/\/(?:docs?|www|github|gitlab|go|pkg|npmjs|nodejs|pris)\.|https?:\/\/[^\s"']{1,253}\/(?:docs?|wiki|issues|errors|help|faq)\b/i;

/** The address itself is what is wrong with it. */
const malformed =
  /\bpars(?:e|ing)\b|\b(?:invalid|malformed|bad|unsupported) (?:url|uri|port|address|dsn|scheme|connection string)\b/i;

/** Lines of a trace that are looked at. */
const maxLines = 40;

/**
 * What lines that no row of the table reads still tell: that a call failed, and to whom. The last sentence of a trace that complains and
 * names an address; nothing where it is the program's own, or a page to read.
 */
export function complaintIn(
  trace: readonly (readonly [at: number, entry: Entry])[],
): { readonly sign: Sign; readonly at: number } | undefined {
  for (const [at, { text, level }] of trace.slice(-maxLines).reverse()) {
    if (
      level === 'warning' ||
      level === 'info' ||
      !failing.test(text) ||
      ofItsOwn.test(text) ||
      malformed.test(text) ||
      toRead.test(text)
    )
      continue;
    const target = addressIn(text);
    if (target === undefined || (target.port === undefined && !target.host.includes('.'))) continue;
    return {
      sign: { kind: 'CallFailed', target, line: excerpt(text, text.indexOf(target.host) + target.host.length) },
      at,
    };
  }
  return undefined;
}
