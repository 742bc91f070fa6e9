import { plainText } from '../../../src/message/render/plain-text.ts';
import type { Message, Played } from './play.ts';

const openings = ({ messages }: Played): readonly Message[] =>
  messages.filter(({ delivery }) => delivery.act === 'open');

/** The full text of every opening of a scenario as people read it. */
export function goldenText(played: Played): string {
  return `${openings(played)
    .map(({ notification }) => plainText(notification))
    .join('\n\n----\n\n')}\n`;
}
