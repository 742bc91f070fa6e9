import type { Notification } from '../../../model/notification.ts';
import { clip } from './clip.ts';
import { aroundLog, fitting } from './fitting.ts';
import { oneLine } from './headline.ts';
import { isName, listLines, nextLabel, originLine, sourceLine } from './parts.ts';
import { type State, signs, stateOf } from './state.ts';
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

/**
 * A notification as blocks in the order they are shown, the most important first. `title`: whether it begins with the title, and
 * which sign with it; the usual ones unless said.
 */
export function blocksOf(
  notification: Notification,
  {
    title: withTitle,
    sign = (state) => signs[state],
  }: { readonly title: boolean; readonly sign?: (state: State) => string },
): readonly Block[] {
  const told = clip(notification, room);
  const { title, lead, note, evidence, impact, list, excerpt, nextStep, facts, links } = told;
  const where = originLine(told, 'Cluster: ');
  const blocks: readonly Block[] = [
    paragraph(...(withTitle ? [strong(`${sign(stateOf(told))} ${title}`)] : [])),
    paragraph(plain(lead)),
    paragraph(...(note === undefined ? [] : [plain(`(${note})`)])),
    listOf(evidence.map((proof) => [plain(proof)])),
    paragraph(...(impact === undefined ? [] : [strong('Impact:'), space, plain(impact)])),
    listOf(listLines(list).map((line) => [plain(cut(line, max.entry))])),
    {
      is: 'log',
      label: excerpt ? `${oneLine(sourceLine(excerpt))}:` : '',
      lines: excerpt?.lines.flatMap(linesOf) ?? [],
    },
    paragraph(...(nextStep ? [strong(`${nextLabel(nextStep)}:`), space, code(nextStep.command)] : [])),
    listOf(
      facts.map(({ name, value }) => [
        plain(`${cut(name, max.factName)}:`),
        space,
        isName(value) ? code(cut(value, max.factValue)) : plain(cut(value, max.factValue)),
      ]),
    ),
    paragraph(plain(where)),
    paragraph(
      ...links.flatMap(({ title: name, url }, index) => [
        ...(index === 0 ? [] : [{ text: ' · ' }]),
        { text: cut(name, max.linkTitle) || url, url: new URL(url).href },
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
  const at = blocks.findIndex(({ is }) => is === 'log');
  const log = blocks[at];
  if (log?.is !== 'log') return fitting(blocks, most, lengthOf);
  return aroundLog({
    above: blocks.slice(0, at),
    below: blocks.slice(at + 1),
    max: most,
    lengthOf,
    log: (left) => lastOf(log, (part) => lengthOf(part) <= left),
  });
}

/** The log with as many of its last lines as fit, with a visible mark where some are missing; nothing when not even one does. */
function lastOf(log: Block & { readonly is: 'log' }, fits: (log: Block) => boolean): readonly Block[] {
  if (fits(log)) return [log];
  for (let count = log.lines.length - 1; count > 0; count -= 1) {
    const shorter = { ...log, lines: ['…', ...log.lines.slice(-count)] };
    if (fits(shorter)) return [shorter];
  }
  return [];
}

const plain = (text: string): Run => ({ text: oneLine(text) });
const strong = (text: string): Run => ({ text: oneLine(text), as: 'strong' });
const code = (text: string): Run => ({ text: oneLine(text), as: 'code' });
const space: Run = { text: ' ' };
const isSaid = ({ text }: Run): boolean => text.trim() !== '';
const paragraph = (...runs: readonly Run[]): Block => ({ is: 'paragraph', runs: filled(runs) });
const listOf = (items: readonly (readonly Run[])[]): Block => ({
  is: 'list',
  items: items.map(filled).filter((runs) => runs.some(isSaid)),
});
const cut = (text: string, most: number): string => truncate(oneLine(text), most, 'utf16');
const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/);

/** Without empty runs, which some products refuse, and with those that differ in nothing as one. */
function filled(runs: readonly Run[]): readonly Run[] {
  const kept: Run[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    if (run.text === '') continue;
    if (last && isBare(last) && isBare(run)) kept[kept.length - 1] = { text: last.text + run.text };
    else kept.push(run);
  }
  return kept;
}
const isBare = ({ as, url }: Run): boolean => as === undefined && url === undefined;

function isEmpty(block: Block): boolean {
  if (block.is === 'paragraph') return !block.runs.some(isSaid);
  return block.is === 'list' ? block.items.length === 0 : block.lines.length === 0;
}
