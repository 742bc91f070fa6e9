import type { Notification } from '../../model/notification.ts';
import { type Block, blocksOf, fittingBlocks, type Run } from './kit/rich.ts';

/** A run of a ClickUp comment. Comments know no Markdown; a line takes its shape from the attributes of its line feed. */
export type CommentRun = {
  readonly text: string;
  readonly attributes: {
    readonly bold?: true;
    readonly code?: true;
    readonly link?: string;
    readonly list?: { readonly list: 'bullet' };
    readonly 'code-block'?: { readonly 'code-block': 'plain' };
  };
};

/** ClickUp publishes no limit; UTF-16 units of all runs together. */
export const maxComment = 10_000;

/** A notification as the runs of a comment. People can be mentioned by a run of another kind alone, which is never made. */
export function clickupComment(notification: Notification): readonly CommentRun[] {
  const blocks = fittingBlocks(blocksOf(notification, { title: true }), maxComment, (block) =>
    runsOf(block).reduce((sum, { text }) => sum + text.length, 0),
  );
  return blocks.flatMap(runsOf);
}

const end: CommentRun = { text: '\n', attributes: {} };
const itemEnd: CommentRun = { text: '\n', attributes: { list: { list: 'bullet' } } };
const codeEnd: CommentRun = { text: '\n', attributes: { 'code-block': { 'code-block': 'plain' } } };

function runsOf(block: Block): readonly CommentRun[] {
  switch (block.is) {
    case 'paragraph':
      return [...block.runs.map(runOf), end];
    case 'list':
      return block.items.flatMap((item) => [...item.map(runOf), itemEnd]);
    case 'log':
      return [
        { text: quiet(block.label), attributes: { bold: true } },
        end,
        ...block.lines.flatMap((text) => [...(text === '' ? [] : [{ text, attributes: {} }]), codeEnd]),
      ];
  }
}

function runOf({ text, as, url }: Run): CommentRun {
  if (url !== undefined) return { text: quiet(text), attributes: { link: url } };
  if (as === 'code') return { text, attributes: { code: true } };
  return { text: quiet(text), attributes: as === 'strong' ? { bold: true } : {} };
}

/** Clients that look for addresses and names find none. */
function quiet(text: string): string {
  return text.replace(/:(?=\/\/)|\bwww(?=\.)|@/gi, '$&\u200b');
}
