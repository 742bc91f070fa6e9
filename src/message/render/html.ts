import type { Notification } from '../../model/notification.ts';
import { clip } from './kit/clip.ts';
import { escapeHtml as escaped } from './kit/escape-html.ts';
import { labelLine, listLines, nextLines, sourceLine } from './kit/parts.ts';
import { colours, stateOf } from './kit/state.ts';
import { lastLines, lengthIn, truncate } from './kit/truncate.ts';

/** Gmail clips messages above about 102 KB. */
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 20, links: 8 };
const maxPageBytes = 90_000;
const maxLogBytes = 24_000;
/** UTF-16 units of an entry of a list, and of a fact's name or value. */
const maxEntry = 300;

/**
 * A notification as a page for mail clients: inline styles only, since they strip everything else; nothing is loaded. `subject`: of its mail,
 * which the preview in lists of mails goes on from.
 */
export function htmlMail(notification: Notification, subject: string): string {
  const told = clip(notification, room);
  const { title, lead, note, evidence, impact, list } = told;
  const parts = [
    `<h2 style="font-size:18px;margin:0 0 8px">${escaped(title)}</h2>`,
    paragraph(escaped(lead)),
    ...(note === undefined ? [] : [paragraph(`<em>(${escaped(note)})</em>`)]),
    ...items(evidence.map(escaped)),
    ...(impact === undefined ? [] : [paragraph(`<strong>Impact:</strong> ${escaped(impact)}`)]),
    ...items(listLines(list).map(short)),
    ...log(told),
    ...nextLines(told, asCode, inBold).map(paragraph),
    ...facts(told),
    ...links(told),
  ];
  return `<!DOCTYPE html><html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head><body style="font-family:sans-serif;font-size:14px;line-height:1.4">
${preview(told, subject)}
<div style="border-left:4px solid ${colours[stateOf(told)]};padding-left:12px">
${withinBudget(parts).join('\n')}
</div></body></html>
`;
}

/** Lists show about so much beside a subject; UTF-16 units. */
const maxPreview = 200;
/** What fills the rest of a preview, lest a list go on with the text of the page, which begins with the title. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(60);

/**
 * What lists of mails show beside the subject, and the page does not: the line on the cause, with the news in front where the subject is that
 * of an earlier mail. It has no colour of its own, so that none is seen in the dark either.
 */
function preview({ title, lead, note }: Notification, subject: string): string {
  const isNews = !subject.includes(title);
  const line = [...(isNews ? [title] : []), ...(lead === '' ? [note ?? ''] : [lead])].join('. ');
  const style =
    'display:none;mso-hide:all;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px';
  return `<div style="${style}">${escaped(truncate(line, maxPreview, 'utf16'))}${filler}</div>`;
}

const short = (text: string): string => escaped(truncate(text, maxEntry, 'utf16'));

/** What fits; the order is that of importance. */
function withinBudget(parts: readonly string[]): readonly string[] {
  let left = maxPageBytes;
  return parts.filter((part) => {
    const length = lengthIn('bytes', part) + 1;
    if (length > left) return false;
    left -= length;
    return true;
  });
}

const inBold = (text: string): string => `<strong>${text}:</strong>`;
const asCode = (text: string): string => `<code>${escaped(text)}</code>`;
const paragraph = (html: string): string => `<p style="margin:0 0 8px">${html}</p>`;

function items(lines: readonly string[]): readonly string[] {
  return lines.length === 0
    ? []
    : [`<ul style="margin:0 0 8px">${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`];
}

function log({ excerpt }: Notification): readonly string[] {
  if (!excerpt) return [];
  const lines = lastLines(excerpt.lines, maxLogBytes, 'bytes', escaped);
  // A client in the dark has white letters of its own.
  const style = 'background:#f4f4f5;color:#18181b;padding:8px;margin:0 0 8px;white-space:pre-wrap';
  return [paragraph(`<strong>${escaped(sourceLine(excerpt))}:</strong>`), `<pre style="${style}">${lines}</pre>`];
}

function facts(told: Notification): readonly string[] {
  const { cluster, facts: all } = told;
  const labels = labelLine(told);
  const rows = [
    ...(labels === '' ? [] : [{ name: 'Incident', value: labels }]),
    ...(cluster === '' ? [] : [{ name: 'Cluster', value: cluster }]),
    ...all,
  ];
  const cells = rows.map(
    ({ name, value }) => `<tr><td style="padding-right:12px">${short(name)}</td><td>${short(value)}</td></tr>`,
  );
  return cells.length === 0 ? [] : [`<table style="margin:0 0 8px;font-size:13px">${cells.join('')}</table>`];
}

function links({ links: all }: Notification): readonly string[] {
  const anchors = all.map(({ title, url }) => `<a href="${escaped(new URL(url).href)}">${escaped(title)}</a>`);
  return anchors.length === 0 ? [] : [paragraph(anchors.join(' · '))];
}
