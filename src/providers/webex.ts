import type { Outcome, Reference } from '../model/delivery.ts';
import {
  addressPattern,
  callOf,
  defineProvider,
  isLoud,
  keptLog,
  mention,
  objectOf,
  rejected,
  secret,
  string,
  withKeptLog,
} from './kit.ts';
import { callerOf, contentOf, reading } from './webex/api.ts';

/** A message can be edited ten times; the last two are kept for its end and its return. */
const maxEdits = { update: 8, resolve: 10, reopen: 10 } as const;

/** Webex messaging. Source: developer.webex.com, Messages (create, edit), People, Rooms. */
export const webex = defineProvider({
  type: 'webex',
  product: 'Webex',
  family: 'chat',
  description: 'Posts to a Webex space or person as a bot.',
  behaviour: 'the first is kept up to date; the end, a relapse and a rise of the severity are replies',
  supports: ['thread', 'update'],
  credentials: [
    'Create a bot at developer.webex.com, put its access token into a Secret, and add the bot to the space. `roomId` is the id of the API (`Y2lzY29zcGFyazov…`); the id that the client copies as *Space link* is understood too.',
  ],
  notes: [
    'When `roomId` and `toPersonEmail` are both given, the space is written to.',
    'Who edits a message notifies nobody, so updates are quiet; a message can be edited ten times, then updates are replies as well.',
    'Webex knows no repeats: after an answer that was lost, a message may come twice.',
    'Texts of the cluster are escaped and mention nobody.',
  ],
  sample: { accessToken: { secretKeyRef: { name: 'webex', key: 'token' } }, roomId: 'Y2lzY29zcGFyazovL3VzL1JPT00v' },
  fields: {
    accessToken: secret({ required: true, description: 'Access token of the bot.' }),
    roomId: string({ pattern: '^[A-Za-z0-9_=-]+$', description: 'Space to post to, by its id.' }),
    toPersonEmail: string({ pattern: addressPattern, description: 'Person to write to, by e-mail address.' }),
  },
  rules: [{ cel: 'has(self.roomId) || has(self.toPersonEmail)', message: 'set `roomId` or `toPersonEmail`' }],
  reaches: { mentions: mention.webex },
  limits: { markdown: { bytes: 7_439 }, text: { bytes: 7_439 } },
  hosts: ['webexapis.com'],
  pacing: { perSecond: 1, burst: 5 }, // not published; Webex says 429

  async deliver({ notification, config, send, ref, people, quiet }) {
    const call = callerOf(send, config.accessToken);
    const content = contentOf(notification, callOf(people, mention.webex));
    async function begin(): Promise<Outcome> {
      const answer = await call('POST', 'messages', { ...targetOf(config), ...content });
      const { id, roomId } = objectOf(answer.json()) ?? {};
      const known = notification.incident && typeof id === 'string' && typeof roomId === 'string';
      return answer.outcome(
        reading,
        known ? { message: id, room: roomId, edits: '0', ...keptLog(notification) } : undefined,
      );
    }

    const { message, room: roomId, edits = '0' } = ref ?? {};
    if (message === undefined || roomId === undefined) return begin();
    const { act } = notification;
    let known: Reference = { ...ref, message, room: roomId, edits };
    let told = false;
    if ((act === 'update' || act === 'resolve' || act === 'reopen') && Number(edits) < maxEdits[act]) {
      const edited = await call('PUT', `messages/${encodeURIComponent(message)}`, {
        roomId,
        ...contentOf(withKeptLog(notification, ref)),
      });
      if (edited.status === 404) return quiet ? { is: 'delivered' } : begin();
      const edit = edited.outcome(reading, known);
      told = edit.is === 'delivered';
      // What cannot be edited any more can still be replied to.
      if (!told && edited.status !== 400) return edit;
      known = { ...known, edits: String(told ? Number(edits) + 1 : maxEdits.resolve) };
      if (told && act === 'update' && !isLoud(notification)) return { is: 'delivered', ref: known };
    }
    if (quiet) return { is: 'delivered', ref: known };
    const reply = await call('POST', 'messages', { roomId, parentId: message, ...content });
    return reply.status === 400 || reply.status === 404 ? begin() : reply.outcome(reading, known);
  },

  async check({ config: { accessToken, ...config }, send }) {
    const call = callerOf(send, accessToken);
    const self = (await call('GET', 'people/me')).outcome(reading);
    if (self.is !== 'delivered') return self;
    const { roomId, toPersonEmail = '' } = targetOf(config);
    if (roomId !== undefined) return (await call('GET', `rooms/${encodeURIComponent(roomId)}`)).outcome(reading);
    const found = await call('GET', `people?email=${encodeURIComponent(toPersonEmail)}`);
    const outcome = found.outcome(reading);
    const { items } = objectOf(found.json()) ?? {};
    if (outcome.is !== 'delivered' || (Array.isArray(items) && items.length > 0)) return outcome;
    return rejected(`nobody has the address ${toPersonEmail}`);
  },
});

type Target = { readonly roomId?: string; readonly toPersonEmail?: string };
/** One of the two. Clients copy the id of a space as a UUID, of which the API's id is made. */
function targetOf({ roomId, toPersonEmail = '' }: Target): Target {
  if (roomId === undefined) return { toPersonEmail };
  const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(roomId);
  return { roomId: uuid ? Buffer.from(`ciscospark://us/ROOM/${roomId}`).toString('base64url') : roomId };
}
