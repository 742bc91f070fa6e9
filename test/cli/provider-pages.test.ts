/** The pages of the provider types, as somebody follows them who has never used the type. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { picturesOf } from '../../scripts/gallery/pictures.ts';
import { referencePages } from '../../scripts/generate/reference.ts';
import { providers } from '../../src/providers/registry.ts';
import { lintOf } from './streams.ts';

const root = join(import.meta.dirname, '../..');
const pages = new Map(referencePages().map(({ path, text }) => [path, text]));

/** The page of a type. */
function pageOf(type: string): string {
  return pages.get(`providers/${type}.md`) ?? assert.fail(`${type} has no page`);
}

/** What stands below a heading. */
function section(page: string, heading: string): string {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

test('every type has a page and a row beside the others', () => {
  const table = section(pages.get('README.md') ?? '', 'Provider types');
  for (const { type, product } of providers)
    assert.ok(table.includes(`\n| [${product}](providers/${type}.md) (\`${type}\`) |`), type);
});

test('the list of all types is generated, and no page repeats it by hand', () => {
  const list = section(pages.get('README.md') ?? '', 'Provider types');
  for (const { type } of providers) assert.ok(list.includes(`](providers/${type}.md)`), type);
  for (const file of ['README.md', 'docs/install.md']) {
    const text = readFileSync(join(root, file), 'utf8');
    assert.match(text, /reference\/README\.md#provider-types\)/, file);
    assert.doesNotMatch(text, /\/providers\/[a-z0-9]+\.md\)/, file);
  }
});

describe('the page of', () => {
  for (const { type, fields } of providers)
    test(type, async () => {
      const page = pageOf(type);
      const [, manifest = assert.fail('there is no sample')] = /```yaml\n(apiVersion[\s\S]*?\n)```/.exec(page) ?? [];
      const { code, out } = await lintOf(['-'], {}, manifest);
      assert.equal(code, 0, out);

      const secrets = [...manifest.matchAll(/name: (\S+)\n\s+key: (\S+)/g)].map(
        ([, name, key]) => [name, key] as const,
      );
      const create = /kubectl -n tocsin create secret generic (\S+) (.*)/.exec(page);
      assert.deepEqual(new Set(secrets.map(([name]) => name)), new Set(create ? [create[1]] : []));
      for (const [, key] of secrets)
        assert.ok(create?.[2]?.includes(`--from-literal=${key}=`), `${key} is not created`);

      const table = section(page, `Fields of \`spec.${type}\``);
      for (const field of Object.keys(fields))
        assert.ok(table.includes(`| \`${field}\` |`), `${field} is not explained`);
      assert.match(section(page, 'Set it up'), /^\n\S.{40}/, 'nothing says where the credentials come from');
      const [, message = ''] =
        /\n(`{3,})(?:text|yaml)\n([\s\S]*?)\n\1\n/.exec(section(page, 'What a message looks like'))?.slice(1) ?? [];
      const isDrawn = picturesOf(type).length > 0;
      assert.equal(
        message.includes('payments'),
        !isDrawn,
        'neither the message nor a picture of it is there, or both are',
      );
      assert.match(section(page, 'What becomes of an incident'), /^\n[A-Z].*\.\n/);
      assert.match(section(page, 'Limits'), /Requests to one destination: \S+ a (?:second|minute|hour), \d+ at once/);

      assert.doesNotMatch(page, /canary|undefined|\[object/i);
      for (const [, path = ''] of page.replace(/`[^`\n]*`/g, '').matchAll(/\]\(((?!https?:)[^)#]+)/g))
        assert.ok(existsSync(join(root, 'docs/reference/providers', path)), `${path} is not there`);
    });
});
