/** Three hundred ways to get a manifest wrong: lint says where and what to do, and never falls over. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stringify } from 'yaml';
import { brokenBySchema } from './bad/by-schema.ts';
import { badTexts } from './bad/texts.ts';
import { lintOf, type Printed } from './streams.ts';

/** Errors of a report for people: line and sentence. */
function errorsIn({ out }: Printed): readonly { readonly line: number; readonly says: string }[] {
  return out.split('\n').flatMap((row) => {
    const [, line, says = ''] = /^stdin:(\d+):\d+ +error +(.*)$/.exec(row) ?? [];
    return line === undefined ? [] : [{ line: Number(line), says }];
  });
}

/** No line of a program, and nothing that steers a terminal. */
function assertForPeople({ out, err }: Printed): void {
  assert.doesNotMatch(out + err, /\.ts:\d|node:internal|^ +at |\[object |undefined|NaN/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  assert.doesNotMatch(out + err, /[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
}

test('there are at least 300 of them', () => {
  const names = [...brokenBySchema, ...badTexts].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length >= 300, `${names.length}`);
});

describe('a text that is no good manifest: its line, and what to do', () => {
  for (const { name, text, line, remedy } of badTexts)
    test(name, async () => {
      const printed = await lintOf(['-'], {}, text);
      assertForPeople(printed);
      assert.equal(printed.code, 1, printed.out);
      assert.ok(
        errorsIn(printed).some((error) => error.line === line && remedy.test(error.says)),
        printed.out,
      );
    });
});

/** What says what to do: an order, a choice, or what the field is for. */
const remedy =
  /; (it must be|use one of|did you mean)|: [A-Z`]|: (shorten|remove|add|check)|not a time such as|which does not match/;

describe('a good manifest with one field broken: the field, its line, and what to do', () => {
  for (const { name, manifest, refused } of brokenBySchema)
    test(name.slice(0, 150), async () => {
      const text = stringify(manifest, { version: '1.1', aliasDuplicateObjects: false });
      const printed = await lintOf(['-'], {}, text);
      assertForPeople(printed);
      assert.equal(printed.code, 1);
      const error = errorsIn(printed).find(({ says }) => says.startsWith(`\`${refused?.path}\` `));
      assert.match(error?.says ?? printed.out, remedy);
    });
});

test('what holds nothing is a mistake of the call: exit code 2', async () => {
  for (const text of ['', '\n\n', '# nothing\n', '---\n---\n', 'null\n']) {
    const printed = await lintOf(['-'], {}, text);
    assert.deepEqual([printed.code, printed.out], [2, '']);
    assert.match(printed.err, /standard input holds no object: there is nothing to check/);
  }
});

test('more than a manifest can be is not read to its end', async () => {
  const printed = await lintOf(['-'], {}, 'x'.repeat(16 * 1024 * 1024 + 1));
  assert.deepEqual([printed.code, printed.out], [2, '']);
  assert.match(printed.err, /larger than 16 MiB/);
});

test('a byte order mark and line ends of Windows are fine, as they are to kubectl', async () => {
  const text =
    'apiVersion: tocsin.dev/v1alpha1\nkind: Silence\nmetadata: { name: a }\nspec: { selector: { names: [b] }, durationSeconds: 5 }\n';
  for (const each of [`\ufeff${text}`, text.replaceAll('\n', '\r\n')])
    assert.equal((await lintOf(['-'], {}, each)).code, 0);
});
