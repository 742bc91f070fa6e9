import { createHash } from 'node:crypto';
import { live } from './live.ts';
import { html, Markup } from './markup.ts';
import { style } from './style.ts';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a browser may do with a page: its own style, script and icon, questions to where it came from, and nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(live)}`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Where a page is, as the way from it to the others: behind a proxy they may all stand below some path. */
export type Place = { readonly now: string; readonly history: string; readonly one: string; readonly content?: string };

/** Of `/status`, `/status/incidents` and `/status/incidents/ID`. */
export const places = {
  status: { now: 'status', history: 'status/incidents', one: 'status/incidents/', content: 'status/content' },
  history: { now: '../status', history: 'incidents', one: 'incidents/' },
  incident: { now: '../../status', history: '../incidents', one: '' },
} as const satisfies Readonly<Record<string, Place>>;

/** What stands before and after the content of a page. `title`: of the tab; `subtitle`: at the right of the cluster's name. */
export function shell(
  { title, cluster, subtitle }: { readonly title: string; readonly cluster: string; readonly subtitle: string },
  place: Place,
): readonly [head: string, foot: string] {
  const head = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><style>${new Markup(style)}</style></head>
<body${place.content !== undefined && html` data-content="${place.content}"`}>
<p id="lost" role="alert" hidden></p>
<header><h1>${cluster === '' ? 'Tocsin' : cluster}</h1><nav aria-label="Pages"><a href="${place.now}">Now</a><a href="${place.history}">History</a></nav><span class="soft">${subtitle}</span></header>
<main>`;
  const foot = html`</main>
<footer>${place.content !== undefined && 'Kept up to date while it is open, where scripts run; else reload it. '}<span class="zone">Times are UTC.</span></footer>
<script>${new Markup(live)}</script>
</body>
</html>
`;
  return [head.text, foot.text];
}
