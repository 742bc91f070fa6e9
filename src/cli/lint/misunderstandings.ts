import { type Document, isMap, isSeq, visit } from 'yaml';

/** Something that YAML reads differently from what was meant: where, and the end of a sentence that begins with "the file". */
type Misunderstanding = { readonly offset: number; readonly message: string };

/** What to do with a template of Helm. */
export const looksLikeTemplate =
  'this looks like a template: lint what it renders, such as `helm template . | tocsin lint -`';

/**
 * What is YAML and surely a mistake in a manifest: `[!sandbox-*]`, where `!` begins a tag and no text is left, and `{{ .Values.name }}`,
 * an object whose key is an object.
 */
export function misunderstandings(document: Document.Parsed): readonly Misunderstanding[] {
  const found: Misunderstanding[] = [];
  visit(document, {
    Scalar(_, { tag, value, range }) {
      if (tag?.startsWith('!') && value === '' && range)
        found.push({
          offset: range[0],
          message:
            'holds a value that begins with ! and is not in quotes, which YAML takes for a tag: put it in quotes',
        });
    },
    Pair(_, { key }) {
      if (isMap(key) && key.range)
        found.push({ offset: key.range[0], message: `holds {{ outside quotes; ${looksLikeTemplate}` });
      else if (isSeq(key) && key.range)
        found.push({ offset: key.range[0], message: 'has a list for a key: a key must be a text' });
    },
  });
  return found;
}

/** Where the first alias is that no anchor before it explains. */
export function unresolvedAlias(document: Document.Parsed): number | undefined {
  const anchors = new Set<string>();
  let first: number | undefined;
  visit(document, {
    Node(_, node) {
      if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
    Alias(_, { source, range }) {
      if (anchors.has(source) || !range) return undefined;
      first = range[0];
      return visit.BREAK;
    },
  });
  return first;
}
