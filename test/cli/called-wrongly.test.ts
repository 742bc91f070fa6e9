import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintOf } from './streams.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const called = (...args: readonly string[]): { readonly code: number | null; readonly said: string } => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  return { code: status, said: stderr };
};

test('whoever calls a command wrongly is sent to the help of that command', () => {
  const { code, said } = called('silence', 'ls');
  assert.equal(code, 2);
  assert.match(said, /unknown command 'ls'\n\(run `tocsin silence --help` for what it takes\)/);
  assert.match(called('silence', 'add', '--nope').said, /\(run `tocsin silence add --help` for what it takes\)/);
});

test('an address without http:// is refused with how to write it, and one where nobody answers says what to look at', () => {
  const { code, said } = called('why', 'deployment/shop/api', '--url', 'localhost:8060');
  assert.equal(code, 2);
  assert.match(said, /--url localhost:8060 is no address: write http:\/\/localhost:8060/);
  const silent = called('incidents', '--url', 'http://127.0.0.1:1');
  assert.equal(silent.code, 1);
  assert.match(
    silent.said,
    /Tocsin does not answer at http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\): does it run, .* kubectl get pods -n tocsin/,
  );
});

test('lint says in seconds what somebody wrote as a duration, and shows nobody a long pattern', async () => {
  const manifest = (kind: string, name: string, spec: object): string =>
    JSON.stringify({ apiVersion: 'tocsin.dev/v1beta1', kind, metadata: { name, namespace: 'tocsin' }, spec });
  const silence = await lintOf(['-'], {}, manifest('Silence', 'a', { selector: { names: ['x'] }, duration: '2h' }));
  assert.match(silence.out, /`spec\.duration` is not a field that Tocsin knows; write `durationSeconds`: 7200/);
  const email = { host: 'mail.corp.test', port: 587, from: 'not an address', to: 'a@corp.test' };
  const provider = await lintOf(['-'], {}, manifest('AlertProvider', 'b', { type: 'email', email }));
  assert.match(
    provider.out,
    /`spec\.email\.from` is "not an address", which does not have the form that is asked for: Sender, as an address/,
  );
});
