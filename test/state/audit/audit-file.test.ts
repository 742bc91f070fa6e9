import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { test } from 'node:test';
import { AuditFile } from '../../../src/state/audit/audit-file.ts';
import { lineOf } from '../../../src/state/audit/entries.ts';
import { auditFolder, brief, faultyDisk, lines } from './stage.ts';

const repaired = (torn: string) => lineOf('r1', 0, { kind: 'repaired', time: '2026-11-20T09:00:00.000Z', torn });
const numbers = (first: number, count: number): readonly string[] =>
  lines(first, count).map((_, index) => `i${first + index}`);

test('lines are appended in order to a file that its group may read and nobody else', async () => {
  using folder = auditFolder();
  const file = new AuditFile(folder.path, { repaired });
  await file.append(lines(1, 3));
  await file.append(lines(4, 2));
  await file.close();
  assert.deepEqual(folder.texts().map(brief), numbers(1, 5));
  assert.equal(statSync(folder.path).mode & 0o777, 0o640);
});

test('a line that was torn is cut off and told, and a file of zeros is begun anew', async () => {
  using folder = auditFolder();
  for (const [torn, says] of [
    ['{"log":"audit","version":1,"run":"x', '{"log":"audit","version":1,"run":"x'],
    ['\0\0\0\0', ''],
  ] as const) {
    appendFileSync(folder.path, torn);
    const file = new AuditFile(folder.path, { repaired });
    await file.append(lines(1, 1, `after${says.length}`));
    await file.close();
    assert.equal(JSON.parse(folder.texts().at(-2) ?? '').torn, says);
  }
  assert.deepEqual(folder.texts().map(brief), ['repaired', 'i1', 'repaired', 'i1']);
});

test('lines that the file holds are passed over when they come again, whatever was torn after them', async () => {
  using folder = auditFolder();
  const before = new AuditFile(folder.path, { repaired });
  await before.append(lines(1, 3));
  await before.close();
  const [, , , fourth] = lines(1, 4);
  appendFileSync(folder.path, fourth?.text.slice(0, 40) ?? '');
  const after = new AuditFile(folder.path, { repaired });
  await after.append(lines(2, 3));
  await after.close();
  assert.deepEqual(folder.texts().map(brief), numbers(1, 4));
});

test('a file that was moved or deleted underneath is made anew, and one that was emptied goes on', async () => {
  using folder = auditFolder();
  const file = new AuditFile(folder.path, { repaired });
  await file.append(lines(1, 2));
  renameSync(folder.path, folder.at(7));
  await file.append(lines(3, 1));
  unlinkSync(folder.path);
  await file.append(lines(4, 1));
  truncateSync(folder.path);
  await file.append(lines(5, 1));
  await file.close();
  assert.deepEqual(folder.texts().map(brief), ['i1', 'i2', 'i5']);
});

test('it is rotated by size, and of the rotated files five are kept', async () => {
  using folder = auditFolder();
  const file = new AuditFile(folder.path, { repaired, maxBytes: 1_000 });
  for (let number = 1; number <= 40; number += 1) await file.append(lines(number, 1));
  await file.close();
  const kept = folder.texts().map(brief);
  assert.deepEqual(kept, numbers(41 - kept.length, kept.length));
  assert.ok(statSync(folder.at(5)).size <= 1_000);
  assert.throws(() => statSync(folder.at(6)), /ENOENT/);
});

test('what a full disk took a part of is whole and there once when there is room again', async () => {
  using folder = auditFolder();
  const disk = faultyDisk();
  const file = new AuditFile(folder.path, { repaired, files: disk });
  await file.append(lines(1, 2));
  for (const writesBytes of [0, 10, 500, 700]) {
    Object.assign(disk, { failWith: 'ENOSPC', writesBytes });
    await assert.rejects(file.append(lines(3, 3)), /ENOSPC/);
  }
  disk.failWith = undefined;
  await file.append(lines(3, 3));
  await file.close();
  assert.deepEqual(folder.texts().map(brief), numbers(1, 5));
});

test('after a synchronization that failed the file is set aside and the lines are written again', async () => {
  using folder = auditFolder();
  const disk = faultyDisk();
  const file = new AuditFile(folder.path, { repaired, files: disk });
  await file.append(lines(1, 1));
  disk.failSyncWith = 'EIO';
  await assert.rejects(file.append(lines(2, 1)), /EIO/);
  disk.failSyncWith = undefined;
  await file.append(lines(2, 2));
  await file.close();
  assert.deepEqual(readFileSync(folder.path, 'utf8').trim().split('\n').map(brief), ['i2', 'i3']);
});

test('nothing but an audit log is appended to: no database, no link, no folder, no pipe', async () => {
  using folder = auditFolder();
  const refuse = async (index: number, why: RegExp): Promise<void> => {
    const file = new AuditFile(folder.at(index), { repaired });
    await assert.rejects(file.append(lines(1, 1)), why);
  };
  writeFileSync(folder.at(1), 'SQLite format 3\0');
  await refuse(1, /holds something else/);
  assert.equal(readFileSync(folder.at(1), 'utf8'), 'SQLite format 3\0');
  writeFileSync(folder.at(2), '');
  symlinkSync(folder.at(2), folder.at(3));
  await refuse(3, /ELOOP/);
  mkdirSync(folder.at(4));
  await refuse(4, /EISDIR/);
  execFileSync('sh', ['-c', 'mkfifo "$0"', folder.at(5)]);
  await refuse(5, /no regular file/);
});
