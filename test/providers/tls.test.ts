/** What is said of certificates and keys, and that no byte of a key is in it. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { Secret } from '../../src/model/secret.ts';
import { isPublic, sentSecrets, tlsOf, tlsProblems } from '../../src/providers/kit/tls.ts';

const now = Date.parse('2026-11-20T09:00:00Z');
const day = 86_400_000;
const authority = createAuthority('Own', now);
const good = authority.sign({ commonName: 'shop' });
const over = authority.sign({ commonName: 'old', notBefore: now - 9 * day, notAfter: now - day });
const early = authority.sign({ commonName: 'new', notBefore: now + 3 * day });
const { privateKey: weak } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const encrypted = weak.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
const broken = good.certificate.replace(/\n.{8}/, '\nAAAAAAAA');

/** What is wrong with these texts. */
function said(texts: Readonly<Record<string, string>>, at = now): string {
  const values = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new Secret(text)]));
  const problems = tlsProblems(values, at);
  for (const { key } of [good, over])
    for (const line of key.split('\n').filter((each) => !each.startsWith('-') && each !== ''))
      assert.ok(!JSON.stringify(problems).includes(line));
  return problems.map(({ field, says, isOver }) => `${field} ${says}${isOver ? ' (over)' : ''}`).join('; ');
}

test('what can be used has no problem', () => {
  assert.equal(said({}), '');
  assert.equal(said({ caBundle: authority.certificate, clientCertificate: good.certificate, clientKey: good.key }), '');
  assert.equal(said({ caBundle: `${over.certificate}\n${authority.certificate}` }), '', 'one of a bundle may be over');
  assert.equal(said({ clientCertificate: `${good.certificate}${authority.certificate}`, clientKey: good.key }), '');
  assert.equal(said({ clientCertificate: good.certificate }), '', 'its key is not known');
});

test('what cannot is named by its field, with what to do', () => {
  const rows: readonly [Readonly<Record<string, string>>, RegExp][] = [
    [{ caBundle: 'https://ca.example/' }, /^caBundle holds no certificate in PEM: it begins with/],
    [{ caBundle: good.key }, /^caBundle holds no certificate in PEM/],
    [{ caBundle: `${authority.certificate}${broken}` }, /^caBundle holds a certificate that cannot be read, number 2/],
    [{ caBundle: over.certificate }, /^caBundle holds a certificate that expired on 2026-11-19: renew it \(over\)$/],
    [{ caBundle: ' '.repeat(600_000) }, /^caBundle is longer than 512 KiB/],
    [
      { clientCertificate: over.certificate, clientKey: over.key },
      /^clientCertificate holds a certificate that expired on 2026-11-19: renew it \(over\)$/,
    ],
    [
      { clientCertificate: early.certificate, clientKey: early.key },
      /^clientCertificate holds a certificate that is not valid before 2026-11-23 \(over\)$/,
    ],
    [
      { clientCertificate: good.certificate, clientKey: over.key },
      /^clientKey is not the key of `clientCertificate`: take both from one Secret$/,
    ],
    [{ clientCertificate: good.certificate, clientKey: 'hunter2' }, /^clientKey holds no private key in PEM/],
    [{ clientCertificate: good.certificate, clientKey: good.certificate }, /^clientKey holds no private key in PEM/],
    [{ clientCertificate: good.certificate, clientKey: encrypted }, /^clientKey is encrypted/],
  ];
  for (const [texts, expected] of rows) assert.match(said(texts), expected);
});

test('a certificate is over once its time has come', () => {
  const soon = authority.sign({ commonName: 'soon', notAfter: now + 60_000 });
  const texts = { clientCertificate: soon.certificate, clientKey: soon.key };
  assert.deepEqual([said(texts), /expired/.test(said(texts, now + 61_000))], ['', true]);
});

test('it is told apart from what requests hold', () => {
  const values = new Map(['url', 'tls.caBundle', 'tls.clientKey'].map((path) => [path, new Secret(path)]));
  assert.deepEqual(Object.keys(tlsOf(values) ?? {}), ['caBundle', 'clientKey']);
  assert.deepEqual(sentSecrets(values), [values.get('url')]);
  assert.equal(tlsOf(new Map()), undefined);
  assert.deepEqual(['tls.caBundle', 'tls.clientCertificate', 'tls.clientKey', 'url'].map(isPublic), [
    ...[true, true, false, false],
  ]);
});
