import type { Family } from '../../model/traits.ts';
import type { AnyConfig } from './block.ts';
import type { BlockFields } from './fields.ts';

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

/**
 * Which fields a type must have set to keep its message up to date; `undefined`: it does not. Of chats only, and what hangs on clients and
 * servers is none that anybody can count on.
 */
export function editingFields(family: Family, supports: readonly Support[]): readonly string[] | undefined {
  for (const support of family === 'chat' ? supports : []) {
    if (abilityOf(support) !== 'update') continue;
    if (typeof support === 'string') return [];
    if ('with' in support) return support.with;
    if (support.when === whenNoWorse) return [];
  }
  return undefined;
}

/** A field that must be set, and where it is a switch, on. */
export type Setting = { readonly field: string; readonly isSwitch: boolean };

/** With which settings the end of an incident closes something: all of those in one of the lists. One that is empty: always, or perhaps. */
export function closingSettings({
  supports,
  fields,
}: {
  readonly supports: readonly Support[];
  readonly fields: BlockFields;
}): readonly (readonly Setting[])[] {
  return supports
    .filter((support) => abilityOf(support) === 'close')
    .map((support) => {
      const needed = typeof support === 'object' && 'with' in support ? support.with : [];
      return needed.map((field) => ({ field, isSwitch: fields[field]?.is === 'boolean' }));
    });
}

/** Whether the end of an incident closes something, or may, with this block. */
export function closesSomething(definition: Parameters<typeof closingSettings>[0], block: AnyConfig = {}): boolean {
  return closingSettings(definition).some((settings) =>
    settings.every(({ field, isSwitch }) =>
      isSwitch ? block[field] === true : (block[field] ?? undefined) !== undefined,
    ),
  );
}

/** The ability of a claim. */
export function abilityOf(support: Support): Ability {
  return typeof support === 'string' ? support : support.can;
}
