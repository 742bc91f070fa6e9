import { plainText } from '../message/render/kit/plain-text.ts';
import type { Broken, Diagnosis } from './answer.ts';
import { lookedInWords, sureInWords, unseenInWords, verdictInWords } from './words.ts';

/** Shown whole; more are in the other formats. */
const mostShown = 30;

/** Makes text bold where it is shown on a terminal with colours. */
export type Emphasis = (text: string, broken?: Broken) => string;

/** The answer for people. */
export function diagnosisText(diagnosis: Diagnosis, bold: Emphasis = (text) => text): string {
  const { broken, omitted, unseen, limits } = diagnosis;
  const shown = broken.slice(0, mostShown);
  const hidden = broken.length - shown.length + omitted;
  const parts = [
    [lookedInWords(diagnosis), bold(verdictInWords(diagnosis))].join('\n'),
    ...shown.map((one) => brokenText(one, bold)),
    ...(hidden > 0
      ? [`and ${hidden} more: -n, -l and --since choose, -o json has ${omitted > 0 ? 'most of' : 'all of'} them`]
      : []),
    ...section('Not seen:', unseenInWords(unseen)),
    ...section('What such a look cannot know:', limits),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** One thing that is broken, as its message says it. */
export function brokenText(broken: Broken, bold: Emphasis = (text) => text): string {
  const [title = '', ...rest] = plainText({ ...broken.words, cluster: '' }).split('\n');
  return ['─'.repeat(72), bold(title, broken), ...rest, '', sureInWords(broken)].join('\n');
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[heading, ...lines.map((line) => `- ${line}`)].join('\n')];
}
