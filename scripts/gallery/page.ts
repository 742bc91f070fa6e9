import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedMessages } from '../generate/recorded.ts';
import { type Act, type Look, looks } from './looks.ts';
import type { Picture } from './pictures.ts';

/** The acts of the incident that are shown, and what they are called. */
const shownActs: Readonly<Record<Act, string>> = { open: 'Opening', update: 'It gets worse', resolve: 'It is over' };
const acts = ['open', 'update', 'resolve'] as const;

/** The page that is photographed: the incident from its opening to its end, as the product shows it. */
export function pageOf({ from, look, width }: Picture): string {
  const { draw, head, only, takes = 'last' }: Look = looks[look];
  const style = readFileSync(join(import.meta.dirname, 'gallery.css'), 'utf8');
  const parts = acts
    .filter((act) => only === undefined || only === act)
    .map((act) => {
      const messages = from.flatMap(([type, mode]) => {
        const all = recordedMessages(type, mode, act);
        return takes === 'all' ? all : (all.at(takes === 'last' ? -1 : 0) ?? []);
      });
      return `${only === undefined ? `<h6>${shownActs[act]}</h6>` : ''}${messages.length > 0 ? draw(messages, act) : ''}`;
    });
  const size = width === undefined ? '' : ` style="width:${width}px"`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style>${head?.() ?? ''}</head><body class="${look}"${size}>${parts.join('')}</body></html>`;
}

/** What a picture is made from, as a short text: it differs as soon as the recorded messages do. */
export function fingerprintOf({ from }: Picture): string {
  const shown = from.flatMap(([type, mode]) => acts.map((act) => recordedMessages(type, mode, act)));
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16);
}

/** Where it is kept which recordings the pictures in docs/gallery were made from. */
export const madeFrom = join(import.meta.dirname, '../../docs/gallery/made-from.json');
