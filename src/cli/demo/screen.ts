import { styleText } from 'node:util';
import type { Received } from './receiver.ts';

/** Where the demo writes: a terminal or a pipe. */
export type Screen = {
  /** A line of the story: what happens now. */
  story(text: string): void;
  /** A command as a person would type it. */
  command(text: string): void;
  /** Output of such a command, or an aside. */
  aside(text: string): void;
  /** A message as it arrived. */
  message(received: Received): void;
};

type Color = 'red' | 'yellow' | 'cyan' | 'gray' | 'green';

const severityColor: Readonly<Record<string, Color>> = { critical: 'red', high: 'yellow', medium: 'cyan', low: 'gray' };

/** What each type of message is called in the story. */
const typeSays: Readonly<Record<string, string>> = {
  'incident.opened': 'a message arrives',
  'incident.updated': 'an update arrives',
  'incident.resolved': 'the all-clear arrives',
  'incident.reopened': 'it is back: a message arrives',
};

/** Prints with colours on a terminal, plainly into a pipe. `elapsed`: seconds since the beginning. */
export function createScreen(stream: NodeJS.WriteStream, elapsed: () => number): Screen {
  const paint = (style: Color | 'bold' | 'dim', text: string): string => styleText(style, text, { stream });
  const write = (text: string): void => void stream.write(`${text}\n`);
  const stamp = (): string => {
    const seconds = Math.round(elapsed());
    return paint('gray', `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(5));
  };
  return {
    story: (text) => write(`\n${stamp()}  ${text}`),
    command: (text) => write(`       ${paint('cyan', `$ ${text}`)}`),
    aside(text) {
      for (const line of text.trimEnd().split('\n')) write(`       ${paint('gray', line)}`);
    },
    message(received) {
      const color = received.status === 'resolved' ? 'green' : (severityColor[received.severity] ?? 'gray');
      const bar = paint(color, '┃');
      const [title = '', ...rest] = received.message.split('\n');
      write(`\n${stamp()}  ${paint('dim', `${typeSays[received.type] ?? 'a message arrives'} (${received.type})`)}`);
      write(`       ${bar} ${paint('bold', paint(color, title))}`);
      for (const line of rest) write(`       ${bar} ${line}`.trimEnd());
    },
  };
}
