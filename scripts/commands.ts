/**
 * The check of commands: what people may paste into a shell is made by `src/model/command.ts`, which quotes each word or refuses it. A
 * template or a sum of texts that holds a command with something put in, or a text that is called a command, fails `make check`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

const root = resolve(import.meta.dirname, '..');
/** Where commands are made. */
const builder = 'src/model/command.ts';
/**
 * Rooms that answer at a terminal with what its user typed there (a namespace, a file, a cluster's name), and with nothing that the cluster
 * says.
 */
const typed = ['src/cli/install/', 'src/cli/import/', 'src/diagnose/cluster.ts'];
/** A command that begins, whatever stands before it. */
const begins = /\b(?:kubectl|tocsin) (?:-|[a-z])/g;
const named = 'make it with `kubectl` or `tocsin` of src/model/command.ts, which quote each word';

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The node and all below it. */
function* below(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* below(item);
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) if (typeof child === 'object') yield* below(child);
}

const textOf = (node: unknown): string =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';

/** What is wrong with a node, in words. */
function problemOf(node: Node, text: string): string | undefined {
  if (node.type === 'TemplateLiteral' && Array.isArray(node.expressions) && node.expressions.length > 0) {
    const parts: readonly Node[] = Array.isArray(node.quasis) ? node.quasis : [];
    return parts.slice(0, -1).some(({ start, end }) => opens(text.slice(start, Number(end))))
      ? `a command in a template: ${named}`
      : undefined;
  }
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return opens(textOf(node.left)) ? `a command in a sum: ${named}` : undefined;
  if (node.type === 'TSAsExpression' && isNode(node.typeAnnotation))
    return /^Command\b/.test(text.slice(node.typeAnnotation.start))
      ? `a text is called a command: ${named}`
      : undefined;
  return undefined;
}

/** Whether a text ends within a command, so that what comes next is a word of it. */
function opens(text: string): boolean {
  const last = [...text.matchAll(begins)].at(-1);
  return last !== undefined && !/[`()\n]|[:;.] /.test(text.slice(last.index));
}

const problems: string[] = [];
const files = globSync('{src,sandbox}/**/*.ts', { cwd: root })
  .filter((file) => file !== builder && !typed.some((room) => file.startsWith(room)))
  .sort();
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const node of below(parseSync(file, text).program)) {
    const problem = problemOf(node, text);
    if (problem !== undefined) problems.push(`${file}:${text.slice(0, node.start).split('\n').length}: ${problem}`);
  }
}

// A checker that silently sees nothing passes everything.
if (files.length < 100) problems.push(`saw only ${files.length} files`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
