import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';

const main = join(import.meta.dirname, '../../src/main.ts');

test('the demo sets its cluster up, tells what it watches, breaks the first thing, and stops when it is asked to', async () => {
  const demo = spawn(process.execPath, [main, 'demo'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(demo, 'exit');
  let output = '';
  const begun = Promise.withResolvers<undefined>();
  for (const stream of [demo.stdout, demo.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes('A release goes wrong')) begun.resolve(undefined);
    });
  await Promise.race([begun.promise, exited]);
  demo.kill('SIGINT');
  const [code] = await exited;
  assert.equal(code, 0, output);
  assert.match(output, /In a browser, as long as this runs: http:\/\/127\.0\.0\.1:\d+\/status/);
  assert.match(output, /Tocsin .*is watching/);
  assert.match(output, /kubectl -n shop set image deployment\/checkout/);
});
