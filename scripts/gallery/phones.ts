/** What a phone shows: messages, and the lock screen, which is all that most people read at night. */
import { drawn, escaped, mrkdwn } from './markup.ts';
import { fieldsOf, type Message, textAt, textOf } from './message.ts';

/** One SMS as a bubble. */
export function sms({ body }: Message): string {
  return `<div class="bubble">${escaped(textAt(body, 'Body'))}</div>`;
}

/** What an app hands to the phone of a message. */
type Push = { readonly app: string; readonly title: string; readonly text: string };

/** Without marks: an app shows the words alone. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Apps by the address that their message goes to. */
const apps: readonly (readonly [host: string, push: (body: unknown) => Push])[] = [
  ['pushover.net', (body) => ({ app: 'Pushover', title: textAt(body, 'title'), text: textAt(body, 'message') })],
  ['ntfy.sh', (body) => ({ app: 'ntfy', title: textAt(body, 'title'), text: textAt(body, 'message') })],
  [
    'telegram.org',
    (body) => ({ app: 'Telegram', title: 'Ops alerts', text: `Tocsin: ${plain(textOf(fieldsOf(body).get('text')))}` }),
  ],
  [
    'slack.com',
    (body) => ({
      app: 'Slack',
      title: 'Acme · #ops-alerts',
      text: `Tocsin: ${plain(mrkdwn(textAt(body, 'text'), (sign) => sign))}`,
    }),
  ],
  ['twilio.com', (body) => ({ app: 'Messages', title: textAt(body, 'From'), text: textAt(body, 'Body') })],
];

function notice({ request = '', body }: Message): string {
  const push = apps.find(([host]) => request.includes(host))?.[1](body);
  if (push === undefined) return '';
  const text = drawn(escaped(push.text.replaceAll(/\s*\n\s*/g, ' ')));
  return `<div class="notice"><span class="icon ${push.app.toLowerCase()}">${push.app.charAt(0)}</span><div class="notice-text"><div class="line"><b>${escaped(push.title)}</b><span class="line-app">${push.app} · now</span></div><div class="lines">${text}</div></div></div>`;
}

/** The notices of one opening, as each app gives it to the phone: one line of the title, four of the text. */
export function lockScreen(messages: readonly Message[]): string {
  return `<div class="clock">03:12</div><div class="date">Monday, 1 June</div>${messages.map(notice).join('')}`;
}
