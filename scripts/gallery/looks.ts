/** How a recorded message looks in a product, as far as a small page can show it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, escaped, markdown, mrkdwn } from './markup.ts';
import { fieldsOf, listOf, type Message, textOf } from './message.ts';
import { jira, opsgenie, pagerDuty } from './on-call.ts';
import { lockScreen, sms } from './phones.ts';

/** Frames of one message: who speaks, and when that was. */
function said(who: string, html: string, label = 'APP'): string {
  return `<div class="message"><div class="face">T</div><div class="said"><div class="who">${who} <small>${label}</small></div>${html}</div></div>`;
}

const links = (buttons: readonly unknown[], title: string): string =>
  `<div class="buttons">${buttons.map((button) => `<span class="button">${escaped(textOf(fieldsOf(button).get(title)))}</span>`).join('')}</div>`;

const table = (rows: readonly unknown[], name: string, value: (row: ReadonlyMap<string, unknown>) => string): string =>
  `<div class="fields">${rows
    .map(fieldsOf)
    .map((row) => `<div><b>${escaped(textOf(row.get(name)))}</b><br>${value(row)}</div>`)
    .join('')}</div>`;

function mail({ html, headers }: Message): string {
  const head = fieldsOf(headers);
  const [, body = ''] = /<body[^>]*>([\s\S]*)<\/body>/.exec(textOf(html)) ?? [];
  const subject = `<h1>${escaped(textOf(head.get('subject')))}</h1>`;
  return `<div class="mail">${subject}<div class="from"><b>Tocsin</b> ${escaped(`<${textOf(head.get('from'))}>`)}</div><div style="font-family:sans-serif;font-size:14px;line-height:1.4">${body}</div></div>`;
}

function slackBlock(block: unknown): string {
  const { text, fields, elements } = Object.fromEntries(fieldsOf(block));
  const shown = (part: unknown): string => mrkdwn(textOf(fieldsOf(part).get('text')));
  if (elements) return `<div class="context">${listOf(elements).map(shown).join(' &nbsp; ')}</div>`;
  if (fields)
    return `<div class="fields">${listOf(fields)
      .map((field) => `<div>${shown(field)}</div>`)
      .join('')}</div>`;
  return `<div class="section">${shown(text)}</div>`;
}

function slack({ body }: Message): string {
  const all = fieldsOf(body);
  const attached = listOf(all.get('attachments'))
    .map(fieldsOf)
    .map(
      (each) =>
        `<div class="bar" style="border-color:${textOf(each.get('color'))}">${listOf(each.get('blocks')).map(slackBlock).join('')}</div>`,
    );
  return said('Tocsin', listOf(all.get('blocks')).map(slackBlock).join('') + attached.join(''));
}

function discord({ body }: Message): string {
  const all = fieldsOf(body);
  const embeds = listOf(all.get('embeds'))
    .map(fieldsOf)
    .map((embed) => {
      const colour = `#${Number(embed.get('color')).toString(16).padStart(6, '0')}`;
      const fields = table(listOf(embed.get('fields')), 'name', (row) => markdown(textOf(row.get('value'))));
      const foot = `<div class="context">${escaped(textOf(fieldsOf(embed.get('footer')).get('text')))}</div>`;
      return `<div class="bar" style="border-color:${colour}">${markdown(textOf(embed.get('description')))}${fields}${foot}</div>`;
    });
  const buttons = listOf(all.get('components')).map((row) => links(listOf(fieldsOf(row).get('components')), 'label'));
  return said('Tocsin', markdown(textOf(all.get('content'))) + embeds.join('') + buttons.join(''));
}

/** Attachments as Mattermost and Rocket.Chat took them over from an earlier Slack. */
function attachments({ body }: Message): string {
  const all = fieldsOf(body);
  const attached = listOf(all.get('attachments'))
    .map(fieldsOf)
    .map((each) => {
      const fields = table(listOf(each.get('fields')), 'title', (row) => markdown(textOf(row.get('value'))));
      const foot = `<div class="context">${escaped(textOf(each.get('footer')))}</div>`;
      return `<div class="bar" style="border-color:${textOf(each.get('color'))}">${markdown(textOf(each.get('text')))}${fields}${foot}</div>`;
    });
  return said('Tocsin', markdown(textOf(all.get('text'))) + attached.join(''), 'BOT');
}

function telegram({ body }: Message): string {
  const all = fieldsOf(body);
  const html = textOf(all.get('text'))
    .replace(/\n?<pre>/g, '<pre>')
    .replace(/<\/pre>\n?/g, '</pre>');
  const rows = listOf(fieldsOf(all.get('reply_markup')).get('inline_keyboard'));
  const keys = rows.map((row) => links(listOf(row), 'text')).join('');
  return `<div class="bubble">${drawn(html)
    .replaceAll('\n', '<br>')
    .replace(/<pre>[\s\S]*?<\/pre>/g, (pre) => pre.replaceAll('<br>', '\n'))}</div>${keys}`;
}

