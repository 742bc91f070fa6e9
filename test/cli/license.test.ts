import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../src/cli/command.ts';
import { type IssueArguments, issue } from '../../src/cli/license/issue.ts';
import { keygen } from '../../src/cli/license/keygen.ts';
import { type ShowArguments, show } from '../../src/cli/license/show.ts';
import { bakedKeys } from '../../src/cli/license-keys.ts';
import { main } from '../../src/cli/program.ts';
import { printed } from './streams.ts';

const folder = await mkdtemp(join(tmpdir(), 'tocsin-license-'));
after(() => rm(folder, { recursive: true }));
const now = Date.parse('2026-11-20T09:00:00Z');
const keyFile = join(folder, 'key.json');
const keysFile = join(folder, 'keys.json');
const made = await printed((streams) => keygen({ id: '2026-a', out: keyFile }, streams));
await writeFile(keysFile, `{"keys": [${made.out}]}`);

const issued = (asked: Partial<IssueArguments> = {}) =>
  printed((streams) =>
    issue(
      { key: keyFile, licensee: 'Example Ltd', expires: new Date('2027-12-31T00:00:00Z'), output: 'text', ...asked },
      streams,
      now,
    ),
  );
const shown = (text: string, asked: Partial<ShowArguments> = {}, at = now) =>
  printed((streams) => show({ file: '-', keys: keysFile, output: 'text', ...asked }, streams, at), text);

test('keygen: the private half is for its owner alone and is not printed; the public half is', async () => {
  const { d, ...others } = JSON.parse(await readFile(keyFile, 'utf8'));
  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(made.out), others);
  assert.ok(typeof d === 'string' && !made.out.includes(d) && !made.err.includes(d));
  assert.match(made.err, /Add the public half to the "keys" of config\/license-keys\.json/);
});

test('keygen: no key is overwritten, no ID is taken that could not stand in a message, and - prints the private half', async () => {
  const before = await readFile(keyFile, 'utf8');
  const again = (id: string, out: string) => printed((streams) => keygen({ id, out }, streams));
  await assert.rejects(again('2026-b', keyFile), /exists, and no key is overwritten/);
  assert.equal(await readFile(keyFile, 'utf8'), before);
  await assert.rejects(again('a key', join(folder, 'other.json')), UsageError);
  await assert.rejects(again('a', join(folder, 'nowhere', 'key.json')), /cannot write/);
  assert.ok('d' in JSON.parse((await again('a', '-')).out));
});

test('a licence goes round: issued, shown, as itself and in the manifest of its Secret', async () => {
  const token = await issued({ cluster: ['c1', 'c2'], begins: new Date('2026-11-01T00:00:00Z') });
  const manifest = await issued({ output: 'manifest', cluster: ['c1', 'c2'] });
  for (const given of [token.out, manifest.out]) {
    const { code, out } = await shown(given);
    assert.equal(code, 0);
    assert.match(out, /^Licensee {2}Example Ltd\nEdition {3}Pro\nIssued {4}2026-11-20T09:00:00Z\n/);
    assert.match(out, /\nExpires {3}2027-12-31T00:00:00Z\nClusters {2}c1, c2\nKey {7}2026-a\n/);
    assert.match(
      out,
      /\nPro is licensed to Example Ltd until 2027-12-31\.\nIt gives more than one active AlertProvider, /,
    );
  }
  const encoded = manifest.out.replace(/stringData:\n {2}license: (.*)/, (_, text: string) => {
    return `data:\n  license: ${Buffer.from(`${text}\n`).toString('base64')}`;
  });
  assert.equal((await shown(encoded)).code, 0);
});

test('show: what a licence gives where and when, by its exit code and for programs', async () => {
  const { out } = await issued({ cluster: ['c1'] });
  const cases: readonly (readonly [Partial<ShowArguments>, string, number, string])[] = [
    [{}, '2026-11-20T09:00:00Z', 0, 'Valid'],
    [{ cluster: 'c1' }, '2026-11-20T09:00:00Z', 0, 'Valid'],
    [{ cluster: 'c2' }, '2026-11-20T09:00:00Z', 1, 'WrongCluster'],
    [{}, '2028-01-05T00:00:00Z', 0, 'GracePeriod'],
    [{}, '2028-02-01T00:00:00Z', 1, 'Expired'],
  ];
  for (const [asked, at, code, state] of cases) {
    const said = await shown(out, { ...asked, output: 'json' }, Date.parse(at));
    assert.equal(said.code, code);
    assert.equal(JSON.parse(said.out).state, state);
  }
  const broken = await shown(`${out.trim().slice(0, -4)}AAAA`, { output: 'json' });
  assert.deepEqual([broken.code, JSON.parse(broken.out).state], [1, 'BadSignature']);
  const strange = await printed((streams) => show({ file: '-', output: 'text' }, streams, now), out);
  assert.equal(strange.code, 1, 'this build knows no keys');
  assert.match(strange.out, /which this build of Tocsin does not know/);
});

test('what is called wrongly is said so, and nothing of a key is quoted', async () => {
  const open = join(folder, 'open.json');
  await writeFile(open, await readFile(keyFile));
  await chmod(open, 0o644);
  await assert.rejects(issued({ key: open }), /others may read the key .* chmod 600/);
  const mangled = join(folder, 'mangled.json');
  await writeFile(mangled, '{"kid":"a","d":"SECRETSECRET"', { mode: 0o600 });
  await assert.rejects(
    issued({ key: mangled }),
    (error) => error instanceof UsageError && !/SECRET/.test(error.message),
  );
  await assert.rejects(issued({ key: join(folder, 'none') }), /cannot read the key/);
  await assert.rejects(issued({ expires: new Date('2026-01-01T00:00:00Z') }), /must expire in the future/);
  await assert.rejects(issued({ licensee: '' }), /nothing is issued: `licensee`/);
  await assert.rejects(shown('kind: ConfigMap\n'), /a manifest of one Secret/);
  await assert.rejects(shown('kind: Secret\nstringData: {a: x, b: y}\n'), /has no key "license"/);
  await assert.rejects(shown('x', { keys: keyFile }), /is not a JSON Web Key Set|not a JSON Web Key Set/);
});

test('this repository accepts nobody’s licences', () => {
  assert.equal(bakedKeys().size, 0);
});

test('a day that does not exist is no expiry', async () => {
  const asked = ['license', 'issue', '--key', keyFile, '--licensee', 'Example Ltd', '--expires', '2027-02-30'];
  const { write } = process.stderr;
  const said: string[] = [];
  process.stderr.write = (text) => said.push(String(text)) > 0;
  try {
    assert.equal(await main(asked), 2);
  } finally {
    process.stderr.write = write;
  }
  assert.match(said.join(''), /"2027-02-30" is not an instant/);
});
