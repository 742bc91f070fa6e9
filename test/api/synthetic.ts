/** Provider types that no product has, as large as real ones: for tests of what carries 55 of them. */

import type { AnyProvider } from '../../src/providers/kit/define.ts';
import {
  boolean,
  defineProvider,
  group,
  headers,
  httpUrl,
  integer,
  json,
  list,
  secret,
  string,
} from '../../src/providers/kit.ts';

/** What every synthetic type has besides its fields. */
const rest = {
  family: 'chat',
  plain: 'native',
  description: 'Sends each notification as a message to a channel of the product.',
  behaviour: 'one thread',
  supports: ['thread'],
  credentials: ['Create the credential on the page of integrations.'],
  notes: [],
  sample: {},
  limits: {},
  pacing: { perSecond: 1, burst: 1 },
  deliver: async () => ({ is: 'delivered' }) as const,
} as const;

/** A chat: webhook or bot token, with a rule across fields. */
const chat = (type: string) =>
  defineProvider({
    ...rest,
    type,
    product: 'A chat',
    fields: {
      webhook: secret({ holds: 'url', description: 'Address of the incoming webhook; the path is the credential.' }),
      token: secret({ description: 'Bot token; with a channel, instead of a webhook.' }),
      channel: string({ description: 'Channel to post to, by its id or with a leading #.' }),
      compact: boolean({ default: false, description: 'One line instead of blocks.' }),
      title: string({ description: 'Fixed title instead of the title of the incident.' }),
    },
    rules: [
      { cel: 'has(self.webhook) || has(self.token)', message: 'set `webhook`, or `token` with `channel`' },
      { cel: '!has(self.token) || has(self.channel)', message: 'set `channel` with `token`' },
    ],
  });

/** A tracker: ids that people write unquoted, and a setting that needs another. */
const tracker = (type: string) =>
  defineProvider({
    ...rest,
    type,
    product: 'A tracker',
    fields: {
      url: httpUrl({ required: true, description: 'Address of the server.' }),
      user: string({ required: true, description: 'Account that creates the issues.' }),
      token: secret({ required: true, description: 'API token of that account.' }),
      projectId: string({ required: true, orNumber: true, description: 'Id of the project.' }),
      priority: integer({ min: 1, max: 4, description: 'Priority; by default it follows the severity.' }),
      closeStatus: string({ description: 'Status that a resolve moves the task to; by default only a comment.' }),
      reopenStatus: string({ description: 'Status that a reopen moves the task to; needs closeStatus.' }),
    },
    rules: [
      { cel: '!has(self.reopenStatus) || has(self.closeStatus)', message: 'set `closeStatus` beside `reopenStatus`' },
    ],
  });

/** Mail: a port, a list that may be one text, an enum with a default. */
const mail = (type: string) =>
  defineProvider({
    ...rest,
    type,
    product: 'Mail',
    fields: {
      host: string({ required: true, description: 'Host of the relay.' }),
      port: string({ required: true, numeric: { min: 1, max: 65_535 }, description: 'Port of the relay.' }),
      from: string({ required: true, description: 'Sender, as an address or with a display name.' }),
      to: list({ required: true, commaSeparated: true, description: 'Receivers.' }),
      cc: list({ maxItems: 10, description: 'More receivers.' }),
      tls: string({ oneOf: ['required', 'none'], default: 'required', description: 'Whether the relay must use TLS.' }),
      username: string({ description: 'Account at the relay; by default the sender.' }),
      password: secret({ description: 'Password; absent for a relay without authentication.' }),
    },
  });

/** Everything else: headers, nested objects, open values, defaults. */
const automation = (type: string) =>
  defineProvider({
    ...rest,
    type,
    product: 'An automation',
    fields: {
      url: httpUrl({ default: 'http://localhost:8080', description: 'Address of the server.' }),
      region: string({ oneOf: ['us', 'eu'], default: 'us', description: 'Region of the account.' }),
      token: secret({ required: true, description: 'Access token.' }),
      headers: headers({ refused: ['host', 'proxy-*'], description: 'Headers added to every request.' }),
      basicAuth: group(
        { description: 'HTTP Basic authentication.' },
        { username: string({ description: 'User name.' }), password: secret({ description: 'Password.' }) },
      ),
      priority: integer({ default: 4, min: 1, max: 5, description: 'Priority.' }),
      extra: json({ description: 'Anything the product takes.' }),
    },
  });

const shapes = [chat, tracker, mail, automation];

/** `count` types of realistic size, named `product00` and so on. */
export function syntheticProviders(count: number): readonly AnyProvider[] {
  return Array.from({ length: count }, (_, index): AnyProvider => {
    const shape = shapes[index % shapes.length] ?? chat;
    return shape(`product${String(index).padStart(2, '0')}`);
  });
}
