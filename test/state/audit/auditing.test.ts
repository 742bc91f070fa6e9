import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { auditSchema } from '../../../scripts/generate/audit-schema.ts';
import type { Edition } from '../../../src/model/edition.ts';
import type { Memo } from '../../../src/model/memo.ts';
import { AuditFile, type AuditSink } from '../../../src/state/audit/audit-file.ts';
import { auditOutput } from '../../../src/state/audit/audit-output.ts';
import { Auditing } from '../../../src/state/audit/auditing.ts';
import { decisionEntry, deliveryEntry } from '../../../src/state/audit/entries.ts';
import { virtualClock } from '../../delivery/clock.ts';
import { fc } from '../../fast-check.ts';
import { auditFolder, brief, type Disk, entry, faultyDisk } from './stage.ts';

const provider = 'tocsin.dev/AlertProvider/tocsin/oncall' as const;

type Options = ConstructorParameters<typeof Auditing>[0];

/** An audit log with a clock of its own, and what the store remembers of it. */
function auditing(
  more: { readonly disk?: Disk; readonly run?: string; readonly maxBytes?: number } & Partial<Options> = {},
) {
  const { disk = faultyDisk(), run = 'r', maxBytes, ...options } = more;
  const clock = virtualClock();
  const memos = new Map<string, Memo>();
  const counted = { written: 0, lost: 0 };
  const told: (string | undefined)[] = [];
  const state = { held: true };
  const audit = new Auditing({
    ...{ clock, run, about: { tocsin: '1.2.3', cluster: 'c' } },
    holdsLock: () => state.held,
    committed: () => undefined,
    sink: (path, repaired) =>
      new AuditFile(path, { repaired, files: disk, ...(maxBytes !== undefined && { maxBytes }) }),
    count: (outcome, lines) => {
      counted[outcome] += lines;
    },
    changed: (_path, failure) => told.push(failure),
    ...options,
  });
  /** One turn: what is recorded, and saved with it. */
  const record = (...numbers: readonly number[]): void => {
    for (const memo of audit.record(numbers.map((number) => entry(number))))
      if (memo.value === undefined) memos.delete(memo.key);
      else memos.set(memo.key, memo);
  };
  const on = (path: string, edition: Edition = 'Pro'): void => audit.configure({ enabled: true, path }, edition);
  return { audit, clock, memos, counted, told, state, disk, record, on };
}
/** The real file system takes real time: waits until lines are written or `check` says so. */
async function until(clock: ReturnType<typeof virtualClock>, check: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let round = 0; (round < 500 || performance.now() < deadline) && !check(); round += 1) {
    // A slow disk is waited for; the clock of the test stands still meanwhile.
    if (round < 500) await clock.advance(100);
    await new Promise((resolve) => setTimeout(resolve, round < 500 ? 0 : 20));
  }
  assert.ok(check());
}

const validate = new Ajv({ strict: true, allErrors: true });
addFormats.default(validate);
const isLine = validate.compile(auditSchema(true));

