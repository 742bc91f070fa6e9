import type { Notification } from '../../model/notification.ts';
import { type Block, blocksOf, fittingBlocks, type Run } from './kit/rich.ts';

type Mark = { type: 'strong' } | { type: 'code' } | { type: 'link'; attrs: { href: string } };
type Text = { type: 'text'; text: string; marks?: Mark[] };
type Paragraph = { type: 'paragraph'; content: Text[] };
/** A node of a document, of the kinds a message is made of. */
export type AdfNode =
  | Paragraph
  | { type: 'bulletList'; content: { type: 'listItem'; content: Paragraph[] }[] }
  | { type: 'codeBlock'; attrs: { language: 'text' }; content: Text[] };
/** A whole document. Source: Atlassian Document Format, JSON Schema version 1. */
export type AdfDocument = { version: 1; type: 'doc'; content: AdfNode[] };

/**
 * A notification in the Atlassian Document Format, at most `max` UTF-16 units as JSON. Texts are literal there: there is nothing to
 * escape, and people are mentioned by nodes of another kind, which are never made. `after`: blocks of our own at the end.
 */
export function adf(
  notification: Notification,
  { max, title, after = [] }: { readonly max: number; readonly title: boolean; readonly after?: readonly Block[] },
): AdfDocument {
  const lengthOf = (blocks: readonly Block[]): number => JSON.stringify(blocks.flatMap(nodesOf)).length;
  const own = lengthOf(after) + JSON.stringify(documentOf([])).length;
  const kept = fittingBlocks(blocksOf(notification, { title }), max - own, (block) => lengthOf([block]));
  return documentOf([...kept, ...after]);
}

/** A document without content is refused. */
function documentOf(blocks: readonly Block[]): AdfDocument {
  const nodes = blocks.flatMap(nodesOf);
  return { version: 1, type: 'doc', content: nodes.length > 0 ? nodes : [paragraph([{ text: '…' }])] };
}

function nodesOf(block: Block): AdfNode[] {
  switch (block.is) {
    case 'paragraph':
      return [paragraph(block.runs)];
    case 'list':
      return [
        {
          type: 'bulletList',
          content: block.items.map((runs) => ({ type: 'listItem', content: [paragraph(runs)] })),
        },
      ];
    case 'log': {
      const lines = block.lines.join('\n');
      const code: AdfNode = {
        type: 'codeBlock',
        attrs: { language: 'text' },
        content: lines === '' ? [] : [text(lines)],
      };
      return [paragraph([{ text: block.label, as: 'strong' }]), code];
    }
  }
}

const paragraph = (runs: readonly Run[]): Paragraph => ({ type: 'paragraph', content: runs.map(textOf) });
const text = (words: string): Text => ({ type: 'text', text: words });

function textOf({ text: words, as, url }: Run): Text {
  if (url !== undefined) return { ...text(words), marks: [{ type: 'link', attrs: { href: url } }] };
  return as === undefined ? text(words) : { ...text(words), marks: [{ type: as }] };
}
