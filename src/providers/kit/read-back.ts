import { cleanText } from '../../model/redact.ts';
import type { Seen } from '../provider.ts';
import { boolean } from './fields.ts';

/** Characters of a name. */
const maxName = 64;

/** The switch of `actions`. `what`: who is read back, as the object of a sentence. */
export function readBackSwitch(what: string) {
  return boolean({ default: false, description: `Ask every minute who ${what}.` });
}

/** Who has taken an incident on: the first name of several that is one, and since when (epoch milliseconds), if that can be. */
export function takenBy(names: readonly unknown[], since: number, now: number): NonNullable<Seen['taken']> {
  const texts = names.flatMap((name) =>
    typeof name === 'string' ? [cleanText(name.replaceAll(/\s+/g, ' ').trim(), maxName)] : [],
  );
  const by = texts.find((text) => text !== '') ?? 'somebody';
  return { by, ...(since > 0 && since <= now && { since }) };
}
