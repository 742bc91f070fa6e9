/** What the types send, judged by what vendors publish about it: their types, their schemas, their own code. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { providers } from '../../src/providers/registry.ts';
import { readCaseFile } from './conformance/case-file.ts';
import { buildNetwork } from './conformance/wire.ts';
import { type Call, callsOf, lineOf } from './oracles/calls.ts';
import { compile } from './oracles/compile.ts';
import type { Judge } from './oracles/judge.ts';
import { judges, unjudged } from './oracles/judges.ts';
import { pageOf } from './oracles/page.ts';

buildNetwork();

const judged = providers.flatMap((definition) => {
  const rows = judges[definition.type];
  return rows ? [{ definition, type: definition.type, rows }] : [];
});

describe('oracles', () => {
  const calls = new Map<string, readonly Call[]>();
  before(async () => {
    for (const { definition, type } of judged) calls.set(type, await callsOf(definition));
  });

  /** The requests that a row is about: never none. */
  function heard(type: string, row: Judge): readonly Call[] {
    const found = calls.get(type)?.filter((call) => isAbout(row, call)) ?? [];
    assert.ok(found.length > 0, `${type} sends nothing like ${row.of}`);
    return found;
  }

  test('every payload has the type that the vendor gives it', () => {
    const claims = judged.flatMap(({ type, rows }) =>
      rows.flatMap((row) =>
        'type' in row
          ? heard(type, row).map((call) => ({
              name: `${type} (${call.title}): ${lineOf(call)} is no ${row.type}`,
              type: row.type,
              value: row.part ? row.part(call) : call.parsed,
            }))
          : [],
      ),
    );
    const wrong = compile(claims).flatMap((text, index) => (text === '' ? [] : [`${claims[index]?.name}\n${text}`]));
    assert.equal(wrong.length, 0, wrong.slice(0, 10).join('\n\n'));
  });

  for (const { type, rows } of judged)
    for (const row of rows)
      if ('judge' in row)
        test(`${type}, ${row.by}: ${row.says}`, async () => {
          for (const call of heard(type, row)) {
            try {
              await row.judge(call);
            } catch (error) {
              throw new Error(`${call.title}: ${lineOf(call)}`, { cause: error });
            }
            await assert.rejects(async () => row.judge(row.spoil(call)), `${call.title}: the judge takes anything`);
          }
        });

  for (const { type, rows } of judged)
    test(`${type}: every request with a payload has a judge, or a reason why not`, () => {
      const others = unjudged[type] ?? [];
      const bare = (calls.get(type) ?? []).filter(
        (call) => call.body !== '' && !rows.some((row) => isAbout(row, call)),
      );
      const unknown = bare.map(lineOf).filter((line) => !others.some(({ of }) => of.test(line)));
      assert.deepEqual([...new Set(unknown)], []);
      for (const { of, why } of others)
        assert.ok(
          bare.some((call) => of.test(lineOf(call))),
          `not needed: ${why}`,
        );
    });
});

test('judges are of types that there are, and every type has one, or a reason for having none', () => {
  const types = new Set(providers.map(({ type }) => type));
  assert.deepEqual(
    Object.keys(judges).filter((type) => !types.has(type)),
    [],
  );
  for (const type of types) {
    const { unjudged: why } = readCaseFile(type);
    const file = `test/providers/fixtures/${type}/conformance.yaml`;
    assert.ok(
      why || judges[type],
      `${type} has no judge: add one to test/providers/oracles, or say why not as \`unjudged\` in ${file}`,
    );
    assert.ok(!why || !judges[type], `${type} has a judge: take \`unjudged\` out of ${file}`);
  }
});

test('docs/contributing/oracles.md is the table of what is run', () => {
  const file = join(import.meta.dirname, '../../docs/contributing/oracles.md');
  const text = pageOf(providers.map(({ type }) => type).toSorted());
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'stale: run this test with UPDATE_GOLDEN=1');
});

/** Whether a judge knows this request. */
function isAbout({ of, except }: Judge, call: Call): boolean {
  return of.test(lineOf(call)) && !except?.test(call.title);
}
