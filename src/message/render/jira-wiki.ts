import type { Notification } from '../../model/notification.ts';
import { type Block, blocksOf, fittingBlocks, type Run } from './kit/rich.ts';
import type { State } from './kit/state.ts';

/**
 * A notification in the wiki markup of Jira Data Center, at most `max` UTF-16 units. Texts of the cluster are escaped, logs and
 * commands are in blocks that interpret nothing. `after`: blocks of our own at the end.
 */
export function jiraWiki(
  notification: Notification,
  { max, title, after = [] }: { readonly max: number; readonly title: boolean; readonly after?: readonly Block[] },
): string {
  const lengthOf = (block: Block): number => written(block).length + gap.length;
  const own = after.reduce((sum, block) => sum + lengthOf(block), 0);
  const kept = fittingBlocks(blocksOf(notification, { title, sign: signOf }), max - own, lengthOf);
  return [...kept, ...after].map(written).join(gap);
}

const gap = '\n\n';
/** Signs that every database can store. */
const signOf = (state: State): string => (state === 'resolved' ? '✅' : '⚠');

function written(block: Block): string {
  switch (block.is) {
    case 'paragraph':
      return lineOf(block.runs);
    case 'list':
      return block.items.map((runs) => `* ${runs.map(runOf).join('').trim()}`).join('\n');
    case 'log':
      return `${bold(block.label)}\n${asItIs(block.lines.join('\n'))}`;
  }
}

/** Code gets a block of its own, where it can be copied: monospaced text within a line is interpreted. */
function lineOf(runs: readonly Run[]): string {
  const code = runs.filter(({ as }) => as === 'code');
  const rest = runs.filter(({ as }) => as !== 'code').map(runOf);
  return [rest.join('').trim().replace(lineStart, silence), ...code.map(({ text }) => asItIs(text))].join('\n');
}

function runOf({ text, as, url }: Run): string {
  if (url !== undefined) return `[${escaped(text)}|${encoded(url)}]`;
  return as === 'strong' ? bold(text) : escaped(text);
}

const bold = (text: string): string => (text.trim() === '' ? '' : `*${escaped(text)}*`);
/** Only its own end means something in such a block. */
const asItIs = (text: string): string =>
  `{noformat}\n${storable(text).replace(/\{(?=noformat|code)/gi, `{${silence}`)}\n{noformat}`;

const silence = '\u200b';
/** Headings and quotations, which begin with letters. */
const lineStart = /^(?=(?:h[1-6]|bq)\.)/;

/**
 * Every character that can begin markup, behind a backslash; mentions and addresses taken apart, and backslashes of the text, since
 * two of them are a line break.
 */
function escaped(text: string): string {
  return storable(text)
    .replace(/:(?=\/\/)|\bwww(?=\.)|@|\\/gi, `$&${silence}`)
    .replace(/[{}[\]()|*_^~+\-!?#]/g, '\\$&');
}

/** An address can end neither the link nor the markup around it. */
function encoded(url: string): string {
  return url.replace(/[[\]{}|\\^!*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What every database of a Data Center can store: older ones fail at characters beyond the Basic Multilingual Plane. */
export function storable(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
