import { truncate } from '../message/render/kit/truncate.ts';
import type { Outcome } from '../model/delivery.ts';
import {
  defineProvider,
  httpUrl,
  isLoud,
  keptLog,
  mention,
  objectOf,
  rejected,
  secret,
  string,
  withKeptLog,
} from './kit.ts';
import { matrixActions } from './matrix/actions.ts';
import { cannotRelate, eventOf, reading } from './matrix/answers.ts';
import { askMatrix, sayInRoom } from './matrix/api.ts';
import { matrixCalling, matrixQuiet } from './matrix/people.ts';
import { matrixListening } from './matrix/presses.ts';
import type { Answer } from './provider.ts';

/** A bot is in many rooms. */
const maxRoomsBytes = 1024 * 1024;

/** Matrix. Source: spec.matrix.org, Client-Server API (rooms/send, m.replace, m.thread, m.mentions, whoami, joined_rooms). */
export const matrix = defineProvider({
  type: 'matrix',
  product: 'Matrix',
  family: 'chat',
  description: 'Posts to a Matrix room as a bot.',
  behaviour:
    'the first is kept up to date; the end is in its thread, a relapse or a rise of the severity a reply in the room',
  supports: ['thread', 'update', 'dedup'],
  credentials: [
    'Make an account for the bot, log it in with a request of its own and put the access token into a Secret: a token copied from a client ends when that client logs out. Invite the bot to the room and let it join.',
    '`internalRoomId` begins with `!` and is in the settings of the room under *Advanced*; an alias (`#…`) is not enough. `homeServer` is the base address for clients, for example `https://matrix-client.matrix.org`.',
  ],
  notes: [
    'In an encrypted room the messages are shown as not encrypted.',
    'Edits notify nobody, so updates are quiet; the end of an incident is posted in the thread, a relapse and an incident that gets worse in the room.',
    'Every message says that it mentions nobody; texts of the cluster are escaped.',
    'With `actions`, a member who may reacts to a message: 👍, ✅ or 👀 acknowledges, 🔕 or 🔇 silences for an hour; or replies with nothing but `ack`, `silence` or a time, `silence 2h`, up to `silence 7d`. To take a reaction back, or to edit a reply, changes nothing. In an encrypted room reactions are heard, replies are not. Tocsin asks the server by `/sync` for what these members do in this room, and needs the role [`config/actions`](../../../config/actions) for it.',
  ],
  sample: {
    homeServer: 'https://matrix.example.com',
    accessToken: { secretKeyRef: { name: 'matrix', key: 'token' } },
    internalRoomId: '!abcdefghijklmnopqr:example.com',
  },
  fields: {
    homeServer: httpUrl({ required: true, description: 'Base address of the server for clients.' }),
    accessToken: secret({ required: true, description: 'Access token of the bot.' }),
    internalRoomId: string({
      required: true,
      pattern: '^![^\\s/?#]+$',
      description: 'Room to post to (!…), no alias.',
    }),
    actions: matrixActions,
  },
  reaches: { mentions: mention.matrix },
  limits: { body: { bytes: 8_000 }, formatted: { bytes: 14_000 }, event: { bytes: 65_536 } },
  hosts: ['matrix-client.matrix.org'],
  pacing: { perSecond: 0.1, burst: 5 }, // Synapse takes 0.2 events a second and 10 at once; an act is up to two

  async deliver(attempt) {
    const { notification, delivery, ref, people, buttons, quiet = false } = attempt;
    const say = (transaction: string, json: Readonly<Record<string, unknown>>): Promise<Answer> =>
      sayInRoom(attempt, transaction, json);
    const content = matrixCalling(notification, people, buttons);
    async function begin(transaction: string): Promise<Outcome> {
      const answer = await say(transaction, { msgtype: 'm.text', ...content });
      const event = eventOf(answer);
      return answer.outcome(
        reading,
        notification.incident && event !== undefined ? { event, ...keptLog(notification) } : undefined,
      );
    }

    const event = ref?.event;
    if (event === undefined) return begin(delivery.attemptKey);
    const loud = isLoud(notification);
    const isEdit = quiet || (notification.act === 'update' && !loud);
    const shown = { msgtype: 'm.text', ...content };
    const edited = await say(`${delivery.attemptKey}-edit`, {
      // For clients without edits, and as a notice for servers that would notify of one.
      ...{ msgtype: 'm.notice', body: `* ${truncate(notification.title, 500, 'utf16')}`, 'm.mentions': {} },
      'm.new_content': { msgtype: 'm.text', ...matrixQuiet(withKeptLog(notification, ref), buttons) },
      'm.relates_to': { rel_type: 'm.replace', event_id: event },
    });
    const edit = edited.outcome(reading, ref);
    // Refused for what it refers to: whatever became of the first message, this one can still be told.
    if (cannotRelate(edited)) return quiet ? { is: 'delivered' } : begin(`${delivery.attemptKey}-anew`);
    if (edit.is !== 'delivered' || isEdit) return edit;
    const reply = { 'm.in_reply_to': { event_id: event } };
    const thread = { rel_type: 'm.thread', event_id: event, is_falling_back: true, ...reply };
    const told = await say(delivery.attemptKey, { ...shown, 'm.relates_to': loud ? reply : thread });
    return cannotRelate(told) ? begin(`${delivery.attemptKey}-anew`) : told.outcome(reading, ref);
  },

  listening: matrixListening,

  async check({ config, send }) {
    const { internalRoomId } = config;
    const self = (await askMatrix({ config, send }, 'account/whoami')).outcome(reading);
    if (self.is !== 'delivered') return self;
    const rooms = await askMatrix({ config, send }, 'joined_rooms', { maxAnswerBytes: maxRoomsBytes });
    const { joined_rooms: joined } = objectOf(rooms.json()) ?? {};
    const outcome = rooms.outcome(reading);
    if (outcome.is !== 'delivered' || (Array.isArray(joined) && joined.includes(internalRoomId))) return outcome;
    return rejected(`the bot is not in ${internalRoomId}: invite it and let it join`);
  },
});
