import type { Notification } from '../../model/notification.ts';
import { clip } from './clip.ts';
import { fitting } from './fitting.ts';
import { oneLine } from './headline.ts';
import { listLines, nextLabel, sourceLine } from './parts.ts';
import { signs, stateOf } from './state.ts';
import { truncate } from './truncate.ts';

/** A piece of a line. Its text is data, on one line; `url` is a link of our own. */
export type Run = { readonly text: string; readonly as?: 'strong' | 'code'; readonly url?: string };

/** A part of a message for products whose texts are documents of nodes rather than markup. */
export type Block =
  | { readonly is: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly is: 'list'; readonly items: readonly (readonly Run[])[] }
  | { readonly is: 'log'; readonly label: string; readonly lines: readonly string[] };

/** UTF-16 units; a fact's name and value, and an entry of a list, are shorter still. */
const room = { title: 300, sentence: 600, sentences: 5, lines: 40, facts: 20, links: 8 };
const max = { factName: 60, factValue: 200, entry: 300, linkTitle: 80 };

/** A notification as blocks in the order they are shown, the most important first. `title`: whether it begins with the title. */
export function blocksOf(
  notification: Notification,
  { title: withTitle }: { readonly title: boolean },
): readonly Block[] {
  const told = clip(notification, room);
  const { title, lead, note, evidence, impact, list, excerpt, nextStep, facts, links, cluster, incident } = told;
  const where = [...(cluster === '' ? [] : [`Cluster: ${cluster}`]), ...(incident ? [`incident ${incident.id}`] : [])];
  const blocks: readonly Block[] = [
    paragraph(...(withTitle ? [run(`${signs[stateOf(told)]} ${title}`, 'strong')] : [])),
    paragraph(run(lead)),
    paragraph(...(note === undefined ? [] : [run(`(${note})`)])),
    listOf(evidence.map((proof) => [run(proof)])),
    paragraph(...(impact === undefined ? [] : [run('Impact:', 'strong'), run(` ${oneLine(impact)}`)])),
    listOf(listLines(list).map((line) => [run(cut(line, max.entry))])),
    {
      is: 'log',
      label: excerpt ? `${oneLine(sourceLine(excerpt))}:` : '',
      lines: excerpt?.lines.flatMap(linesOf) ?? [],
    },
    paragraph(...(nextStep ? [run(`${nextLabel(nextStep)}:`, 'strong'), run(' '), run(nextStep.command, 'code')] : [])),
    listOf(
      facts.map(({ name, value }) => [run(`${cut(name, max.factName)}: `), run(cut(value, max.factValue), 'code')]),
    ),
    paragraph(run(where.join(' · '))),
    paragraph(
      ...links.flatMap(({ title: name, url }, index) => [
        ...(index === 0 ? [] : [run(' · ')]),
        { text: cut(oneLine(name), max.linkTitle) || url, url: new URL(url).href },
      ]),
    ),
  ];
  return blocks.filter((block) => !isEmpty(block));
}

/**
 * The blocks within `most`, by what `lengthOf` makes of each. The log is cut first, to its last lines; then whole blocks are left
 * out, the last ones first.
 */
export function fittingBlocks(
  blocks: readonly Block[],
  most: number,
  lengthOf: (block: Block) => number,
): readonly Block[] {
  const kept = fitting(
    blocks.filter(({ is }) => is !== 'log'),
    most,
    lengthOf,
  );
  const left = most - kept.reduce((sum, block) => sum + lengthOf(block), 0);
  return blocks.flatMap((block): readonly Block[] => {
    if (block.is !== 'log') return kept.includes(block) ? [block] : [];
    const fits = (lines: readonly string[]): boolean => lengthOf({ ...block, lines }) <= left;
    if (fits(block.lines)) return [block];
    for (let count = block.lines.length - 1; count > 0; count -= 1) {
      const lines = ['…', ...block.lines.slice(-count)];
      if (fits(lines)) return [{ ...block, lines }];
    }
    return [];
  });
}

const isSaid = ({ text }: Run): boolean => text.trim() !== '';
const filled = (runs: readonly Run[]): readonly Run[] => runs.filter(({ text }) => text !== '');
const paragraph = (...runs: readonly Run[]): Block => ({ is: 'paragraph', runs: filled(runs) });
const listOf = (items: readonly (readonly Run[])[]): Block => ({
  is: 'list',
  items: items.map(filled).filter((runs) => runs.some(isSaid)),
});
const cut = (text: string, most: number): string => truncate(oneLine(text), most, 'utf16');
const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/);

/** Spaces at either end separate runs from each other; there are none within that matter. */
function run(text: string, as?: Run['as']): Run {
  const whole = text.replace(/\s+/g, ' ');
  return as === undefined ? { text: whole } : { text: whole.trim(), as };
}

function isEmpty(block: Block): boolean {
  if (block.is === 'paragraph') return !block.runs.some(isSaid);
  return block.is === 'list' ? block.items.length === 0 : block.lines.length === 0;
}
