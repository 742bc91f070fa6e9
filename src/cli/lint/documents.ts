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
import { looksLikeTemplate, misunderstandings, unresolvedAlias } from './misunderstandings.ts';

/** A place in a file, both from 1. */
export type Position = { readonly line: number; readonly column: number };

/** One object of a file. A `List` counts as its items. */
export type FileObject = {
  readonly value: unknown;
  /** Where a field is: its key, the entry of a list, or of a field that is missing the object it belongs in. */
  at(path: string): Position;
  /** What in its document is YAML, but surely not what was meant. */
  readonly misunderstood: readonly Broken[];
};

/** A place in a text with what is wrong there, as the end of a sentence that begins with "the file". */
export type Broken = Position & { readonly message: string };

/** What a text holds. `broken`: where it is not YAML, one for each document. */
export type ParsedText = {
  readonly objects: readonly FileObject[];
  readonly broken: readonly Broken[];
};

/** Characters that no YAML may hold, as kubectl has it; a tab, a line feed and a carriage return are fine. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

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
  const control = forbidden.exec(text);
  if (control) return { objects: [], broken: [holdsControl(text, control.index)] };
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
  const broken: Broken[] = [];
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
      const message = failure instanceof Error ? failure.message : '';
      const at = unresolvedAlias(document) ?? document.range[0];
      broken.push({ ...position(at), message: `cannot be read: ${firstWords(message)}; ${remedyFor('', message)}` });
    }
  }
  return { objects, broken };
}

function objectsOf(document: Document.Parsed, position: (offset: number) => Position): readonly FileObject[] {
  const root: Node | null = document.contents;
  const value: unknown = document.toJS();
  if (root === null || value === null) return [];
  const misunderstood = misunderstandings(document).map(({ offset, message }) => ({ ...position(offset), message }));
  const whole: FileObject = { value, misunderstood, at: (path) => position(offsetOf(document, root, path)) };
  const items: unknown = typeof value === 'object' && 'items' in value ? value.items : undefined;
  const kind: unknown = typeof value === 'object' && 'kind' in value ? value.kind : undefined;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [whole];
  return items.map((item: unknown, index) => ({
    value: item,
    misunderstood,
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
  const words = message.replace(/[:;].*$/s, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  return words.length < 8 ? 'this line' : words;
}

/** Error code of the library → what helps. */
const remedies: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  DUPLICATE_KEY: 'remove or rename one of them',
  BAD_SCALAR_START: 'put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a value that holds a colon in quotes, or correct the indentation',
  MULTILINE_IMPLICIT_KEY: 'write the key and its colon on one line, and correct the indentation',
  MISSING_CHAR: 'write the colon with a space after it, or close the quote or bracket',
  BAD_INDENT: 'correct the indentation',
  BAD_ALIAS: 'put a value that begins with * or & in quotes',
  UNEXPECTED_TOKEN: 'correct the indentation, or put the value in quotes',
};

/** Words of the library → what helps, where its code says too little. */
const remediesBySaying: readonly (readonly [RegExp, string])[] = [
  [/end with a [\]}]/, 'close the bracket'],
  [/call stack/, 'nest it less deeply'],
  [/alias count/, 'write the values out instead of repeating them by aliases'],
  [/merge/i, 'give `<<` an object'],
  [/alias/, 'put a value that begins with * or & in quotes'],
];

const remedyFor = (code: string, message: string): string =>
  remediesBySaying.find(([saying]) => saying.test(message))?.[1] ?? remedies[code] ?? 'correct this line';

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end);
}

function sayBroken({ code, message }: YAMLError, line: string): string {
  if (/^(<{7}|={7}|>{7})/.test(line)) return 'holds a merge conflict: resolve it';
  const remedy = line.includes('{{') ? looksLikeTemplate : remedyFor(code, message);
  return `is not YAML: ${firstWords(message)}; ${remedy}`;
}

function holdsControl(text: string, offset: number): Broken {
  const before = text.slice(0, offset);
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  const [line, column] = [before.split('\n').length, offset - before.lastIndexOf('\n')];
  return { line, column, message: `is not YAML: it holds the control character U+${code}; remove it` };
}
