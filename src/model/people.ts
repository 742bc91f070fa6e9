/** How an owner is reached in one product: whom to mention there, where to post, who gets the issue, who is called. */
export type Contact = {
  readonly mentions?: readonly string[];
  readonly channel?: string;
  readonly assignees?: readonly string[];
  readonly responders?: readonly string[];
};

/** A way in which owners are reached. */
export type Way = keyof Contact;

/** Owner → how to reach them, in the product of one AlertProvider. */
export type Contacts = Readonly<Record<string, Contact>>;

/** Words that ring everybody in some product. Nobody's name is one of them. */
const everybody: ReadonlySet<string> = new Set([
  ...['all', 'everyone', 'everybody', 'here', 'channel', 'group', 'room', 'stream', 'topic'],
]);

/** What stands before a name to say what kind of thing has it. */
const kind = /^(?:group|team|role|user|schedule|escalation):/;

/**
 * Whether a word could ring everybody, however it is written. Of a name without a kind its beginning is enough: Mattermost takes `@all.x` for
 * `@all`, and old clients of Matrix `@room:x` for `@room`.
 */
export function isEverybody(word: string): boolean {
  const name = word.toLowerCase();
  const isOfKind = kind.test(name);
  const parts = name.replace(kind, '').match(/[a-z0-9]+/g) ?? [];
  return everybody.has(parts[0] ?? '') && (!isOfKind || parts.length === 1);
}
