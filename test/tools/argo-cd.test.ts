import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { conditionReasons } from '../../src/api/conditions.ts';
import { group, kindNames, kinds } from '../../src/api/group.ts';
import { address, hasStarted, hasty, startStage, webhook } from '../runtime/stage.ts';
import { prepareServer } from '../servers/build.ts';

const settings: unknown = parse(readFileSync(join(import.meta.dirname, '../../config/argocd/settings.yaml'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'tocsin-argo-cd-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let lua: string;
before(async () => {
  lua = join(await prepareServer('gopher-lua'), 'glua');
});

/** A value as Lua writes it. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return `{${value.map(literal).join(',')}}`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, each]) => `[${JSON.stringify(key)}]=${literal(each)}`)
      .join(',')}}`;
  return typeof value === 'string' ? `[==[\n${value}]==]` : String(value);
}

/** Which libraries Argo CD opens for a script: not these. */
const closed = 'string=nil; math=nil; io=nil; os=nil; debug=nil; coroutine=nil; channel=nil';

/** What the scripts for Argo CD say of objects: `Status: message`, in their order. */
function healthOf(objects: readonly unknown[]): string[] {
  const file = join(folder, 'run.lua');
  const runs = objects.map((object) => {
    const script: unknown = Object(settings).data[`resource.customizations.health.${group}_${Object(object).kind}`];
    return `obj=${literal(object)}; h=(function()\n${String(script)}\nend)(); print(h.status .. ": " .. h.message)`;
  });
  writeFileSync(file, [closed, ...runs].join('\n'));
  const { status, stdout, stderr } = spawnSync(lua, [file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

const tocsin = (kind: string, name: string, spec: object): object => ({
  ...{ apiVersion: `${group}/v1alpha1`, kind, metadata: { name, namespace: 'tocsin' }, spec },
});

test('of what a running operator says of its objects, each has the health that somebody at Argo CD expects', async () => {
  const stage = await startStage({});
  try {
    const gone = (name: string): object => ({ ...webhook(name) });
    await stage.create(
      ...[hasty, address('chat', stage.receiver.url), webhook('chat'), gone('without-secret')],
      tocsin('Silence', 'works', { selector: { names: ['x'] }, durationSeconds: 3600 }),
      tocsin('Silence', 'over', { selector: { names: ['x'] }, endsAt: '2020-01-01T00:00:00Z' }),
      tocsin('Silence', 'misspelt', { selector: { reasons: ['CrashLoopBackof'] }, durationSeconds: 3600 }),
      tocsin('MaintenanceWindow', 'unlicensed', {
        selector: { names: ['x'] },
        schedule: '0 2 * * 6',
        durationSeconds: 60,
      }),
      tocsin('MaintenanceWindow', 'wrong', { selector: { names: ['x'] }, schedule: 'sometimes', durationSeconds: 60 }),
      tocsin('AlertConfig', 'other', {}),
    );
    await stage.until('ready', () => hasStarted(stage));
    const objects = () =>
      kindNames.flatMap((kind) => [...stage.sandbox.objects.list(`${kinds[kind].plural}.${group}`)] as unknown[]);
    const wanted: Readonly<Record<string, string>> = {
      chat: 'Healthy',
      'without-secret': 'Degraded',
      works: 'Healthy',
      over: 'Healthy',
      misspelt: 'Degraded',
      unlicensed: 'Suspended',
      wrong: 'Degraded',
      default: 'Healthy',
      other: 'Degraded',
    };
    const found = (): Record<string, string> => {
      const all = objects();
      const names = all.map((object) => String(Object(object).metadata.name));
      return Object.fromEntries(healthOf(all).map((said, index) => [names[index] ?? '', said.split(':')[0] ?? '']));
    };
    await stage.until(
      'as wanted',
      () => JSON.stringify(Object.entries(found()).sort()) === JSON.stringify(Object.entries(wanted).sort()),
      found,
    );
    assert.deepEqual(found(), wanted);
  } finally {
    await stage.stop();
  }
});

test('nothing read yet, and a change not read yet, are in progress', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Accepted', message: 'Fine.' };
  const at = (generation: number, status?: object): object => ({
    ...{ kind: 'Silence', metadata: { name: 'x', generation } },
    ...(status && { status }),
  });
  assert.deepEqual(
    healthOf([
      at(1),
      at(1, {}),
      at(2, { observedGeneration: 1, conditions: [ready] }),
      at(1, { observedGeneration: 1, conditions: [ready] }),
    ]).map((said) => said.split(':')[0]),
    ['Progressing', 'Progressing', 'Progressing', 'Healthy'],
  );
});

test('every documented reason of every condition has a health, and what must be acted on is never healthy', () => {
  const cases = kindNames.flatMap((kind) =>
    Object.entries(conditionReasons[kind]).flatMap(([type, reasons]) =>
      (reasons as readonly string[]).flatMap((reason) =>
        ['True', 'False', 'Unknown'].map((status) => ({ kind, type, reason, status })),
      ),
    ),
  );
  const said = healthOf(
    cases.map(({ kind, type, reason, status }) => ({
      ...{ kind, metadata: { name: 'x', generation: 1 } },
      status: {
        observedGeneration: 1,
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Accepted', message: 'Fine.' },
          { type, status, reason, message: 'So it is.' },
        ],
      },
    })),
  );
  assert.equal(said.length, cases.length);
  for (const [index, { type, status }] of cases.entries()) {
    assert.match(said[index] ?? '', /^(?:Healthy|Degraded|Progressing|Suspended): (?:Fine|So it is)\.$/);
    if (type === 'Stalled' && status === 'True') assert.match(said[index] ?? '', /^Degraded: So it is/);
  }
});
