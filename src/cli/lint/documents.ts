import {
  type CollectionTag,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type ScalarTag,
  type YAMLError,
} from 'yaml';

/** A place in a file, both from 1. */
export type Position = { readonly line: number; readonly column: number };

/** One object of a file. A `List` counts as its items. */
export type FileObject = {
  readonly value: unknown;
  /** Where a field is: its key, the entry of a list, or of a field that is missing the object it belongs in. */
  at(path: string): Position;
};

/** What a text holds. `broken`: where it is not YAML, one for each document. */
export type ParsedText = {
  readonly objects: readonly FileObject[];
  readonly broken: readonly (Position & { readonly message: string })[];
};

/** Octal numbers of YAML 1.2, which kubectl reads beside those of 1.1. */
const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^0o[0-7]+$/,
  resolve: (text) => Number.parseInt(text.slice(2), 8),
};

/**
 * YAML as kubectl reads it: version 1.1 (`yes` is true, `0777` is octal), but no times (`2026-12-01` stays a text, `1:30` too).
 * Tried against kubectl 1.36.
 */
function asKubectl(tags: (ScalarTag | CollectionTag | string)[]): (ScalarTag | CollectionTag)[] {
  const kept = tags.filter(
    (tag): tag is ScalarTag | CollectionTag =>
      typeof tag === 'object' && !tag.tag.endsWith(':timestamp') && !('format' in tag && tag.format === 'TIME'),
  );
  return [octal, ...kept];
}

/** Reads all documents of a text (YAML or JSON). Never throws; no message quotes the text, which may hold a Secret. */
export function parseText(text: string): ParsedText {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: asKubectl,
    lineCounter: lines,
    prettyErrors: false,
    // A tag of another tool (`!vault`) is that tool's business.
    logLevel: 'error',
  });
  const position = (offset: number): Position => {
    const { line, col: column } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, column) };
  };
  const objects: FileObject[] = [];
  const broken: (Position & { message: string })[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error) {
      broken.push({ ...position(error.pos[0]), message: sayBroken(error, lineAt(text, error.pos[0])) });
      continue;
    }
    try {
      objects.push(...objectsOf(document, position));
    } catch (failure) {
      // The library refuses what an alias would blow up.
      const message = failure instanceof Error ? firstWords(failure.message) : 'cannot be read';
      broken.push({ ...position(document.range[0]), message: `is not readable: ${message}` });
    }
  }
  return { objects, broken };
}

function objectsOf(document: Document.Parsed, position: (offset: number) => Position): readonly FileObject[] {
  const root: Node | null = document.contents;
  const value: unknown = document.toJS();
  if (root === null || value === null) return [];
  const whole: FileObject = { value, at: (path) => position(offsetOf(document, root, path)) };
  const items: unknown = typeof value === 'object' && 'items' in value ? value.items : undefined;
  const kind: unknown = typeof value === 'object' && 'kind' in value ? value.kind : undefined;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [whole];
  return items.map((item: unknown, index) => ({
    value: item,
    at: (path) => whole.at(path === '' ? `items[${index}]` : `items[${index}].${path}`),
  }));
}

/**
 * The offset of the deepest part of a path that exists. Names may hold dots (`app.kubernetes.io/name`), so at each step the
 * longest key that fits is taken.
 */
function offsetOf(document: Document.Parsed, root: Node, path: string): number {
  let node: Node = root;
  let rest = path;
  let offset = startOf(node);
  while (rest !== '') {
    const next = stepInto(node, rest);
    if (!next) break;
    offset = next.offset;
    rest = next.rest;
    const inner = isAlias(next.node) ? next.node.resolve(document) : next.node;
    if (!inner) break;
    node = inner;
  }
  return offset;
}

type Step = { readonly node: Node | undefined; readonly offset: number; readonly rest: string };

function stepInto(node: Node, path: string): Step | undefined {
  if (isSeq(node)) {
    const [whole, index] = /^\[(\d+)\]\.?/.exec(path) ?? [];
    const item: unknown = index === undefined ? undefined : node.items[Number(index)];
    return isNode(item) ? { node: item, offset: startOf(item), rest: path.slice(whole?.length) } : undefined;
  }
  if (!isMap(node)) return undefined;
  const fitting = node.items
    .flatMap((pair: Pair) =>
      isScalar(pair.key) ? [{ key: pair.key, name: String(pair.key.value), value: pair.value }] : [],
    )
    .filter(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (!fitting) return undefined;
  const rest = path.slice(fitting.name.length).replace(/^\./, '');
  return { node: isNode(fitting.value) ? fitting.value : undefined, offset: startOf(fitting.key), rest };
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The library's words up to where they may quote the text. */
function firstWords(message: string): string {
  return message.replace(/[:;].*$/s, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/** Error code of the library → what helps. */
const remedies: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  DUPLICATE_KEY: 'remove or rename one of them',
  BAD_SCALAR_START: 'put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a value that holds a colon in quotes, or correct the indentation',
  MULTILINE_IMPLICIT_KEY: 'write the key and its colon on one line, and correct the indentation',
  MISSING_CHAR: 'close the quote or bracket, or write the colon',
  BAD_INDENT: 'correct the indentation',
  BAD_ALIAS: 'put a value that begins with * or & in quotes',
  UNEXPECTED_TOKEN: 'correct the indentation, or put the value in quotes',
};

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end);
}

function sayBroken({ code, message }: YAMLError, line: string): string {
  const remedy = line.includes('{{')
    ? 'this looks like a template: lint what it renders, such as `helm template . | tocsin lint -`'
    : (remedies[code] ?? 'correct this line');
  return `is not YAML: ${firstWords(message)}; ${remedy}`;
}
