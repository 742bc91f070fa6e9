import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commonFields } from '../../src/api/alert-provider.ts';
import { type Kind, kindNames } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { settingRows } from '../../src/model/setting-rows.ts';
import { specFields } from '../../src/providers/kit/tls.ts';

const root = join(import.meta.dirname, '../../src');
/** Where fields are declared, or what passes them on without looking at them. */
const declares =
  /^(?:api\/(?:alert-config|alert-provider|silence|maintenance-window|schema\/.*)|model\/setting.*|providers\/.*)\.ts$/;

/** What reads settings. In `api`, `comment: spec.comment` hands a field on, also where it is there: that is no reading of it. */
const source = globSync('**/*.ts', { cwd: root })
  .filter((file) => !declares.test(file))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '');
    if (!file.startsWith('api/')) return text;
    return text
      .replace(/\.\.\.\(\w+\.(\w+) !== undefined && \{ \1: \w+\.\1 \}\)/g, '')
      .replace(/\b(\w+): \w+\.\1\b/g, '');
  })
  .join('\n');

/** What an object of a kind is called where its fields are read. */
const called: Readonly<Record<Kind, readonly string[]>> = {
  AlertProvider: ['spec', 'provider'],
  Silence: ['spec', 'silence'],
  MaintenanceWindow: ['spec', 'window'],
  AlertConfig: ['spec', 'settings', 'config'],
};

/** The fields of a schema that have none below them, with what each is below. Those of providers' types are their own, and what is declared like them. */
function* fieldsOf({ properties, items }: StructuralSchema, above: readonly string[]): Generator<readonly string[]> {
  const below = properties ?? items?.properties;
  if (below) for (const [name, schema] of Object.entries(below)) yield* fieldsOf(schema, [...above, name]);
  else yield above;
}

/** Where the fields of a group are read under another name: the filters are a selector, one override, one added fact is looked at at a time. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  filters: ['selector'],
  overrides: ['override'],
  signatures: ['signature'],
  add: ['fact'],
};

/**
 * Whether a field is read below one of these names: `evidence.events`, `objectOf(license)?.value`, `renotifySeconds[severity]`, or
 * `const { events } = settings.evidence`.
 */
function isRead(field: string, parents: readonly string[]): boolean {
  const parent = `\\b(?:${parents.join('|')})`;
  const member = new RegExp(`${parent}(?:\\(\\w*\\))?\\)?[!?]?\\.${field}\\b|${parent}\\[\\w`);
  const taken = new RegExp(
    `\\{[^{}]*\\b${field}\\b[^{}]*\\} = [^\\n]{0,30}${parent}\\b|${parent}: \\{[^{}]*\\b${field}\\b[^{}]*\\}`,
  );
  return member.test(source) || taken.test(source);
}

test('every field of the four kinds is read by what it is about', () => {
  const unread = kindNames.flatMap((kind) =>
    [...fieldsOf(resources[kind].spec.json, [])]
      .filter(
        ([top = '']) => kind !== 'AlertProvider' || (commonFields.includes(top) && !Object.hasOwn(specFields, top)),
      )
      .filter((path) => {
        const [field = '', parent] = path.toReversed();
        return !isRead(field, parent === undefined ? called[kind] : [parent, ...(alsoCalled[parent] ?? [])]);
      })
      .map((path) => `${kind} spec.${path.join('.')}`),
  );
  assert.deepEqual(unread, []);
});

test('every setting has a default within its own bounds', () => {
  for (const [group, rows] of Object.entries(settingRows))
    for (const [name, { json }] of Object.entries<{ readonly json: StructuralSchema }>(rows)) {
      assert.notEqual(json.default, undefined, `${group}.${name} has no default`);
      if (typeof json.default === 'number')
        assert.ok(json.default >= (json.minimum ?? 0) && json.default <= (json.maximum ?? 0), `${group}.${name}`);
    }
});
