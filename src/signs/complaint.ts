import type { Sign, SignTarget } from '../model/sign.ts';
import { addressIn } from './address.ts';
import type { Entry } from './entry.ts';
import { byProxy, excerpt } from './sentence.ts';

/** A sentence that something went wrong, in the words of most programs; and the codes with which servers turn a call away. */
const failing =
  /\b(?:fail(?:ed|ure|s|ing)?|error|err=|err":|exception|refused|rejected|denied|unauthori[sz]ed|unavailable|unimplemented|cannot|can't|could not|couldn't|unable|unreachable|revoked|blocked by|giving up|gave up)|\bstatus(?: ?code)?["']?[=: ]{1,2}[45]\d\d\b|\b[A-Z]\w{1,80}(?:Error|Exception|Failed|Failure|Timeout|Refused)\b|\b(?:timed ?out|(?<!\b(?:connect|read|write|idle|request|session) )timeout(?![=:]| of| is| \d)|lost|closed|aborted|disconnected|blocked|read[- ]?only|no more|not (?:available|reachable|accessible|connected|responding))\b/i;
/** It speaks of failures and tells of none: what is done on one, where they are counted or sent to, what came after some. */
const ofFailures =
  /\b(?:on|upon|in case of|per|each) (?:error|failure)s?\b|\b(?:error|failure|exception)s? (?:tracking|reporting|reporter|page|handler|budget|rate|threshold|log)\b|\bafter \d{1,6} (?:failed|unsuccessful) /i;
/** A setting as it is printed at the start, or a field beside a message that is not about an error: its words are those of its name. */
const echoed =
  /(?<![\w.])(?!(?:err|error|msg|message|reason|cause|exception|status|code|statuscode|status_code|detail)=)[\w.-]{2,60}=[^\s"']{1,300}/gi;
const complains = (text: string): boolean => failing.test(text.includes('=') ? text.replace(echoed, '') : text);
/** A client of the program did something wrong: the address is where it came from, or the program's own. */
const ofClients = /\bclient: [^,]{1,60}, server: |\bfrom origin ['"]?https?:|\bHTTP_HOST header\b/;
/** The address is its own, or is only where people can read more. */
const ofItsOwn = /\b(?:listen(?:ing|s)?|bind(?:ing)?|bound|serving|started) (?:on|at|to)\b|address already in use/i;
/** Words in front of an address where people can read more, and the addresses and paths of such pages. */
const invitation = /\b(?:see|visit|read (?:more|about)|more|docs?|help|guide|wiki|faq|issues?|report|upgrade|learn)\b/i;
const pageHost = /^https?:\/\/(?:docs?|www|github|gitlab|go|pkg|npmjs|nodejs|pris)\./i;
const pagePath = /[^/]\/(?:docs?|wiki|issues|errors|help|faq)\b/i;
const web = /https?:(?:\/\/[^\s"']{1,253})?/gi;
/** Addresses of a line that are looked at, and characters in front of each that may invite to it. */
const maxPages = 8;
const maxInvitation = 70;

/** Whether a sentence names a page where people can read more. Looks at each address once: lines of addresses are read as fast as others. */
function isToRead(text: string): boolean {
  for (const { 0: address, index } of text.matchAll(web).take(maxPages)) {
    if (pageHost.test(address) || pagePath.test(address)) return true;
    const before = text.slice(Math.max(0, index - maxInvitation), index).replace(/:? ?["'(<]?$/, '');
    if (invitation.test(before.slice(before.lastIndexOf(':') + 1))) return true;
  }
  return false;
}

/** The address itself is what is wrong with it. */
const malformed =
  /\bpars(?:e|ing)\b|\b(?:invalid|malformed|bad|unsupported) (?:url|uri|port|address|dsn|scheme|connection string)\b/i;

/** It went well, or is about to be tried: what it names there need not be what fails. */
const wentWell =
  /\b(?:(?:re)?connected|established|success(?:ful(?:ly)?)?|succeeded|ready|healthy|registered|subscribed|loaded|initiali[sz]ed)\b/i;
/** That there is a connection is what a sentence says, though it speaks of a failure before that. */
const isThereAgain =
  /\bconnection to [\w.:-]{1,253} (?:was |is |has been )?(?:re)?established\b|(?<!\b(?:not|never|be|was) )\b(?:re)?connected to\b/i;
/** What only the program's own code does wrong: whom it talked to has no part in it. */
const ownFault =
  /\b(?:nil pointer|null ?pointer|null reference|NullReference|index out of|IndexOutOf|IndexError|out of bounds|TypeError|AttributeError|NameError|ReferenceError|SyntaxError|KeyError|AssertionError|assertion failed|ClassCast|ClassNotFound|NoClassDef|NoSuchMethod|NoSuchField|StackOverflow|stack overflow|Number ?Format|divide by zero|division by zero|slice bounds|concurrent map|unreachable code|NotImplemented|NoMethodError|called `Option::unwrap|Arithmetic|IllegalArgument|ValueError)/;

/** Lines of a trace that are looked at, and their characters: as many as are fetched of a log. */
const maxLines = 40;
const maxCharacters = 16_384;

type Placed = readonly [at: number, entry: Entry];

/** The first of some lines that are looked at. */
function looked(trace: readonly Placed[]): readonly Placed[] {
  const lines: Placed[] = [];
  let room = maxCharacters;
  for (const line of trace.slice(0, maxLines)) {
    room -= line[1].text.length;
    if (room < 0 && lines.length > 0) break;
    lines.push(line);
  }
  return lines;
}

/** Whether the place that a sentence names may be whom the program called, and not itself, its own client, or a page to read. */
const mayName = (text: string): boolean =>
  !ofItsOwn.test(text) && !ofClients.test(text) && !malformed.test(text) && !isToRead(text);

/** Whether a sentence names whom the program called, and does not say that it went well. */
const namesACallee = (text: string): boolean => mayName(text) && !wentWell.test(text);

/**
 * Whom a bare exception or panic is about, as one of its own lines names them. `undefined`: nobody, or it is a fault of the program's own
 * code.
 */
export function calleeOf(trace: readonly Placed[]): SignTarget | undefined {
  const lines = looked(trace).map(([, { text }]) => text);
  if (lines.some((text) => ownFault.test(text))) return undefined;
  for (const text of lines) {
    const target = namesACallee(text) && !byProxy.test(text) ? addressIn(text) : undefined;
    if (target && isPlace(target)) return target;
  }
  return undefined;
}

/** A word by itself may be anything; with a dot or a port it is a place. */
const isPlace = ({ host, port }: SignTarget): boolean => port !== undefined || host.includes('.');

/**
 * What lines that no row of the table reads still tell: that a call failed, and to whom. The last sentence of a trace that complains and
 * names an address; nothing where it is the program's own, or a page to read.
 */
export function complaintIn(trace: readonly Placed[]): { readonly sign: Sign; readonly at: number } | undefined {
  for (const [at, { text, level }] of looked(trace.toReversed())) {
    if (level === 'info' || !complains(text) || ofFailures.test(text) || isThereAgain.test(text) || !mayName(text))
      continue;
    const target = addressIn(text);
    if (target === undefined || !isPlace(target) || byProxy.test(text)) continue;
    return {
      sign: { kind: 'CallFailed', target, line: excerpt(text, text.indexOf(target.host) + target.host.length) },
      at,
    };
  }
  return onTwoLines(trace);
}

/** A line of a trace that complains and names nobody, and whom another line of it names, such as the fields beside a message. */
function onTwoLines(trace: readonly Placed[]): ReturnType<typeof complaintIn> {
  const complaint = looked(trace.toReversed()).find(([, { text, level }]) => level !== 'info' && complains(text));
  const target = complaint && trace.length > 1 ? calleeOf(trace) : undefined;
  if (complaint === undefined || target === undefined) return undefined;
  const [at, { text }] = complaint;
  return { sign: { kind: 'CallFailed', target, line: excerpt(text, text.length) }, at };
}
