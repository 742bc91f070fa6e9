import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { buildStateWorker } from '../../scripts/build/state-worker.ts';
import { temporaryDirectory } from './stage.ts';

const root = join(import.meta.dirname, '../..');

test('a bundle finds the thread that saves state beside it', async (t) => {
  const folder = temporaryDirectory(t);
  const program = join(folder, 'program.ts');
  writeFileSync(
    program,
    `import { StateDirectory } from '${root}/src/state/state-directory.ts';
     import { realClock } from '${root}/test/delivery/clock.ts';
     const [, , directory = ''] = process.argv;
     const silent = () => undefined;
     const state = new StateDirectory({
       directory, clock: realClock, onProblem: silent, onAside: silent, onTrimmed: silent,
       onLock: () => void work(), crashed: (error) => { throw error; },
     });
     async function work() {
       if (!state.lock.held) return;
       const found = await state.journal.open();
       console.log(found.is, found.saved.memos.length);
       state.journal.follow({
         isSaved: false, attach: silent, detach: silent,
         changes: () => [{ table: 'memos', key: 'k', position: 1, value: { topic: 't', key: 'k', value: 1 } }],
       });
       await state.close(5000);
       process.exit(0);
     }
     state.lock.acquire();
     setInterval(silent, 1000);`,
  );
  const outfile = join(folder, 'program.mjs');
  await build({ entryPoints: [program], outfile, bundle: true, platform: 'node', target: 'node24', format: 'esm' });
  await buildStateWorker(root, folder);
  // A bundle in a folder of its own is met once: nothing of it is worth keeping compiled.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const run = (): string =>
    execFileSync(process.execPath, [outfile, join(folder, 'state')], { encoding: 'utf8', timeout: 30_000, env });
  assert.equal(run(), 'read 0\n');
  assert.equal(run(), 'read 1\n');
});
