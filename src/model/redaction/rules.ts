import { addressRules } from './addresses.ts';
import { callRules } from './calls.ts';
import { commandRules } from './commands.ts';
import { handedOutRules } from './handed-out.ts';
import { nearbyRules } from './nearby.ts';
import { pairRules } from './pairs.ts';
import { proseRules } from './prose.ts';
import { protocolRules } from './protocols.ts';
import type { Rule } from './rule.ts';
import { secretObjectRules } from './secret-objects.ts';
import { headerRules, keyRules } from './shapes.ts';
import { tokenRules } from './tokens.ts';

/** Every kind of secret, in the order in which they are looked for: what spans lines first, what goes by names last. */
const kinds: readonly Rule[] = [
  ...secretObjectRules,
  ...keyRules,
  ...headerRules,
  ...tokenRules,
  ...addressRules,
  ...commandRules,
  ...protocolRules,
  ...callRules,
  ...pairRules,
  ...proseRules,
  ...handedOutRules,
  ...nearbyRules,
];

/** A kind of secret as texts are searched for it. */
export type SearchedRule = Rule & {
  /** Whether the pattern is for any case of letters: what a text needs is in small ones then. */
  readonly anyCase: boolean;
};

/** All of them, in their order. */
export const rules: readonly SearchedRule[] = kinds.map((rule) => {
  const anyCase = rule.pattern.ignoreCase;
  const needs = anyCase ? rule.needs?.map((part) => part.toLowerCase()) : rule.needs;
  return { ...rule, anyCase, ...(needs && { needs }) };
});

/** Whether a rule can match a text, by a look that costs little. `inSmallLetters`: the same text. */
export function mayMatch({ anyCase, needs, hint }: SearchedRule, text: string, inSmallLetters: string): boolean {
  const searched = anyCase ? inSmallLetters : text;
  return (needs === undefined || needs.some((part) => searched.includes(part))) && (hint === undefined || hint(text));
}
