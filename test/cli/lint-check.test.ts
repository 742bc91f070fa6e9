/** `lint --check` against a real SMTP server, and `lint --cluster` against the simulated API. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createAuthority } from '../../sandbox/certificate.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { crdOf } from '../../src/api/crd.ts';
import { resources } from '../../src/api/resources.ts';
import { lintOf } from './streams.ts';

type Row = { readonly level: string; readonly rule: string; readonly file: string | null; readonly message: string };
const rowsOf = (out: string): readonly Row[] => JSON.parse(out).problems;

describe('--check', () => {
  let server: SMTPServer;
  let port: number;
  let mails = 0;
  before(async () => {
    server = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) =>
        password === 'CANARY-right' ? done(null, { user: username }) : done(new Error('wrong password')),
      onData(stream, _session, done) {
        mails += 1;
        stream.resume();
        stream.on('end', done);
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.server.address() as AddressInfo).port;
  });
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const mail = (extra = '', at = port): string => `apiVersion: tocsin.dev/v1alpha1
kind: AlertProvider
metadata: { name: mail, namespace: tocsin }
spec:
  type: email
  email:
    { host: 127.0.0.1, port: ${at}, tls: none, from: a@acme.io, to: b@acme.io, password: { secretKeyRef: { name: mail, key: password } } }
${extra}`;
  const secret = (password: string): string =>
    `---\napiVersion: v1\nkind: Secret\nmetadata: { name: mail, namespace: tocsin }\nstringData: { password: ${password} }\n`;

  test('says that credentials are accepted, and sends nothing', async () => {
    const { code, out } = await lintOf(['-'], { check: true, output: 'json' }, mail() + secret('CANARY-right'));
    assert.deepEqual([code, rowsOf(out).map(({ rule }) => rule), mails], [0, ['CredentialAccepted'], 0]);
  });
  test('refused credentials are an error that does not show them', async () => {
    const { code, out } = await lintOf(['-'], { check: true }, mail() + secret('CANARY-wrong'));
    assert.equal(code, 1);
    assert.match(out, /stdin:6:3 +error +the product refused the credentials or the destination: /);
    assert.doesNotMatch(out, /CANARY/);
  });
  test('a product that does not answer leaves it open', async () => {
    const { code, out } = await lintOf(['-'], { check: true, output: 'json' }, mail('', 1) + secret('CANARY-right'));
    assert.deepEqual([code, rowsOf(out).map(({ rule }) => rule)], [0, ['CredentialUntested']]);
  });
  test('authorities and a certificate of the object are used, and a server of another authority is not trusted', async (t) => {
    const authority = createAuthority('Own', Date.now());
    const { certificate: cert, key } = authority.sign({ commonName: 'relay', addresses: ['127.0.0.1'] });
    const client = authority.sign({ commonName: 'tocsin' });
    const strict = new SMTPServer({
      ...{ cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true, authOptional: true },
    });
    strict.on('error', () => undefined);
    t.after(() => new Promise<void>((resolve) => strict.close(() => resolve())));
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
    const at = (strict.server.address() as AddressInfo).port;
    const asked = async (ca: string) => {
      const tls = { caBundle: { value: ca }, clientCertificate: refer('tls.crt'), clientKey: refer('tls.key') };
      const files = `${mail('', at)
        .replace('tls: none, ', '')
        .replace(/, password: [^}]*} }/, '')}  tls: ${JSON.stringify(tls)}
---
apiVersion: v1
kind: Secret
metadata: { name: mail, namespace: tocsin }
stringData: ${JSON.stringify({ 'tls.crt': client.certificate, 'tls.key': client.key })}
`;
      return rowsOf((await lintOf(['-'], { check: true, output: 'json' }, files)).out);
    };
    const refer = (key_: string) => ({ secretKeyRef: { name: 'mail', key: key_ } });
    assert.deepEqual(
      (await asked(authority.certificate)).map(({ rule }) => rule),
      ['CredentialAccepted'],
    );
    const [row, ...others] = await asked(createAuthority('Other', Date.now()).certificate);
    assert.deepEqual([row?.rule, others], ['CredentialUntested', []]);
    assert.match(row?.message ?? '', /`tls.caBundle`/);
  });
  test('without the Secret, or for a type that cannot, nothing is tested, and that is said', async () => {
    const hook = `---
apiVersion: tocsin.dev/v1alpha1
kind: AlertProvider
metadata: { name: hook, namespace: tocsin }
spec: { type: webhook, webhook: { url: { secretKeyRef: { name: hook, key: url } } } }
---
apiVersion: v1
kind: Secret
metadata: { name: hook, namespace: shop }
`;
    const without = await lintOf(['-'], { check: true, output: 'json' }, mail());
    assert.deepEqual(
      rowsOf(without.out).map(({ rule, message }) => [rule, /is not given/.test(message)]),
      [['CheckSkipped', true]],
    );
    const cannot = await lintOf(
      ['-'],
      { check: true, output: 'json' },
      `${hook.replace('namespace: shop', 'namespace: tocsin')}stringData: { url: "http://127.0.0.1:1/CANARY" }\n`,
    );
    assert.deepEqual(
      rowsOf(cannot.out).map(({ rule, message }) => [rule, /type webhook cannot/.test(message)]),
      [['CheckSkipped', true]],
    );
  });
  test('what is wrong anyhow is not tested', async () => {
    const { out } = await lintOf(
      ['-'],
      { check: true, output: 'json' },
      mail() + secret('CANARY-right').replace('password:', 'passwort:'),
    );
    assert.deepEqual(
      rowsOf(out).map(({ rule }) => rule),
      ['SecretKeyMissing'],
    );
  });
});

describe('--cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-lint-'));
  const kubeconfig = join(folder, 'kubeconfig.json');
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox({ crds: Object.values(resources).map(crdOf) });
    writeFileSync(kubeconfig, JSON.stringify(sandbox.kubeconfig));
    const create = (path: string, object: object): Promise<Response> =>
      fetch(`${sandbox.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(object),
      });
    for (const name of ['tocsin', 'shop'])
      await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await create('/api/v1/namespaces/tocsin/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'receiver', namespace: 'tocsin' },
      data: { url: Buffer.from('http://receiver:99999/CANARY').toString('base64') },
    });
    for (const [name, key] of [
      ['old', 'url'],
      ['other', 'absent'],
    ])
      await create('/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertproviders', {
        apiVersion: 'tocsin.dev/v1alpha1',
        kind: 'AlertProvider',
        metadata: { name, namespace: 'tocsin' },
        spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'receiver', key } } } },
      });
  });
  after(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('checks what is there, with the Secrets it names', async () => {
    const { code, out } = await lintOf([], { cluster: true, kubeconfig });
    assert.equal(code, 1);
    assert.match(
      out,
      /^AlertProvider tocsin\/old +error +the value of `spec\.webhook\.url` \(http:\/\/receiver:99999\/…\)/m,
    );
    assert.match(
      out,
      /^AlertProvider tocsin\/other +error +`spec\.webhook\.url`: the Secret "receiver" has no key "absent"/m,
    );
    assert.match(out, /^2 objects checked, 1 Secret known: 2 errors$/m);
    assert.doesNotMatch(out, /CANARY/);
  });
  test('files are judged as if they were applied: against what is there, and without remarks on the rest', async () => {
    const text = `apiVersion: tocsin.dev/v1alpha1
kind: AlertProvider
metadata: { name: other }
spec:
  type: email
  email: { host: smtp.acme.io, port: 587, from: a@acme.io, to: b@acme.io }
  fallback: old
`;
    const { code, out } = await lintOf(['-'], { cluster: true, kubeconfig, output: 'json' }, text);
    assert.deepEqual(
      [code, rowsOf(out).map(({ rule, file, message }) => [rule, file, /`type` cannot be changed/.test(message)])],
      [1, [['InvalidSpec', '-', true]]],
    );
  });
  test('a cluster that cannot be reached is 2, with a remedy', async () => {
    const gone = join(folder, 'gone.json');
    writeFileSync(gone, JSON.stringify(sandbox.kubeconfig).replaceAll(sandbox.url, 'http://127.0.0.1:1'));
    const { code, err } = await lintOf([], { cluster: true, kubeconfig: gone });
    assert.equal(code, 2);
    assert.match(err, /cannot list alertproviders .*is the cluster up/);
    assert.equal((await lintOf([], { cluster: true, kubeconfig: join(folder, 'absent') })).code, 2);
  });
});