function googleWidget(widget: unknown): string {
  const { textParagraph, decoratedText, buttonList } = Object.fromEntries(fieldsOf(widget));
  if (buttonList) return links(listOf(fieldsOf(buttonList).get('buttons')), 'text');
  if (textParagraph) return `<p>${textOf(fieldsOf(textParagraph).get('text'))}</p>`;
  const row = fieldsOf(decoratedText);
  return `<p><small>${escaped(textOf(row.get('topLabel')))}</small><br>${escaped(textOf(row.get('text')))}</p>`;
}

function googleChat({ body }: Message): string {
  const all = fieldsOf(body);
  const cards = listOf(all.get('cardsV2')).flatMap((each) =>
    listOf(fieldsOf(fieldsOf(each).get('card')).get('sections')),
  );
  const sections = cards.map(fieldsOf).map((section) => {
    const header = section.get('header');
    return `<div class="part">${header === undefined ? '' : `<p class="header">${escaped(textOf(header))}</p>`}${listOf(section.get('widgets')).map(googleWidget).join('')}</div>`;
  });
  const [title = ''] = [textOf(all.get('text')).replace(/\*(.+)\*/, '<b>$1</b>')];
  return said('Tocsin', `<p>${drawn(title)}</p><div class="card">${sections.join('')}</div>`);
}

/** What is Markdown as a whole: `at` is its field, `head` that of a title beside it. */
const written =
  (at: string, head?: string) =>
  ({ body }: Message): string => {
    const all = fieldsOf(body);
    const title = head === undefined ? undefined : all.get(head);
    return said(
      'Tocsin',
      `${title === undefined ? '' : `<h1>${escaped(textOf(title))}</h1>`}${markdown(textOf(all.get(at)))}`,
    );
  };

let cards = 0;
/** Drawn by Microsoft's own renderer, in the page. */
function adaptiveCard({ body }: Message): string {
  const [attachment] = listOf(fieldsOf(body).get('attachments'));
  const content = JSON.stringify(fieldsOf(attachment).get('content')).replaceAll('<', '\\u003c');
  cards += 1;
  return `<div class="card" id="card${cards}"></div><script>show("card${cards}", ${content})</script>`;
}

/** The renderer, and how Teams sets it up. */
function cardScript(): string {
  const library = readFileSync(
    join(import.meta.dirname, '../../node_modules/adaptivecards/dist/adaptivecards.min.js'),
    'utf8',
  );
  const styles = {
    ...{ default: { backgroundColor: '#ffffff' }, emphasis: { backgroundColor: '#f5f5f5' } },
    ...{ attention: { backgroundColor: '#fdf3f4' }, good: { backgroundColor: '#f1faf1' } },
    ...{ warning: { backgroundColor: '#fef7f1' }, accent: { backgroundColor: '#ebf3fc' } },
  };
  const config = {
    fontFamily: 'Segoe UI, Helvetica, Arial, sans-serif',
    fontTypes: {
      default: { fontFamily: 'Helvetica, Arial, sans-serif' },
      monospace: { fontFamily: 'Consolas, Menlo, monospace' },
    },
    ...{ containerStyles: styles, spacing: { padding: 16, small: 4, default: 8, medium: 12 } },
  };
  return `<script>${library}</script><script>function show(id, content) { const card = new AdaptiveCards.AdaptiveCard(); card.hostConfig = new AdaptiveCards.HostConfig(${JSON.stringify(config)}); card.parse(content); document.getElementById(id).appendChild(card.render()); }</script>`;
}

/** An act of the incident that is shown. */
export type Act = 'open' | 'update' | 'resolve';

/** A look: the HTML of the messages of an act, and what its page needs besides. */
export type Look = {
  readonly draw: (messages: readonly Message[], act: Act) => string;
  readonly head?: () => string;
  /** The one act that is shown; all of them where none is named. */
  readonly only?: Act;
  /** Of several requests of an act: the last is what is new, the first what is notified (a label, a topic follow), or all. */
  readonly takes?: 'first' | 'last' | 'all';
};

/** A look of a product in which each act is one message. */
const each =
  (draw: (message: Message) => string): Look['draw'] =>
  (messages) =>
    messages.map(draw).join('');

/** Looks, by the name that the style sheet knows them by. */
export const looks = {
  mail: { draw: each(mail) },
  mailDark: { draw: each(mail), only: 'open' },
  slack: { draw: each(slack) },
  discord: { draw: each(discord) },
  attachments: { draw: each(attachments) },
  telegram: { draw: each(telegram) },
  googlechat: { draw: each(googleChat) },
  teams: { draw: each(adaptiveCard), head: cardScript },
  forge: { draw: each(written('body', 'title')), takes: 'first' },
  pagerduty: { draw: pagerDuty },
  opsgenie: { draw: opsgenie, takes: 'all' },
  jira: { draw: jira, takes: 'first' },
  sms: { draw: each(sms) },
  lockScreen: { draw: lockScreen, only: 'open' },
} as const satisfies Readonly<Record<string, Look>>;
