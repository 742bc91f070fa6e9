import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { runImport, tools } from '../../../src/cli/import/run.ts';
import { golden } from '../golden.ts';
import { lintOf, type Printed, printed } from '../streams.ts';

const fileOf = (tool: string): string => join(import.meta.dirname, `${tool}.yaml`);
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

test('a file of something else takes nothing over, and a tool that is not known is refused', async () => {
  const { code, err } = await run('kwatch', 'text', 'a: 1\nb: { c: [] }\n');
  assert.equal(code, 1);
  assert.match(err, /^ +1 {2}a {2}not taken over: nothing here knows this setting of kwatch$/m);
  assert.match(err, /^ +2 {2}b\.c {2}not taken over/m);
  await assert.rejects(run('nagios'), /"nagios" is not one of kwatch, robusta, botkube, alertmanager/);
});
