import type { People, Reach } from './people.ts';

/** How somebody is named in a product so that it rings them: what people write of it, and how it stands in a text. */
export type Mention = Reach & { readonly write: (word: string) => string };

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const mailbox = "[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9][A-Za-z0-9.-]*";

/** By type. The patterns leave no room for what rings everybody, nor for what would end the mark. */
export const mention = {
  slack: {
    pattern: '^[UWS][A-Z0-9]{5,20}$',
    description: 'Id of a member (U…, W…) or of a user group (S…); no @here, @channel or @everyone.',
    write: (id) => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`),
  },
  discord: {
    pattern: '^(role:)?[0-9]{15,21}$',
    description: 'Id of a user, or of a role as role:<id>; the role must not be that of the whole server.',
    write: (id) => (id.startsWith('role:') ? `<@&${id.slice('role:'.length)}>` : `<@${id}>`),
  },
  teams: {
    pattern: `^(${uuid}|${mailbox})$`,
    description: 'User principal name (ada@example.com) or object id of a person; Teams takes no groups here.',
    write: (person) => `<at>${person}</at>`,
  },
  googlechat: {
    pattern: '^[0-9]{5,30}$',
    description: 'Number of a user (users/<number> in the API).',
    write: (id) => `<users/${id}>`,
  },
  mattermost: {
    pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
    description: 'Name of a user or of a group that may be mentioned, without the @.',
    write: (name) => `@${name}`,
  },
  rocketchat: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    description: 'Name of a user or of a team, without the @.',
    write: (name) => `@${name}`,
  },
  telegram: {
    pattern: '^([A-Za-z][A-Za-z0-9_]{3,31}|[1-9][0-9]{4,15})$',
    description: 'Name of a user without the @, or their number where they have none.',
    write: (who) => (/^[0-9]/.test(who) ? `<a href="tg://user?id=${who}">${who}</a>` : `@${who}`),
  },
  matrix: {
    pattern: '^@[a-z0-9._=/+-]{1,200}:[A-Za-z0-9.-]{1,100}(:[0-9]{1,5})?$',
    description: 'User id such as @ada:example.com; a room is not rung.',
    write: (id) => `<a href="https://matrix.to/#/${encodeURIComponent(id)}">${id}</a>`,
  },
  zulip: {
    pattern: '^([1-9][0-9]{0,9}|group:[A-Za-z0-9][A-Za-z0-9 ._-]{0,58}[A-Za-z0-9])$',
    description: 'Number of a user, or group:<name> of a user group; no group of a role.',
    write: (who) => (who.startsWith('group:') ? `@*${who.slice('group:'.length)}*` : `@**|${who}**`),
  },
  webex: {
    pattern: `^${mailbox}$`,
    description: 'E-mail address of a person.',
    write: (address) => `<@personEmail:${address}>`,
  },
  feishu: {
    pattern: '^(ou_[0-9a-f]{20,40}|[0-9a-z]{6,20})$',
    description: 'Open id (ou_…) or user id of a person; custom bots take no e-mail address.',
    write: (id) => `<at id=${id}></at>`,
  },
  wecom: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$',
    description: 'User id of a member.',
    write: (id) => `<@${id}>`,
  },
} as const satisfies Readonly<Record<string, Mention>>;

/** Everybody who is asked for, as the product marks them up; `''`: nobody. */
export function callOf(people: People | undefined, { write }: Mention): string {
  return people?.mentions.map(write).join(' ') ?? '';
}

/** A text with whom it calls behind it; as it is where it calls nobody, or where there is no room for that. */
export function calling(text: string, call: string, max: number, gap = ' '): string {
  return call === '' || text.length + gap.length + call.length > max ? text : `${text}${gap}${call}`;
}
