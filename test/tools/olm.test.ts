import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prepareServer } from '../servers/build.ts';

const bundle = join(import.meta.dirname, '../../config/olm');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-olm-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let verify: string;
before(async () => {
  verify = join(await prepareServer('operator-verify'), 'operator-verify');
});

/** What the Operator Framework says of a folder of manifests: one line each. */
function complaints(manifests: string): readonly string[] {
  const { stdout, stderr } = spawnSync(verify, ['manifests', manifests, '--object_validate'], { encoding: 'utf8' });
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}

test('the Operator Framework finds nothing wrong with the bundle', () => {
  assert.deepEqual(complaints(join(bundle, 'manifests')), []);
});

test('it does look: a kind without its definition, and a wrong field, are found', () => {
  cpSync(join(bundle, 'manifests'), folder, { recursive: true });
  rmSync(join(folder, 'tocsin.dev_silences.yaml'));
  assert.match(complaints(folder).join('\n'), /Kind=Silence.*not found/);
  const file = join(folder, 'tocsin.clusterserviceversion.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('minKubeVersion: 1.29.0', 'minKubeVersion: soon'));
  assert.match(complaints(folder).join('\n'), /minKubeVersion|soon/i);
});
