/** What settings are for: with another value something else is told, or a test of their reader shows what becomes different. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { settingRows } from '../../src/model/setting-rows.ts';
import { actStories } from './acts.ts';
import { toldWith, watchedCluster } from './cluster.ts';
import { reasonStories } from './reason-stories.ts';
import type { ClusterStory } from './shop.ts';

type Row = { readonly group: string; readonly name: string; readonly json: StructuralSchema };

const rows: readonly Row[] = Object.entries(settingRows).flatMap(([group, settings]) =>
  Object.entries<{ readonly json: StructuralSchema }>(settings).map(([name, { json }]) => ({ group, name, json })),
);

/** What a setting may be besides its default: every word, the other way, or the least and the most. */
function otherValues({ json }: Row): readonly unknown[] {
  const all = json.enum ?? (json.type === 'boolean' ? [true, false] : [json.minimum, json.maximum]);
  return all.filter((value) => value !== undefined && value !== json.default);
}

const stories: readonly ClusterStory[] = [...reasonStories.map(([, story]) => story), ...Object.values(actStories)];

/** Everything that a story makes Tocsin deliver, with one setting as it is given. */
function delivered(story: ClusterStory, { group, name }: Row, value: unknown): string {
  const presets: Readonly<Record<string, unknown>> = { ...toldWith };
  const k8s = watchedCluster({ [group]: { ...Object(presets[group]), [name]: value } });
  story(k8s);
  return JSON.stringify(k8s.deliveries());
}

/** Whether each other value of a setting makes some story tell something else than its default. */
function isShownByStories(row: Row): boolean {
  const others = otherValues(row);
  const differs = (value: unknown): boolean =>
    stories.some((story) => delivered(story, row, value) !== delivered(story, row, row.json.default));
  return others.length > 0 && others.every(differs);
}

/** The tests, but those that are about settings in general. */
const tests = globSync('**/*.ts', { cwd: join(import.meta.dirname, '..') })
  .filter((file) => !/(?:^message\/settings|^api\/settings-read)/.test(file))
  .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'));

/** Whether a test sets it or asks for it: `digest: { intervalSeconds: 60 }`, `settings.digest.intervalSeconds`. */
function isNamedByTest({ group, name }: Row): boolean {
  const named = new RegExp(`\\b${group}(?:\\??\\.|: \\{[^}]*?)\\b${name}\\b`);
  return tests.some((text) => named.test(text));
}

for (const row of rows)
  test(`${row.group}.${row.name}: that its values differ is shown`, () => {
    assert.ok(
      isNamedByTest(row) || isShownByStories(row),
      `with no other value of ${row.group}.${row.name} is anything else told in the stories of test/message: show what it does beside the tests of what reads it`,
    );
  });

test('the stories show a setting that says what is told, and none that says how it is sent', () => {
  const shows = (group: string, name: string): boolean =>
    rows.some((row) => row.group === group && row.name === name && isShownByStories(row));
  assert.ok(shows('evidence', 'logs'));
  assert.ok(shows('digest', 'intervalSeconds'));
  assert.ok(!shows('delivery', 'timeoutSeconds'));
});
