import type { Facts, Finding } from '../../model/finding.ts';

/** What a judge may have had its words from: texts of the Events that it looked at, and of findings that name the object. Read once a text. */
export type Heard = Iterable<string>;

const none: readonly string[] = [];

/** A name or a number is no quotation, even where an Event has it too. */
const isPhrase = (text: string): boolean => /\S\s+\S/.test(text);

/**
 * The fields of a finding whose text an Event has as well: `detail`, and facts by their names. `undefined`: none. Which text is whose
 * is not left to each detector: a judge that looked at an Event and says what it says has quoted it.
 */
export function eventQuotes(detail: string | undefined, facts: Facts, heard: Heard): readonly string[] | undefined {
  const phrases = Object.entries(facts).filter(([, value]) => typeof value === 'string' && isPhrase(value));
  if (!detail && phrases.length === 0) return undefined;
  const isHeard = (text: string): boolean =>
    Iterator.from(heard).some((told) => told !== '' && (told.includes(text) || text.includes(told)));
  const quotes = phrases.filter(([, value]) => isHeard(String(value))).map(([name]) => name);
  if (detail && isHeard(detail)) quotes.unshift('detail');
  return quotes.length === 0 ? undefined : quotes;
}

/** The texts of Events that a finding quotes. */
export function quotedIn({ detail = '', facts, eventQuotes: names }: Finding): readonly string[] {
  if (names === undefined) return none;
  return names.map((name) => (name === 'detail' ? detail : String(facts[name] ?? '')));
}
