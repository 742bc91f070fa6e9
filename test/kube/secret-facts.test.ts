import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { withoutSecretData, withoutSecretValues } from '../../src/kube/secret-facts.ts';
import type { RawObject } from '../../src/model/raw-object.ts';

const day = 24 * 3_600_000;
const now = Date.parse('2026-03-01T00:00:00Z');
const authority = createAuthority('Test CA', now);
const issued = (commonName: string, days: number) =>
  authority.sign({
    commonName,
    names: [commonName, `www.${commonName}`],
    notBefore: now - day,
    notAfter: now + days * day,
  });

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (chain: string, key: string, metadata: object = {}): RawObject => ({
  ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls' },
  metadata: { namespace: 'shop', name: 'web', uid: 'u1', creationTimestamp: '2026-02-01T00:00:00Z', ...metadata },
  data: { 'tls.crt': base64(chain), 'tls.key': base64(key), 'ca.crt': base64(authority.certificate) },
});
const factsOf = (chain: string, key: string) => withoutSecretData(secret(chain, key)).tls as Record<string, unknown>;

test('every certificate of a chain is described, and whether the key is that of the first', () => {
  const [leaf, between] = [issued('web.example', 60), issued('Intermediate', 5)];
  const facts = factsOf(`${leaf.certificate}${between.certificate}${authority.certificate}`, leaf.key);
  const certificates = facts.certificates as Record<string, unknown>[];
  assert.deepEqual(
    certificates.map(({ subject, issuer, isSelfIssued }) => [subject, issuer, isSelfIssued]),
    [
      ['web.example', 'Test CA', false],
      ['Intermediate', 'Test CA', false],
      ['Test CA', 'Test CA', true],
    ],
  );
  const [first] = certificates;
  assert.deepEqual(
    [first?.names, first?.notBefore, first?.notAfter],
    [['web.example', 'www.web.example'], now - day, now + 60 * day],
  );
  assert.match(String(first?.id), /^[0-9a-f]{16}$/);
  assert.deepEqual([facts.unreadable, facts.isEmpty, facts.isPair], [0, false, true]);
});

test('the key of another certificate is no pair; one that cannot be read tells nothing', () => {
  const leaf = issued('web.example', 60);
  assert.equal(factsOf(leaf.certificate, issued('web.example', 60).key).isPair, false);
  const encrypted = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  }).privateKey;
  for (const key of ['', 'no key', encrypted, leaf.key.slice(0, 80), `${leaf.key}${' '.repeat(64 * 1024)}`])
    assert.equal('isPair' in factsOf(leaf.certificate, key), false, key.slice(0, 40));
});

test('what is no certificate is counted, nothing is thrown, and no more than twenty are looked at', () => {
  const { certificate, key } = issued('web.example', 60);
  const broken = certificate.replace(/\n(.{20})/, '\nAAAAAAAAAAAAAAAAAAAA');
  assert.equal(factsOf(`${certificate}${broken}`, key).unreadable, 1);
  assert.deepEqual(factsOf('', key), { certificates: [], unreadable: 0, isEmpty: true });
  assert.deepEqual(factsOf('hello', key), { certificates: [], unreadable: 0, isEmpty: false });
  const certificates = factsOf(certificate.repeat(30), key).certificates as unknown[];
  assert.equal(certificates.length, 20);
  for (const data of [undefined, null, 'x', { 'tls.crt': 1, 'tls.key': {} }])
    assert.deepEqual(withoutSecretData({ metadata: { name: 'odd' }, data }).tls, {
      ...{ certificates: [], unreadable: 0, isEmpty: true },
    });
});

test('nothing of the key, of other data or of what copies them is kept, whatever the Secret looks like', () => {
  const { certificate, key } = issued('web.example', 60);
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(secret(certificate, key)),
    'cert-manager.io/certificate-name': 'web',
  };
  const managedFields = [{ manager: 'kubectl', note: base64(key) }];
  for (const [chain, written] of [
    [certificate, key],
    [key, key],
    [`${certificate}${key}`, 'x'],
    ['', key],
  ] as const) {
    const raw = { ...secret(chain, written, { annotations, managedFields }), stringData: { 'tls.key': key } };
    const kept = JSON.stringify(withoutSecretData(raw));
    for (const line of key.trim().split('\n')) assert.ok(!kept.includes(line), 'a line of the key');
    const encoded = base64(key);
    for (let at = 0; at + 12 <= encoded.length; at += 4) assert.ok(!kept.includes(encoded.slice(at, at + 12)));
    assert.deepEqual(withoutSecretData(raw).metadata.annotations, { 'cert-manager.io/certificate-name': 'web' });
  }
});

test('of the metadata of a Secret who wrote which keys is kept, and no annotation that may hold what is in them', () => {
  const managedFields = [{ manager: 'kubectl', time: '2026-02-01T00:00:00Z', fieldsV1: { 'f:data': { 'f:key': {} } } }];
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"key":"Y2FuYXJ5"}}',
    'meta.helm.sh/release-name': 'shop',
    'example.com/note': 'Y2FuYXJ5',
  };
  const kept = withoutSecretValues(secret('Y2FuYXJ5', 'Y2FuYXJ5', { managedFields, annotations }));
  assert.deepEqual(kept.metadata.managedFields, managedFields);
  assert.deepEqual(kept.metadata.annotations, { 'meta.helm.sh/release-name': 'shop' });
  assert.ok(!JSON.stringify(kept).includes('Y2FuYXJ5'));
});
