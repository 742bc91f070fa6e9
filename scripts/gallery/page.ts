import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedMessages } from '../generate/recorded.ts';
import { type Look, looks } from './looks.ts';
import type { Picture } from './pictures.ts';

/** The acts of the incident that are shown, and what they are called. */
export const shownActs = [
  { act: 'open', title: 'Opening' },
  { act: 'update', title: 'It gets worse' },
  { act: 'resolve', title: 'It is over' },
] as const;

/** Looks of products that are told first and changed afterwards: a label, a topic. In the others the last request is what is new. */
const firstTold: ReadonlySet<string> = new Set(['forge', 'zulip']);

/** The page that is photographed: the incident from its opening to its end, as the product shows it. */
export function pageOf({ of, mode, look }: Picture): string {
  const { draw, head }: Look = looks[look];
  const style = readFileSync(join(import.meta.dirname, 'gallery.css'), 'utf8');
  const told = shownActs.map(({ act, title }) => {
    const message = recordedMessages(of, mode, act).at(firstTold.has(look) ? 0 : -1);
    return `<h6>${title}</h6>${message ? draw(message) : ''}`;
  });
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style>${head?.() ?? ''}</head><body class="${look}">${told.join('')}</body></html>`;
}

/** What a picture is made from, as a short text: it differs as soon as the recorded messages do. */
export function fingerprintOf({ of, mode }: Picture): string {
  const told = shownActs.map(({ act }) => recordedMessages(of, mode, act));
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);
}

/** Where it is kept which recordings the pictures in docs/gallery were made from. */
export const madeFrom = join(import.meta.dirname, '../../docs/gallery/made-from.json');
