import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { DirectoryLockState } from '../../src/state/directory-lock.ts';
import { temporaryDirectory, until } from './stage.ts';

/** A process that waits for the lock of a directory. */
type Waiter = { readonly process: ChildProcess; readonly states: DirectoryLockState['is'][] };

function waiter(t: { after(end: () => void): void }, directory: string): Waiter {
  const process = spawn(globalThis.process.execPath, [join(import.meta.dirname, 'lock-holder.ts'), directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => void process.kill('SIGKILL'));
  const states: DirectoryLockState['is'][] = [];
  createInterface({ input: process.stdout }).on('line', (line) => states.push(JSON.parse(line)));
  return { process, states };
}

test('one process has the directory; who waits gets it when that one ends, by kill -9 as well, and not while it is stopped', async (t) => {
  const directory = temporaryDirectory(t);
  const first = waiter(t, directory);
  await until(() => first.states.includes('held'));
  const second = waiter(t, directory);
  await until(() => second.states.includes('busy'));
  first.process.kill('SIGSTOP');
  const third = waiter(t, directory);
  await until(() => third.states.includes('busy'));
  assert.ok(!second.states.includes('held'), 'a stopped process has it still');
  third.process.kill('SIGKILL');
  first.process.kill('SIGKILL');
  await until(() => second.states.includes('held'));
  // Lets it go in order, and goes on living.
  const fourth = waiter(t, directory);
  await until(() => fourth.states.includes('busy'));
  second.process.stdin?.write('release\n');
  await until(() => fourth.states.includes('held'));
  assert.deepEqual([second.states.at(-1), second.process.exitCode], ['released', null]);
  fourth.process.kill('SIGTERM');
  await once(fourth.process, 'exit');
});

test('a directory that cannot be made is unavailable, with the reason', async (t) => {
  const file = join(import.meta.dirname, 'lock.test.ts');
  const { states } = waiter(t, join(file, 'state'));
  await until(() => states.includes('unavailable'));
});
