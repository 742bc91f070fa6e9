import { defineProvider, group, integer, list, mention, secret, string, whenNoWorse } from './kit.ts';
import { reading } from './telegram/answers.ts';
import { telegramListening } from './telegram/presses.ts';
import { callTelegram, tellChain } from './telegram/thread.ts';

/** Telegram: a bot that writes to one chat. Source: core.telegram.org/bots/api (sendMessage, editMessageText, getChat). */
export const telegram = defineProvider({
  type: 'telegram',
  product: 'Telegram',
  family: 'chat',
  description: 'Posts to a Telegram chat through a bot.',
  behaviour: 'each answers the one before; an update that is no worse edits that one instead and rings nobody',
  supports: ['thread', { can: 'update', when: whenNoWorse }],
  credentials: [
    'Make a bot with [@BotFather](https://t.me/BotFather), put its token into a Secret, add the bot to the group or channel (there as an administrator who may post), or start it in a private chat.',
    'Groups and channels are best written by their id (`-100…`). A group that becomes a supergroup gets another id: messages still arrive, and say which `chatId` to set.',
  ],
  notes: [
    'Messages of severity `medium` and `low` ring nobody.',
    'Without `topicId`, messages of a group with topics go to *General*; so they do when the topic was deleted.',
    'With `actions`, Tocsin asks Telegram by `getUpdates` who has pressed a button: a bot that something else asks, or that has a webhook, cannot be used for it. Tocsin needs the role [`config/actions`](../../../config/actions) for what is pressed.',
    'Links stand on buttons; one to a host without a dot, which Telegram refuses there, stands in the text. Previews are switched off, and texts of the cluster mention nobody.',
  ],
  sample: { token: { secretKeyRef: { name: 'telegram', key: 'token' } }, chatId: '-1001234567890' },
  fields: {
    token: secret({ required: true, description: 'Token of the bot, as @BotFather gives it.' }),
    chatId: string({
      required: true,
      orNumber: true,
      pattern: '^(-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31})$',
      description: 'Id of the chat (groups are negative), or @name of a public one.',
    }),
    topicId: integer({
      min: 1,
      description:
        'Topic of a group with topics: the second number of the address that *Copy link* of the topic gives (`t.me/c/<group>/<topic>`).',
    }),
    actions: group(
      {
        description:
          'Buttons on its messages that acknowledge an incident or silence its object for an hour; only for an AlertProvider in the namespace of Tocsin.',
      },
      {
        users: list({
          pattern: '^[0-9]{1,20}$',
          description:
            'IDs of the Telegram users who may press them: numbers, as @userinfobot says them. Nobody else may.',
        }),
      },
    ),
  },
  reaches: { mentions: mention.telegram },
  limits: { text: { utf16: 4_096 } },
  hosts: ['api.telegram.org'],
  secretBehind: ['api\\.telegram\\.org/(?:file/)?bot'],
  pacing: { perSecond: 0.25, burst: 4 }, // 20 messages a minute and group, edits included

  deliver: tellChain,
  listening: telegramListening,

  async check({ config: { token, chatId }, send }) {
    const me = (await callTelegram(send, token, 'getMe', {})).outcome(reading);
    if (me.is !== 'delivered') return me;
    // Both only read; in the address, the id would be taken for a secret and blanked out of the answer.
    const chat = await callTelegram(send, token, 'getChat', { chat_id: chatId });
    return chat.outcome(reading);
  },
});
