/** What a type can do with the messages of one incident besides sending each of them, in the words of the pages. */
export const abilities = {
  thread: 'what follows stands with the opening: as replies, as comments, in its conversation or its log',
  update: 'the opening itself is brought up to date',
  close: 'the end of the incident closes what the opening made, or stops its alarm',
  reopen: 'a relapse opens it again; elsewhere a relapse is a new one',
  dedup: 'an attempt that broke off half-way is repeated without a second notification',
} as const;

/** One of them. */
export type Ability = keyof typeof abilities;

/**
 * An ability that a type always has, has when these fields are set (`with`), or has when something is so that no field shows
 * (`when`: the rest of a sentence). The conformance suite proves each from what arrives at the product.
 */
export type Support<Field extends string = string> =
  | Ability
  | { readonly can: Ability; readonly with: readonly Field[] }
  | { readonly can: Ability; readonly when: string };

/** What is no worse is written into the message that is there, which rings nobody. */
export const whenNoWorse = 'the incident is no worse';

/** The ability of a claim. */
export function abilityOf(support: Support): Ability {
  return typeof support === 'string' ? support : support.can;
}
