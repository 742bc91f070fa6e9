import { webLinks } from '../message/render/kit/clip.ts';
import { headline, oneLine } from '../message/render/kit/headline.ts';
import { truncate } from '../message/render/kit/truncate.ts';
import { backslashed, type Dialect, githubMarkdown, markdown } from '../message/render/markdown.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import { reading, takesMessages } from './dingtalk/answers.ts';
import { defineProvider, dingtalkSignature, editUrl, keyDestination, secret, string } from './kit.ts';
import type { Answer } from './provider.ts';

/** No code and no tables; tags are HTML's. Taken are 5,000 characters, and requests of 20,000 bytes: those of four bytes fit as well. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 4_400,
  unit: 'characters',
  heading: '#### ',
  lineBreak: '  \n',
  code: false,
  fence: 'none',
  escapes: { ...backslashed('\\*_`'), '<': '&lt;', '>': '&gt;' },
};

/** What conversation lists and pop-ups show; characters. */
const maxTitle = 64;
/** Buttons of a card, and their words; characters. With longer addresses than these together they stand in the text. */
const maxButtons = 4;
const maxButtonTitle = 20;
const maxAddresses = 1_500;

/** DingTalk: a custom robot of a group. Source: open.dingtalk.com, custom robot access. */
export const dingtalk = defineProvider({
  type: 'dingtalk',
  product: 'DingTalk',
  family: 'chat',
  description: 'Posts to a DingTalk group through a custom robot.',
  behaviour: 'every act is a new message',
  credentials: [
    'Add a custom robot to the group and put the `access_token` of its webhook, or its whole address, into a Secret.',
    'Secure the robot by *additional signature* and put its secret into the Secret as well. With keywords instead, one of them must stand in every message: put it into `title`.',
  ],
  notes: [
    'Links stand on the buttons of a card; what no card may hold is sent once more as plain Markdown.',
    'A robot takes 20 messages a minute and is blocked for 10 minutes after more; Tocsin keeps below that.',
    'Texts of the cluster are escaped: they mention nobody and make no links.',
  ],
  sample: {
    accessToken: { secretKeyRef: { name: 'dingtalk', key: 'token' } },
    secret: { secretKeyRef: { name: 'dingtalk', key: 'secret' } },
  },
  fields: {
    accessToken: secret({ required: true, description: 'The `access_token` of the robot, or the whole address.' }),
    secret: secret({ description: 'Signing secret (SEC…), where the robot is secured by a signature.' }),
    title: string({
      maxLength: maxTitle,
      description: 'What conversation lists and pop-ups show; by default the title of the notification.',
    }),
  },
  limits: { title: { characters: maxTitle }, text: { characters: 5_000 }, body: { bytes: 20_000 } },
  hosts: ['oapi.dingtalk.com'],
  pacing: { perSecond: 0.25, burst: 4 }, // 20 messages a minute; more blocks the robot for 10 minutes

  async deliver({ notification, config, send, now }) {
    const destination = signed(config.accessToken, config.secret, now);
    const title = config.title ?? headline(notification, maxTitle, 'characters');
    const post = (json: object): Promise<Answer> => send({ method: 'POST', ...destination, headers: utf8, json });
    const card = cardOf(notification, title);
    const first = card && (await post(card));
    // Keywords are looked for in messages, and no page says where in a card; the message is worth more than its buttons.
    const again = !first || (first.outcome(reading).is !== 'delivered' && takesMessages(first));
    return (again ? await post(textOf(notification, title)) : first).outcome(reading);
  },

  async check({ config, send, now }) {
    const destination = signed(config.accessToken, config.secret, now);
    // A kind of message that does not exist is refused, after the token and the signature were looked at.
    const answer = await send({ method: 'POST', ...destination, headers: utf8, json: { msgtype: 'tocsin-check' } });
    return takesMessages(answer) ? { is: 'delivered' } : answer.outcome(reading);
  },
});

/** A message whose links are text. */
function textOf(notification: Notification, title: string): object {
  return {
    msgtype: 'markdown',
    markdown: { title, text: markdown(notification, dialect) },
    at: { isAtAll: false },
  };
}

/** The same with its links as buttons (`actionCard`); `undefined` where there are none, or none that fit. */
function cardOf(notification: Notification, title: string): object | undefined {
  const btns = webLinks(notification.links, maxButtons).map((link) => ({
    title: truncate(oneLine(link.title), maxButtonTitle, 'characters'),
    actionURL: new URL(link.url).href,
  }));
  const { length } = JSON.stringify(btns);
  if (btns.length === 0 || length > maxAddresses) return undefined;
  const text = markdown(notification, { ...dialect, max: dialect.max - length }, ['links']);
  return { msgtype: 'actionCard', actionCard: { title, text, btnOrientation: '0', btns } };
}

const utf8 = { 'content-type': 'application/json; charset=utf-8' };

/** The address of the robot, with time and signature where there is a signing secret. `now`: epoch milliseconds. */
function signed(token: Secret, key: Secret | undefined, now: number): ReturnType<typeof keyDestination> {
  const destination = keyDestination('accessToken', token, ['https://oapi.dingtalk.com/robot/send?access_token={}']);
  if (!key) return destination;
  const url = editUrl(destination.url, ({ searchParams }) => {
    searchParams.set('timestamp', String(now));
    searchParams.set('sign', dingtalkSignature(key, now));
  });
  return { ...destination, url };
}
