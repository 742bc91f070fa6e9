/** Commands and manifests that the documentation prints. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { readMarkdown } from '../../scripts/site/markdown.ts';
import { pagesOf } from '../../scripts/site/site.ts';
import { group, kindNames } from '../../src/api/group.ts';
import { validate } from '../../src/api/validation.ts';
import { type CommandWords, wordsOf } from '../../src/cli/completion/words.ts';
import { programOf } from '../../src/cli/program.ts';
import { reasonTraits } from '../../src/model/reason.ts';
import { commandsOf, heredocsOf } from './shell-words.ts';

const root = resolve(import.meta.dirname, '../..');
const shells = new Set(['sh', 'console', '', 'shell', 'bash']);

/** What each page prints: commands of its blocks and of its lines, and manifests. */
const printed = pagesOf(root).map((page) => {
  const { blocks, codes } = readMarkdown(readFileSync(join(root, page), 'utf8'));
  const scripts = blocks
    .filter(({ language }) => shells.has(language))
    .map(({ language, text }) => (language === 'console' ? prompted(text) : text));
  const inLine = codes.filter((code) => /^(?:tocsin|make|kubectl) /.test(code));
  return {
    page,
    files: codes.filter((code) => /^(?:src|test|scripts|config|crds|docs)\/[\w./-]+\.\w+$/.test(code)),
    commands: [...scripts, ...inLine].flatMap(commandsOf),
    manifests: [
      ...blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text),
      ...scripts.flatMap(heredocsOf).filter((text) => text.includes('apiVersion:')),
    ],
  };
});

/** Of a session, what was typed. */
function prompted(text: string): string {
  return [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line).join('\n');
}

/** What is wrong with a command line of `tocsin`; a synopsis (`[FILE]...`, `a|b`) is held to its options alone. */
function wrongOf(words: readonly string[], program: CommandWords): string | undefined {
  let command = program;
  const rest = words.map((word) => word.replace(/^\[+|[\].]+$/g, ''));
  while (rest[0] !== undefined) {
    const child = command.children.find(({ path }) => path.at(-1) === rest[0]);
    if (child === undefined) break;
    command = child;
    rest.shift();
  }
  const [first] = rest;
  if (command.children.length > 0 && first !== undefined && !/^(?:-|[A-Z…])/.test(first) && first !== '--help')
    return `no command ${first}`;
  const options = [...command.options, { long: '--version', short: '-V', choices: [] as readonly string[] }];
  for (const [index, word] of rest.entries()) {
    if (!/^--?[a-z]/.test(word)) continue;
    const [name = '', inline] = word.split('=');
    const option = options.find(({ long, short }) => long === name || short === name);
    if (option === undefined) return `no option ${name}`;
    const value = inline ?? rest[index + 1];
    if (option.choices.length > 0 && !/^[A-Z]|\|/.test(value ?? '') && !option.choices.includes(value ?? ''))
      return `${name} is not ${value}`;
  }
  return undefined;
}

test('every command line of tocsin uses commands, options and values that there are', async () => {
  const program = wordsOf(await programOf('tocsin'));
  let count = 0;
  const wrong = printed.flatMap(({ page, commands }) =>
    commands.flatMap((words) => {
      const at = words.findIndex((word, index) => word === 'tocsin' && (index === 0 || words[index - 1] === 'kubectl'));
      if (at < 0 || at > 1) return [];
      count += 1;
      const problem = wrongOf(words.slice(at + 1), program);
      return problem === undefined ? [] : [`${page}: ${words.join(' ')}: ${problem}`];
    }),
  );
  assert.deepEqual(wrong, []);
  assert.ok(count > 60, `${count} found`);
});

test('docs/commands.md has every command in its table', async () => {
  const [table = ''] = readFileSync(join(root, 'docs/commands.md'), 'utf8').split('\n## ');
  const names = wordsOf(await programOf('tocsin')).children.map(({ path }) => path.at(-1) ?? '');
  assert.ok(names.length > 15);
  assert.deepEqual(
    names.filter((name) => name !== 'help' && !new RegExp(`^\\| [^|]*\`(?:tocsin )?${name}\``, 'm').test(table)),
    [],
  );
});

test('a misspelt command, option or value would be found', async () => {
  const program = wordsOf(await programOf('tocsin'));
  const problem = (line: string) => commandsOf(line).map((words) => wrongOf(words.slice(1), program))[0];
  assert.equal(problem('tocsin silense add x'), 'no command silense');
  assert.equal(problem('tocsin silence ad x --for 2h'), 'no command ad');
  assert.equal(problem('tocsin why deployment/shop/api --when now'), 'no option --when');
  assert.equal(problem('tocsin lint --output xml .'), '--output is not xml');
  assert.equal(problem('tocsin lint [FILE]... [--output text|json|github]'), undefined);
});

test('every target of make that is named is there', () => {
  const targets = new Set(
    [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([\w-]+):/gm)].map(([, name]) => name),
  );
  const missing = printed.flatMap(({ page, commands }) =>
    commands
      .filter((words) => words[0] === 'make')
      .flatMap((words) => words.slice(1).filter((word) => /^[a-z]+$/.test(word) && !targets.has(word)))
      .map((target) => `${page}: make ${target}`),
  );
  assert.deepEqual(missing, []);
});

test('what kubectl and helm are given from the repository is there', () => {
  const missing = printed.flatMap(({ page, commands }) =>
    commands
      .filter(([program]) => program === 'kubectl' || program === 'helm' || program === 'tocsin')
      .flat()
      .filter((word) => /^(?:config|crds|docs)\/[\w./-]+$/.test(word) && !existsSync(join(root, word)))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('the reasons that docs/comparison.md names are there', () => {
  const page = readFileSync(join(root, 'docs/comparison.md'), 'utf8');
  const [rules = ''] = page.split('| in Alertmanager |');
  const named = [...rules.matchAll(/^\| `Kube[^|]*\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, reason = '']) => reason),
  );
  assert.ok(named.length > 30);
  assert.deepEqual(
    named.filter((reason) => !Object.hasOwn(reasonTraits, reason)),
    [],
  );
});

test('every file of the repository that a page names in code marks is there', () => {
  const missing = printed.flatMap(({ page, files }) =>
    files.filter((path) => !existsSync(join(root, path))).map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('every manifest is YAML, and those of our kinds are what the API server takes', () => {
  const kinds = new Set<string>(kindNames);
  let ours = 0;
  for (const { page, manifests } of printed)
    for (const text of manifests) {
      const documents = parseAllDocuments(text);
      for (const document of documents) {
        assert.deepEqual(document.errors.map(String), [], `${page}:\n${text}`);
        const object: unknown = document.toJS();
        if (!isObject(object) || !String(object.apiVersion).startsWith(`${group}/`)) continue;
        const kind = kindNames.find((name) => name === object.kind);
        assert.ok(kind !== undefined && kinds.has(kind), `${page}: ${String(object.kind)}`);
        ours += 1;
        assert.deepEqual(validate(kind, object), [], `${page}:\n${text}`);
      }
    }
  assert.ok(ours > 60, `${ours} found`);
});

function isObject(value: unknown): value is { readonly apiVersion?: unknown; readonly kind?: unknown } {
  return typeof value === 'object' && value !== null;
}
