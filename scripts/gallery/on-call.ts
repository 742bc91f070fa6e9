/** How products for people on call and trackers show an incident: a page of it, with its log. */
import type { Act } from './looks.ts';
import { drawn, escaped } from './markup.ts';
import { fieldsOf, listOf, type Message, textAt, textOf } from './message.ts';

const tag = (name: string, text: string): string => `<span class="tag ${name}">${escaped(text)}</span>`;

function table(rows: Iterable<readonly [name: string, value: unknown]>): string {
  const cells = [...rows].map(
    ([name, value]) => `<tr><td>${escaped(name)}</td><td>${escaped(textOf(value)).replaceAll('\n', '<br>')}</td></tr>`,
  );
  return `<table>${cells.join('')}</table>`;
}

const entry = (text: string): string => `<div class="entry"><span class="dot"></span>${text}</div>`;

/** The page of an incident: status and title, its alert with the details that are sent, and the log. */
export function pagerDuty([message]: readonly Message[], act: Act): string {
  const body = message?.body;
  if (act === 'resolve') return entry(`${tag('green', 'Resolved')} through the integration <b>Tocsin</b>.`);
  const severity = textAt(body, 'payload.severity');
  const summary = escaped(textAt(body, 'payload.summary'));
  const custom = fieldsOf(fieldsOf(fieldsOf(body).get('payload')).get('custom_details'));
  if (act === 'update')
    return entry(
      `Triggered through the API, severity ${tag('red', severity)}<br><b>${summary}</b><br>${escaped(textAt(body, 'payload.custom_details.message'))}`,
    );
  const links = listOf(fieldsOf(body).get('links')).map((link) => `<a>${escaped(textAt(link, 'text'))}</a>`);
  const meta = [
    ['Severity', severity],
    ['Source', textAt(body, 'payload.source')],
    ['Component', textAt(body, 'payload.component')],
    ['Group', textAt(body, 'payload.group')],
    ['Class', textAt(body, 'payload.class')],
  ] as const;
  return `<div class="title">${tag('red', 'Triggered')} ${tag('grey', 'High urgency')}<h1>${summary}</h1></div>
<div class="meta">${meta.map(([name, value]) => `<div><small>${name}</small><br>${escaped(value)}</div>`).join('')}</div>
<h5>Custom details</h5>${table(custom)}<h5>Links</h5><p>${links.join(' &nbsp; ')}</p>`;
}

/** The page of an alert: priority and message, tags, description, extra properties, and the activity log. */
export function opsgenie(messages: readonly Message[], act: Act): string {
  if (act === 'open') {
    const [first] = messages;
    const tags = listOf(fieldsOf(first?.body).get('tags')).map((each) => tag('grey', textOf(each)));
    return `<div class="title">${tag('orange', textAt(first?.body, 'priority'))} ${tag('red', 'Open')}<h1>${escaped(textAt(first?.body, 'message'))}</h1>${tags.join(' ')}</div>
<div class="meta"><div><small>Entity</small><br>${escaped(textAt(first?.body, 'entity'))}</div><div><small>Alias</small><br>${escaped(textAt(first?.body, 'alias'))}</div></div>
<h5>Description</h5><p class="text">${escaped(textAt(first?.body, 'description'))}</p><h5>Extra properties</h5>${table(fieldsOf(fieldsOf(first?.body).get('details')))}`;
  }
  const log = messages.flatMap(({ request = '', body }) => {
    const path = request.replace(/\?.*/, '');
    if (path.endsWith('/close'))
      return [`${tag('green', 'Closed')} by Tocsin<p class="text">${escaped(textAt(body, 'note'))}</p>`];
    if (path.endsWith('/notes')) return [`Note by Tocsin<p class="text">${escaped(textAt(body, 'note'))}</p>`];
    if (path.endsWith('/priority')) return [`Priority is now ${tag('red', textAt(body, 'priority'))}`];
    if (path.endsWith('/message')) return [`Message is now <b>${escaped(textAt(body, 'message'))}</b>`];
    return path.endsWith('/v2/alerts') ? ['Raised again under the same alias: its count is now 2'] : [];
  });
  return log.map(entry).join('');
}

/** A node of the Atlassian Document Format, as far as our messages use it. */
function adf(node: unknown): string {
  const { type, content, text, marks, attrs } = Object.fromEntries(fieldsOf(node));
  const inner = listOf(content).map(adf).join('');
  if (type === 'text')
    return listOf(marks).reduce<string>(
      (html, mark) => marked(html, textAt(mark, 'type')),
      drawn(escaped(textOf(text))),
    );
  if (type === 'paragraph') return `<p>${inner}</p>`;
  if (type === 'bulletList') return `<ul>${inner}</ul>`;
  if (type === 'listItem') return `<li>${inner}</li>`;
  if (type === 'codeBlock') return `<pre>${inner}</pre>`;
  if (type === 'hardBreak') return '<br>';
  return attrs === undefined ? inner : `<div>${inner}</div>`;
}

function marked(html: string, mark: string): string {
  if (mark === 'strong') return `<b>${html}</b>`;
  if (mark === 'code') return `<code>${html}</code>`;
  return mark === 'link' ? `<a>${html}</a>` : html;
}

/** An issue: key, summary and description, its fields at the right, and the comments. */
export function jira([message]: readonly Message[], act: Act): string {
  const body = message?.body;
  if (act !== 'open')
    return `<div class="comment"><span class="face">T</span><div><b>Tocsin</b>${adf(fieldsOf(body).get('body'))}</div></div>`;
  const fields = fieldsOf(fieldsOf(body).get('fields'));
  const labels = listOf(fields.get('labels')).map((label) => tag('grey', textOf(label)));
  const details = [
    ['Status', tag('grey', 'To do')],
    ['Priority', escaped(textAt(fields.get('priority'), 'name'))],
    ['Labels', labels.join(' ')],
    ['Reporter', 'Tocsin'],
  ] as const;
  return `<div class="issue"><div><small>${escaped(textAt(fields.get('project'), 'key'))}-1</small><h1>${escaped(textOf(fields.get('summary')))}</h1><h5>Description</h5>${adf(fields.get('description'))}</div>
<aside><h5>Details</h5>${details.map(([name, value]) => `<div><small>${name}</small><br>${value}</div>`).join('')}</aside></div>`;
}