test('every decision is one line, in order, and each line is as the published schema says', async () => {
  using folder = auditFolder();
  const { audit, clock, counted, record, on } = auditing();
  on(folder.path);
  record(1, 2);
  record(3);
  const report = {
    ...{ delivery: 'd', stream: 'i1', provider, providerUid: 'u', act: 'open' as const },
    ...{ attempts: 2, mayHaveArrived: false, sequence: 1, durationMs: 12, at: clock.now() },
  } as const;
  const failure = { class: 'permanent', code: 'AuthFailed', message: 'the token is refused' } as const;
  const ends = [
    deliveryEntry({ ...report, ended: 'pending', failure }),
    deliveryEntry({ ...report, ended: 'failed', failure }),
  ];
  audit.record(ends.filter((end) => end !== undefined));
  audit.lock(false);
  audit.lock(true);
  await until(clock, () => counted.written === 7);
  const stopping = audit.stop();
  await until(clock, () => counted.written === 8);
  await clock.advance(10_000);
  await stopping;
  const texts = folder.texts();
  assert.deepEqual(texts.map(brief), [
    'started',
    'i1',
    'i2',
    'i3',
    'delivery',
    'lock false',
    'lock true',
    'stopped Stopping',
  ]);
  for (const text of texts) assert.ok(isLine(JSON.parse(text)), `${text}: ${JSON.stringify(isLine.errors)}`);
  assert.deepEqual(
    texts.map((text) => JSON.parse(text).sequence),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('without a licence nothing is written, and a licence that comes or goes begins and ends it', async () => {
  using folder = auditFolder();
  const { audit, clock, counted, record, on } = auditing();
  on(folder.path, 'Community');
  record(1);
  assert.deepEqual([audit.view().licensed, counted], [false, { written: 0, lost: 0 }]);
  on(folder.path);
  record(2);
  await until(clock, () => counted.written === 2);
  on(folder.path, 'Community');
  record(3);
  await until(clock, () => counted.written === 3);
  assert.deepEqual(folder.texts().map(brief), ['started', 'i2', 'stopped NotLicensed']);
});

test('while the disk is full decisions are held and said to be; once there is room all are there, in order', async () => {
  using folder = auditFolder();
  const { audit, clock, counted, told, disk, record, on } = auditing();
  on(folder.path);
  record(1);
  await until(clock, () => counted.written === 2);
  Object.assign(disk, { failWith: 'ENOSPC', writesBytes: 100 });
  record(2);
  await until(clock, () => audit.view().failure !== undefined);
  assert.match(audit.view().failure ?? '', /the volume is full/);
  record(3, 4);
  disk.failWith = undefined;
  await until(clock, () => counted.written === 5);
  assert.equal(audit.view().failure, undefined);
  assert.deepEqual([told.length, counted.lost], [2, 0]);
  assert.deepEqual(folder.texts().map(brief), ['started', 'i1', 'i2', 'i3', 'i4']);
});

test('what finds no room in memory is counted, and the line that says so stands where the others are missing', async () => {
  using folder = auditFolder();
  const { audit, clock, counted, disk, memos, on } = auditing();
  on(folder.path);
  await until(clock, () => counted.written === 1);
  disk.failWith = 'EROFS';
  const big = Array.from({ length: 12_000 }, (_, number) => entry(number, 'x'.repeat(800)));
  for (const memo of audit.record(big)) memos.set(memo.key, memo);
  assert.ok(counted.lost > 1_000, String(counted.lost));
  assert.ok([...memos.values()].reduce((sum, { value }) => sum + JSON.stringify(value).length, 0) < 10 * 1024 * 1024);
  const { lost } = counted;
  disk.failWith = undefined;
  await until(clock, () => counted.written >= 12_002 - lost);
  audit.record([entry(99_999)]);
  await until(clock, () => counted.written === 12_003 - lost);
  const briefs = folder.texts().map(brief);
  assert.deepEqual(briefs.slice(-3), [`i${11_999 - lost}`, `gap ${lost}`, 'i99999']);
  const sequences = folder.texts().map((text): number => JSON.parse(text).sequence);
  assert.equal(sequences.at(-2), 12_002);
});

test('a disk that hangs holds nothing up: it is said after 30 s, and another path gets what was not written', async () => {
  using folder = auditFolder();
  let hangs = true;
  const hanging: AuditSink = { append: () => new Promise(() => undefined), close: () => new Promise(() => undefined) };
  const files = faultyDisk();
  const { audit, clock, counted, record, on } = auditing({
    sink: (path, repaired) => (hangs ? hanging : new AuditFile(path, { repaired, files })),
  });
  on('/hangs');
  record(1);
  await clock.advance(20_000);
  assert.equal(audit.view().failure, undefined);
  await clock.advance(11_000);
  assert.match(audit.view().failure ?? '', /does not answer/);
  record(2);
  hangs = false;
  on(folder.path);
  record(3);
  await until(clock, () => counted.written === 6);
  assert.deepEqual(folder.texts().map(brief), ['started', 'i1', 'i2', 'stopped Moved', 'started', 'i3']);
});

test('without the lock nothing is written: the lines wait until it is held again', async () => {
  using folder = auditFolder();
  const { audit, clock, counted, state, record, on } = auditing();
  on(folder.path);
  await until(clock, () => counted.written === 1);
  state.held = false;
  audit.lock(false);
  record(1);
  await clock.advance(60_000);
  assert.deepEqual(folder.texts().map(brief), ['started']);
  state.held = true;
  audit.lock(true);
  await until(clock, () => counted.written === 4);
  assert.deepEqual(folder.texts().map(brief), ['started', 'lock false', 'i1', 'lock true']);
});

test('standard output gets the same lines, each marked as none of the log', async () => {
  const texts: string[] = [];
  const output = auditOutput({
    write: (text, written) => {
      texts.push(...text.trimEnd().split('\n'));
      written();
    },
  });
  const { clock, counted, record, on } = auditing({ sink: () => output });
  on('-');
  record(1, 2);
  await until(clock, () => counted.written === 3);
  assert.deepEqual(texts.map(brief), ['started', 'i1', 'i2']);
  for (const text of texts) assert.match(text, /^\{"log":"audit","version":1,/);
});

test('no secret of a trace or of a failure is written', () => {
  const canary = `ghp_${'a1B2'.repeat(9)}`;
  const decided = decisionEntry({
    ...{ time: '2026-11-20T09:00:00.000Z', incident: 'i', action: 'open', from: null, to: 'Open', audience: '' },
    ...{ disposition: 'Delivered', reasonCode: 'Settled', root: 'Deployment/shop/api', reason: 'CrashLoopBackOff' },
    ...{ severity: 'high', confidence: 'high', affected: 1 },
    trace: [{ rule: 'own', about: 'Deployment/shop/api', says: `token ${canary}` }],
  });
  const ended = deliveryEntry({
    ...{
      delivery: 'd',
      stream: 'i1',
      provider: 'AlertProvider/tocsin/a',
      providerUid: 'u',
      act: 'open',
      ended: 'failed',
    },
    ...{ attempts: 2, mayHaveArrived: false, sequence: 1, durationMs: 12, at: 0 },
    failure: { class: 'permanent', code: 'AuthFailed', message: `Authorization: Bearer ${canary}` },
  });
  for (const each of [decided, ended]) assert.doesNotMatch(JSON.stringify(each), new RegExp(canary));
});

test('property: whatever fails, and wherever the process ends, each saved decision is there once and in order', async () => {
  const act = fc.oneof(
    { weight: 6, arbitrary: fc.constant('decide' as const) },
    { weight: 3, arbitrary: fc.constant('wait' as const) },
    { weight: 2, arbitrary: fc.constant('kill' as const) },
    { weight: 2, arbitrary: fc.constant('fill' as const) },
    { weight: 2, arbitrary: fc.constant('mend' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), fc.integer({ min: 0, max: 900 }), async (acts, writesBytes) => {
      using folder = auditFolder();
      let disk = faultyDisk();
      let saved: readonly Memo[] = [];
      let runs = 0;
      let number = 0;
      const start = () => {
        runs += 1;
        const { failWith } = disk;
        disk = Object.assign(faultyDisk(), { failWith, writesBytes });
        const made = auditing({ disk, run: `r${runs}`, maxBytes: 20_000 });
        made.audit.restore(saved);
        for (const memo of saved) made.memos.set(memo.key, memo);
        made.on(folder.path);
        return made;
      };
      let now = start();
      for (const each of acts) {
        if (each === 'decide') {
          number += 1;
          now.record(number);
        } else if (each === 'wait') await now.clock.advance(1_500);
        else if (each === 'fill') disk.failWith = 'ENOSPC';
        else if (each === 'mend') disk.failWith = undefined;
        else {
          await disk.kill();
          saved = [...now.memos.values()];
          now = start();
        }
      }
      disk.failWith = undefined;
      await now.clock.advance(120_000);
      await until(now.clock, () => now.audit.view().failure === undefined);
      now.record(number + 1);
      await until(now.clock, () => folder.texts().some((text) => brief(text) === `i${number + 1}`));
      const decisions = folder
        .texts()
        .map(brief)
        .filter((text) => /^i\d/.test(text));
      assert.deepEqual(
        decisions,
        Array.from({ length: number + 1 }, (_, index) => `i${index + 1}`),
      );
    }),
    { numRuns: 150 },
  );
});
