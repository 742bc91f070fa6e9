import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { nodeOf, platforms, singleBlob, singleExecutable } from '../../scripts/build/single.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-single-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the single executable runs where there is no Node, and calls itself as it was called', async () => {
  const own = Object.keys(platforms).find((platform) => platform === `linux-${process.arch}`) as keyof typeof platforms;
  const blob = await singleBlob(root, folder);
  const program = join(folder, 'kubectl-tocsin');
  singleExecutable(blob, join(nodeOf(own, root, folder), 'bin/node'), program, root);
  const run = (...args: readonly string[]) =>
    spawnSync(program, args, { cwd: root, encoding: 'utf8', env: { PATH: '/nowhere' } });
  assert.deepEqual([run('version').stdout, run('version').stderr], [`${packageJson.version}\n`, '']);
  assert.match(run('--help').stdout, /^Usage: kubectl tocsin /);
  const linted = run('lint', 'config/samples/silence.yaml');
  assert.equal(linted.status, 0, linted.stderr);
  assert.ok(existsSync(join(nodeOf(own, root, folder), 'LICENSE')), 'its licence goes with it');
});
