import { githubMarkdown, markdown, prose } from '../message/render/markdown.ts';
import type { Broken, Diagnosis } from './answer.ts';
import { lookedInWords, sureInWords, unseenInWords, verdictInWords } from './words.ts';

/** Shown whole: a comment of a forge holds so many. */
const mostShown = 20;
const room = 3_000;
const dialect = { ...githubMarkdown, heading: '### ', max: room };
const say = (text: string): string => prose(text, 1_000, dialect);

/** The answer as Markdown, for an issue or a chat. Texts of the cluster are inert. */
export function diagnosisMarkdown(diagnosis: Diagnosis): string {
  const { broken, omitted, unseen, limits } = diagnosis;
  const shown = broken.slice(0, mostShown);
  const hidden = broken.length - shown.length + omitted;
  const parts = [
    `## ${say(verdictInWords(diagnosis))}`,
    say(lookedInWords(diagnosis)),
    ...shown.map(brokenMarkdown),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    ...section('Not seen', unseenInWords(unseen)),
    ...section('What such a look cannot know', limits),
  ];
  return `${parts.join('\n\n')}\n`;
}

function brokenMarkdown(broken: Broken): string {
  return `${markdown({ ...broken.words, cluster: '' }, dialect)}\n\n${say(sureInWords(broken))}`;
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.map((line) => `- ${say(line)}`).join('\n')}`];
}
