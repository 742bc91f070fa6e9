import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('without the binaries and without Go, it says at once what is missing and what to do', () => {
  const empty = mkdtempSync(join(tmpdir(), 'tocsin-nothing-'));
  try {
    const script = join(import.meta.dirname, '../../scripts/controlplane.ts');
    const started = Date.now();
    const env = { PATH: empty, HOME: empty, XDG_CACHE_HOME: empty };
    const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /needs etcd, kube-apiserver, .* kubectl/);
    assert.match(stderr, /Install Go 1\.26 or newer \(https:\/\/go\.dev\/dl\) and run `make controlplane` again/);
    assert.ok(Date.now() - started < 10_000);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});

test('a version that cannot be built is refused, and those that can be are named', () => {
  const script = join(import.meta.dirname, '../../scripts/controlplane.ts');
  const { status, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, KUBERNETES: '1.2' },
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /KUBERNETES=1\.2 cannot be built: name one of 1\.33, 1\.34, 1\.35, 1\.36/);
});
