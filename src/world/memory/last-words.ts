import { cleanText, redact } from '../../model/redact.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { entriesOf } from '../../signs/entry.ts';

/** Characters of a sentence that are kept. */
const maxShape = 400;

/** Words that stay as they are: what holds a digit or a sign within is a name, a number, a time or a place. */
const plainWord = /^[("'[]?\p{L}+(?:['’]\p{L}+)?[)"'\].,;:!?]*$/u;

/** Words that any program uses of any failure. */
const common =
  /^(?:error\w*|exceptions?|fail\w*|fatal|panic|uncaught|unhandled|caused|message|reason|code|status|start\w*|stop\w*|exit\w*|shut\w*|unable|could|cannot|giving|runtime|process|with|from|while|during|this|that|which|when|there|have|been|were|will|would|level|time|line|file|main|invalid|unexpected)$/;

/** The words of weight of a text, in order. */
const weighty = (text: string): readonly string[] =>
  text.split(/[^\p{L}]+/u).filter((word) => word.length > 3 && !common.test(word));

/** The parts of names by which a program may call itself. */
const namesOf = (refs: readonly Ref[]): ReadonlySet<string> =>
  new Set(
    refs.flatMap((ref) => [kindOf(ref), namespaceOf(ref), ...nameOf(ref).split('-')]).map((name) => name.toLowerCase()),
  );

/** The shape of a sentence: what is said, without who says it of whom, when and how often. */
export function shapeOf(sentence: string, own: readonly Ref[] = []): string {
  const names = namesOf(own);
  // It may become the name of an incident.
  const words = redact(sentence)
    .toLowerCase()
    // With line breaks as loggers write them within a text, and what they write before a value.
    .split(/(?:\s|\\[nrt]|=)+/)
    .map((word) => (plainWord.test(word) && !names.has(word.replace(/[^\p{L}]/gu, '')) ? word : '…'));
  // A list of names is as long as it is.
  return words
    .filter((word, at) => word !== '…' || words[at - 1] !== '…')
    .join(' ')
    .slice(0, maxShape);
}

/**
 * What a program said last before it ended, as the shape of the sentence: the last that it called an error, else the last that it gave no
 * level. Empty: it said nothing of a failure, or no more than that it ends. `own`: what may be called by its name in it.
 */
export function lastWordsIn(lines: readonly string[], own: readonly Ref[]): string {
  const entries = entriesOf(lines);
  const last =
    entries.findLast(({ level }) => level === 'fatal' || level === 'error') ??
    entries.findLast(({ level }) => level === undefined);
  const shape = last === undefined ? '' : shapeOf(last.text, own);
  return weighty(shape).length === 0 ? '' : shape;
}

/** Characters of the last line that are kept. */
const maxLastLine = 500;

/** The last line that says something, which has been redacted; `undefined`: there is none. */
export function lastLineIn(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => /\S/.test(line));
  return last === undefined
    ? undefined
    : cleanText(redact(last.slice(0, 4 * maxLastLine)))
        .trim()
        .slice(0, maxLastLine)
        .toWellFormed();
}

/** The pairs of words that stand side by side in the shape of a sentence, without those that any program uses. */
function pairsOf(shape: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const part of shape.split('…')) {
    const words = weighty(part);
    for (const [at, word] of words.entries()) if (at > 0) pairs.add(`${words[at - 1]} ${word}`);
  }
  return pairs;
}

/** Whether words are enough to know a sentence by. */
export const isTelling = (shape: string): boolean => weighty(shape).length > 1;

/** Whether two programs quote the same: two words of weight side by side, as an answer that both were given has them. */
export const isSameSaid = (a: string, b: string): boolean => a === b || !pairsOf(a).isDisjointFrom(pairsOf(b));

/** What is said of a call, in whatever words: whose trouble that is stays open. */
const ofACall =
  /\b(?:connect\w*|connections?|requests?|responses?|responded|time(?:d )?-?out|sockets?|network|hosts?|https?|grpc|rpc|tcp|tls|ssl|eof|eproto|upstream|post|calls?|broker|server|service|client|peer|remote|unavailable|unreachable|session|query)\b/;
export const speaksOfACall = (shape: string): boolean => ofACall.test(shape);

/** Whether what is said speaks of an object by a word of its name. */
export function speaksOf(ref: Ref, shape: string): boolean {
  const said = new Set(shape.split(/[^\p{L}\d]+/u));
  return nameOf(ref)
    .split(/[-.:]/)
    .some((word) => word.length > 2 && said.has(word));
}
