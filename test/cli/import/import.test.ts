import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { runImport, tools } from '../../../src/cli/import/run.ts';
import { fc } from '../../fast-check.ts';
import { runs } from '../../runs.ts';
import { golden } from '../golden.ts';
import { lintOf, type Printed, printed } from '../streams.ts';

const fileOf = (tool: string): string => join(import.meta.dirname, `${tool}.yaml`);
/** All that a tool documents. */
const documentedOf = (tool: string): string =>
  readFileSync(join(import.meta.dirname, 'documented', `${tool}.yaml`), 'utf8');
const run = (tool: string, output: 'text' | 'json' = 'text', input = ''): Promise<Printed> =>
  printed(
    (streams) => runImport({ tool, file: input === '' ? fileOf(tool) : '-', namespace: 'tocsin', output }, streams),
    input,
  );

type Json = {
  readonly lines: readonly {
    readonly line: number;
    readonly path: string;
    readonly into?: string;
    readonly why?: string;
  }[];
};

for (const tool of Object.keys(tools)) {
  test(`${tool}: every value is taken over or named with why, and none is a credential`, async () => {
    const { code, out, err } = await run(tool);
    assert.equal(code, 0, err);
    assert.doesNotMatch(out + err, /CANARY/);
    golden(`import-${tool}.txt`, `${out}\n${err}`);
    const { lines } = JSON.parse((await run(tool, 'json')).out) as Json;
    const source = readFileSync(fileOf(tool), 'utf8').split('\n');
    for (const { line, path, into, why } of lines) {
      assert.notEqual(into === undefined, why === undefined, path);
      const last = path.split('.').findLast((step) => !/^\d+$/.test(step)) ?? '';
      // A list on lines of its own has its name above.
      assert.ok(
        source.slice(0, line).some((text) => text.includes(last)),
        `line ${line}: ${path}`,
      );
    }
    // Whatever is a value in the file is in the report, once.
    assert.equal(new Set(lines.map(({ path }) => path)).size, lines.length);
  });

  test(`${tool}: what is printed has no error, by lint`, async () => {
    const { out } = await run(tool);
    const linted = await lintOf(['-'], {}, out);
    assert.equal(linted.code, 0, linted.out);
    assert.ok(parseAllDocuments(out).length >= 3);
  });
}

for (const tool of Object.keys(tools)) {
  test(`${tool}: every setting that its documentation names is taken over, or named with a reason of its own`, async () => {
    const { code, out, err } = await run(tool, 'text', documentedOf(tool));
    assert.equal(code, 0);
    assert.doesNotMatch(out + err, /CANARY/);
    assert.doesNotMatch(err, /nothing here knows/);
    golden(`import-documented-${tool}.txt`, err);
    const linted = await lintOf(['-'], {}, out);
    assert.equal(linted.code, 0, linted.out);
  });

  test(`${tool}: whatever is left out, renamed or set otherwise, each value of the file is in the report once`, async () => {
    const whole: unknown = parse(bareOf(tool, documentedOf(tool)), { logLevel: 'silent' });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 30 }), async (changes) => {
        const changed = changes.reduce((held, [at, how]) => alter(held, at, how), whole);
        const { lines } = JSON.parse((await run(tool, 'json', stringify(changed))).out) as Json;
        assert.deepEqual(
          lines.map(({ path }) => path),
          leavesOf(changed).map((path) => path.join('.')),
        );
        assert.ok(lines.every(({ into, why }) => (into === undefined) !== (why === undefined)));
      }),
      { numRuns: runs(25) },
    );
  });
}

/** The configuration without the manifest around it. */
function bareOf(tool: string, text: string): string {
  if (tool !== 'kwatch') return text;
  const map = parseAllDocuments(text)[1]?.getIn(['data', 'config.yaml']);
  assert.ok(typeof map === 'string');
  return map;
}

const change = fc.constantFrom('leave out', 'rename', 'empty', 'number', 'list' as const);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

type Path = readonly (string | number)[];

/** Where values stand; an empty map or list is one. */
function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.length === 0 ? [path] : inner.flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** The same with one leaf, or what it stands in, changed. */
function alter(value: unknown, at: number, how: Change): unknown {
  const leaves = leavesOf(value);
  const path = leaves[at % leaves.length] ?? [];
  const copy = structuredClone(value);
  const depth = 1 + (at % Math.max(1, path.length));
  const key = path[depth - 1];
  const parent = path.slice(0, depth - 1).reduce<unknown>((held, step) => Object(held)[step], copy);
  if (key === undefined || typeof parent !== 'object' || parent === null) return copy;
  if (how === 'leave out') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  } else if (how === 'rename' && !Array.isArray(parent)) {
    Reflect.set(parent, `${key}New`, Reflect.get(parent, key));
    Reflect.deleteProperty(parent, key);
  } else Reflect.set(parent, key, how === 'empty' ? null : how === 'number' ? 7 : ['a', { b: true }]);
  return copy;
}

test('a configuration in a ConfigMap beside its Namespace, or in a KwatchConfig, is read from there', async () => {
  const manifest =
    'apiVersion: kwatch.abahmed.dev/v1alpha1\nkind: KwatchConfig\nmetadata: { name: x }\nspec:\n  namespaces: [!kube-system, shop]\n';
  const { lines } = JSON.parse((await run('kwatch', 'json', manifest)).out) as Json;
  assert.deepEqual(
    lines.map(({ line, path }) => [line, path]),
    [
      [5, 'namespaces.0'],
      [5, 'namespaces.1'],
    ],
  );
  assert.match((await run('kwatch', 'text', manifest)).out, /- "!kube-system"\n +- shop/);
});

test('a number that is none is named', async () => {
  const { lines } = JSON.parse((await run('kwatch', 'json', 'maxRecentLogLines: <lines>\n')).out) as Json;
  assert.deepEqual(lines, [{ line: 1, path: 'maxRecentLogLines', why: 'it is no number' }]);
});

test('a regular expression that is no glob is named, and not guessed', async () => {
  const { out } = await run('botkube', 'json', documentedOf('botkube'));
  const { lines } = JSON.parse(out) as Json;
  const why = (end: string): string | undefined => lines.find(({ path }) => path.endsWith(end))?.why;
  assert.match(why('namespaces.exclude.1') ?? '', /regular expression/);
  assert.equal(why('namespaces.exclude.0'), undefined);
});

test('a file of something else takes nothing over, and a tool that is not known is refused', async () => {
  const { code, err } = await run('kwatch', 'text', 'a: 1\nb: { c: [] }\n');
  assert.equal(code, 1);
  assert.match(err, /^ +1 {2}a {2}not taken over: nothing here knows this setting of kwatch$/m);
  assert.match(err, /^ +2 {2}b\.c {2}not taken over/m);
  await assert.rejects(run('nagios'), /"nagios" is not one of kwatch, robusta, botkube, alertmanager/);
});
