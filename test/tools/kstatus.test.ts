import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { conditionReasons } from '../../src/api/conditions.ts';
import { apiVersion, group, kindNames, kinds } from '../../src/api/group.ts';
import { address, hasStarted, hasty, startStage, webhook } from '../runtime/stage.ts';
import { prepareServer } from '../servers/build.ts';

let kstatus: string;
before(async () => {
  kstatus = join(await prepareServer('kstatus'), 'kstatus');
});

/** What kstatus makes of objects, which is what Flux and `kubectl` apply sets wait for: `Status: message`, in their order. */
function read(objects: readonly unknown[]): readonly string[] {
  const input = objects.map((object) => `${JSON.stringify(object)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(kstatus, { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

const statusOf = (said: string | undefined): string => said?.split(':')[0] ?? '';

const tocsin = (kind: string, name: string, spec: object): object => ({
  ...{ apiVersion, kind, metadata: { name, namespace: 'tocsin' }, spec },
});

test('of what a running operator says of its objects, each is as Flux should take it', async () => {
  const stage = await startStage({});
  try {
    await stage.create(
      ...[hasty, address('chat', stage.receiver.url), webhook('chat'), webhook('without-secret')],
      tocsin('Silence', 'works', { selector: { names: ['x'] }, durationSeconds: 3600 }),
      tocsin('Silence', 'over', { selector: { names: ['x'] }, endsAt: '2020-01-01T00:00:00Z' }),
      tocsin('Silence', 'misspelt', { selector: { reasons: ['CrashLoopBackof'] }, durationSeconds: 3600 }),
      tocsin('MaintenanceWindow', 'wrong', { selector: { names: ['x'] }, schedule: 'sometimes', durationSeconds: 60 }),
      tocsin('AlertConfig', 'other', {}),
    );
    await stage.until('ready', () => hasStarted(stage));
    const objects = (): readonly unknown[] =>
      kindNames.flatMap((kind) => [...stage.sandbox.objects.list(`${kinds[kind].plural}.${group}`)] as unknown[]);
    const wanted: Readonly<Record<string, string>> = {
      chat: 'Current',
      'without-secret': 'Failed',
      works: 'Current',
      over: 'Current',
      misspelt: 'Failed',
      wrong: 'Failed',
      default: 'Current',
      other: 'Failed',
    };
    const found = (): Record<string, string> => {
      const all = objects();
      const said = read(all);
      return Object.fromEntries(all.map((object, index) => [Object(object).metadata.name, statusOf(said[index])]));
    };
    const sorted = (record: object): string => JSON.stringify(Object.entries(record).sort());
    await stage.until('as wanted', () => sorted(found()) === sorted(wanted), found);
    assert.deepEqual(found(), wanted);
  } finally {
    await stage.stop();
  }
});

/** An object whose status was read, with conditions of its own. */
const withConditions = (kind: string, conditions: readonly object[], observed = 2): object => ({
  ...{ apiVersion, kind, metadata: { name: 'x', namespace: 'tocsin', generation: 2 } },
  status: { observedGeneration: observed, conditions },
});
const condition = (type: string, status: string, reason: string): object => ({
  type,
  status,
  reason,
  message: 'So it is.',
});
const ready = condition('Ready', 'True', 'Accepted');

test('a change that was not read yet, and work that goes on, are in progress; what a human must mend has failed', () => {
  for (const kind of kindNames) {
    const cases = [
      [withConditions(kind, [ready], 1), 'InProgress'],
      [
        withConditions(kind, [condition('Ready', 'Unknown', 'Pending'), condition('Reconciling', 'True', 'Waiting')]),
        'InProgress',
      ],
      [
        withConditions(kind, [condition('Ready', 'False', 'Invalid'), condition('Stalled', 'True', 'InvalidSpec')]),
        'Failed',
      ],
      [withConditions(kind, [ready, condition('Stalled', 'False', 'NotStalled')]), 'Current'],
    ] as const;
    assert.deepEqual(
      read(cases.map(([object]) => object)).map(statusOf),
      cases.map(([, status]) => status),
      kind,
    );
  }
});

test('every documented reason of every condition is read without an error, and only Ready, Reconciling and Stalled decide', () => {
  const cases = kindNames.flatMap((kind) =>
    Object.entries(conditionReasons[kind]).flatMap(([type, reasons]) =>
      (reasons as readonly string[]).flatMap((reason) =>
        ['True', 'False', 'Unknown'].map((status) => ({ kind, type, reason, status })),
      ),
    ),
  );
  const said = read(
    cases.map(({ kind, type, reason, status }) =>
      withConditions(kind, [...(type === 'Ready' ? [] : [ready]), condition(type, status, reason)]),
    ),
  );
  assert.equal(said.length, cases.length);
  for (const [index, { kind, type, reason, status }] of cases.entries()) {
    const wanted =
      type === 'Stalled' && status === 'True'
        ? 'Failed'
        : (type === 'Reconciling' && status === 'True') || (type === 'Ready' && status !== 'True')
          ? 'InProgress'
          : 'Current';
    assert.equal(statusOf(said[index]), wanted, `${kind} ${type}=${status} ${reason}`);
  }
});
