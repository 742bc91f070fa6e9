import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';

test('an authority signs certificates that Node reads, verifies and matches with their names', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const authority = createAuthority('our-authority', now);
  const signed = authority.sign({
    commonName: 'server',
    organizations: ['one', 'two'],
    addresses: ['127.0.0.1'],
    names: ['localhost', 'kubernetes.default.svc'],
  });
  const root = new X509Certificate(authority.certificate);
  const leaf = new X509Certificate(signed.certificate);
  assert.ok(root.ca && root.verify(root.publicKey), 'the root signs itself');
  assert.ok(!leaf.ca && leaf.verify(root.publicKey) && leaf.checkIssued(root), 'the leaf is signed by the root');
  assert.deepEqual(leaf.subject.split('\n'), ['O=one', 'O=two', 'CN=server']);
  assert.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(leaf.checkHost('kubernetes.default.svc'), 'kubernetes.default.svc');
  assert.equal(leaf.checkHost('example.com'), undefined);
  assert.ok(Date.parse(leaf.validFrom) < now && now + 9 * 365 * 86_400_000 < Date.parse(leaf.validTo));
  assert.notEqual(leaf.serialNumber, root.serialNumber);
});
