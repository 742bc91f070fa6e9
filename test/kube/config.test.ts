import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ApiError } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { ClusterConfigError, checkedServer } from '../../src/kube/config.ts';
import { loadClusterConfig } from '../../src/kube/load-config.ts';
import { type Certificates, hasOpenssl, makeCertificates } from './support/certificates.ts';
import { type FakeApi, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { realClock } from './support/real-clock.ts';
import { type VirtualClock, virtualClock } from './support/virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a kubeconfig of one cluster, user and context; JSON is YAML. */
function kubeconfig(
  name: string,
  parts: { server: string; cluster?: object; user?: object; namespace?: string },
): string {
  const file = join(folder, name);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: parts.server, ...parts.cluster } }],
    users: [{ name, user: parts.user ?? {} }],
    contexts: [
      { name, context: { cluster: name, user: name, ...(parts.namespace ? { namespace: parts.namespace } : {}) } },
    ],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** The `Authorization` header of one request with this kubeconfig. */
async function authorizationWith(api: FakeApi, file: string): Promise<string | undefined> {
  const config = await loadClusterConfig({ kubeconfig: file, env: {}, clock: realClock });
  const client = createApiClient(config, { clock: realClock, version: '0' });
  await client.json({ path: '/api' });
  await client.close();
  return api.seen.at(-1)?.headers.authorization;
}

test('without any configuration the error names what was looked for and the remedy, and no address is guessed', async () => {
  const env = { HOME: join(folder, 'nobody') };
  await assert.rejects(
    loadClusterConfig({ env, clock: realClock, serviceAccount: join(folder, 'no-pod') }),
    (error: Error) =>
      error instanceof ClusterConfigError &&
      /KUBECONFIG is not set/.test(error.message) &&
      error.message.includes(join(folder, 'nobody', '.kube', 'config')) &&
      /--kubeconfig FILE/.test(error.message),
  );
});

test('the proxy of the kubeconfig, else that of the environment; a Pod has the latter', async () => {
  const env = { HTTPS_PROXY: 'http://outer.example:3128' };
  const server = 'https://api.example:6443';
  const proxyOf = async (file: string): Promise<string | undefined> =>
    (await loadClusterConfig({ kubeconfig: file, env, clock: realClock })).proxy;
  assert.equal(await proxyOf(kubeconfig('unproxied', { server })), env.HTTPS_PROXY);
  const cluster = { 'proxy-url': 'http://inner.example:3128' };
  assert.equal(await proxyOf(kubeconfig('proxied', { server, cluster })), cluster['proxy-url']);
  const account = join(folder, 'proxied-pod');
  mkdirSync(account);
  for (const name of ['token', 'ca.crt', 'namespace']) writeFileSync(join(account, name), name);
  const inPod = (more: Record<string, string>) =>
    loadClusterConfig({
      env: { ...env, KUBERNETES_SERVICE_HOST: 'fd00:10:96::1', ...more },
      ...{ clock: realClock, serviceAccount: account },
    });
  assert.equal((await inPod({})).proxy, env.HTTPS_PROXY);
  assert.equal((await inPod({ NO_PROXY: 'fd00:10:96::/112' })).proxy, undefined);
});

test('plain http is taken for loopback only', () => {
  for (const server of ['http://127.0.0.1:1', 'http://localhost:8080/', 'http://[::1]:9', 'https://10.0.0.1:6443'])
    assert.equal(checkedServer(server), server.replace(/\/$/, ''));
  for (const server of ['http://10.0.0.1', 'http://127.example.org.', 'ftp://127.0.0.1', 'nonsense'])
    assert.throws(() => checkedServer(server), ClusterConfigError, server);
});

describe('kubeconfig', () => {
  let api: FakeApi;
  before(async () => {
    api = await startFakeApi((_, response) => sendJson(response, 200, {}));
  });
  after(() => api.close());

  test('a token, basic authentication and a token file become the Authorization header', async () => {
    writeFileSync(join(folder, 'token'), 'from-file\n');
    const cases: [object, string][] = [
      [{ token: 'plain' }, 'Bearer plain'],
      [{ tokenFile: 'token' }, 'Bearer from-file'],
      [{ username: 'admin', password: 'pw' }, `Basic ${Buffer.from('admin:pw').toString('base64')}`],
    ];
    for (const [user, expected] of cases)
      assert.equal(await authorizationWith(api, kubeconfig('auth', { server: api.url, user })), expected);
  });

  test('an exec plug-in is run once, told what it may do, and run again after a 401', async () => {
    const script = join(folder, 'plugin.sh');
    const log = join(folder, 'plugin.log');
    writeFileSync(
      script,
      `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO $EXTRA" >> ${log}\nn=$(wc -l < ${log} | tr -d ' ')\n` +
        `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"run-'$n'"}}'\n`,
    );
    chmodSync(script, 0o755);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin.sh',
      env: [{ name: 'EXTRA', value: 'more' }],
    };
    const strict = await startFakeApi((request, response) =>
      request.headers.authorization === 'Bearer run-2'
        ? sendJson(response, 200, {})
        : sendStatus(response, 401, 'Unauthorized'),
    );
    try {
      const file = kubeconfig('exec', { server: strict.url, user: { exec } });
      const config = await loadClusterConfig({ kubeconfig: file, env: {}, clock: realClock });
      const client = createApiClient(config, { clock: realClock, version: '0' });
      await client.json({ path: '/api' });
      await client.json({ path: '/api' });
      assert.deepEqual(
        strict.seen.map((request) => request.headers.authorization),
        ['Bearer run-1', 'Bearer run-2', 'Bearer run-2'],
      );
      await client.close();
    } finally {
      await strict.close();
    }
    const [first = ''] = readFileSync(log, 'utf8').split('\n');
    assert.match(first, /"kind":"ExecCredential".*"interactive":false.* more$/);
  });

  test('a plug-in that fails says which and why', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/bin/sh',
      args: ['-c', 'echo no login >&2; exit 3'],
    };
    const file = kubeconfig('broken', { server: api.url, user: { exec } });
    await assert.rejects(authorizationWith(api, file), (error: ApiError) => {
      assert.equal(error.status, 0);
      assert.match(error.message, /credential plug-in "\/bin\/sh" of the kubeconfig failed: no login/);
      return true;
    });
  });

  test('several files are merged, the first to name something wins, missing ones are passed over', async () => {
    const first = kubeconfig('one', { server: 'https://one:1', namespace: 'shop' });
    const second = kubeconfig('two', { server: 'https://two:2' });
    const env = { KUBECONFIG: [join(folder, 'missing'), first, second].join(':') };
    const one = await loadClusterConfig({ env, clock: realClock });
    assert.deepEqual([one.server, one.namespace], ['https://one:1', 'shop']);
    const two = await loadClusterConfig({ env, clock: realClock, context: 'two' });
    assert.equal(two.server, 'https://two:2');
    assert.match(two.source, /^context two of /);
    await assert.rejects(loadClusterConfig({ env, clock: realClock, context: 'three' }), /It has: one, two/);
  });

  test('a file that is missing or not a kubeconfig is named', async () => {
    const missing = join(folder, 'not-there');
    await assert.rejects(loadClusterConfig({ kubeconfig: missing, env: {}, clock: realClock }), (error: Error) =>
      error.message.includes(missing),
    );
    const bad = join(folder, 'bad');
    writeFileSync(bad, 'clusters: [{');
    await assert.rejects(loadClusterConfig({ kubeconfig: bad, env: {}, clock: realClock }), ClusterConfigError);
  });
});

describe('service account', { skip: hasOpenssl() ? false : 'openssl is not installed' }, () => {
  let certs: Certificates;
  let api: FakeApi;
  let clock: VirtualClock;
  const account = join(folder, 'account');
  const accepted = new Set<string>();
  before(async () => {
    certs = makeCertificates();
    clock = virtualClock();
    mkdirSync(account, { recursive: true });
    writeFileSync(join(account, 'namespace'), 'tocsin');
    writeFileSync(join(account, 'ca.crt'), certs.ca);
    api = await startFakeApi(
      (request, response) =>
        accepted.has(request.headers.authorization ?? '')
          ? sendJson(response, 200, {})
          : sendStatus(response, 401, 'Unauthorized'),
      { cert: certs.server.cert, key: certs.server.key },
    );
  });
  after(async () => {
    await api.close();
    rmSync(certs.folder, { recursive: true, force: true });
  });

  async function client(): Promise<ReturnType<typeof createApiClient>> {
    const url = new URL(api.url);
    const env = { KUBERNETES_SERVICE_HOST: url.hostname, KUBERNETES_SERVICE_PORT: url.port, HOME: folder };
    const config = await loadClusterConfig({ env, clock, serviceAccount: account });
    assert.deepEqual(
      [config.source, config.namespace, config.insecure],
      ["the Pod's service account", 'tocsin', false],
    );
    return createApiClient(config, { clock, version: '0' });
  }

  test('a rotated token is read again after a minute', async () => {
    writeFileSync(join(account, 'token'), 'first\n');
    accepted.clear();
    accepted.add('Bearer first').add('Bearer second');
    const pod = await client();
    await pod.json({ path: '/api' });
    writeFileSync(join(account, 'token'), 'second\n');
    await pod.json({ path: '/api' });
    assert.equal(api.seen.at(-1)?.headers.authorization, 'Bearer first');
    await clock.advance(61_000);
    await pod.json({ path: '/api' });
    assert.equal(api.seen.at(-1)?.headers.authorization, 'Bearer second');
    await pod.close();
  });

  test('a token that is refused with 401 is read again at once, and the request repeated once', async () => {
    writeFileSync(join(account, 'token'), 'old');
    accepted.clear();
    accepted.add('Bearer old');
    const pod = await client();
    await pod.json({ path: '/api' });
    writeFileSync(join(account, 'token'), 'new');
    accepted.clear();
    accepted.add('Bearer new');
    await pod.json({ path: '/api' });
    accepted.clear();
    const before = api.seen.length;
    await assert.rejects(pod.json({ path: '/api' }), (error: ApiError) => error.status === 401);
    assert.equal(api.seen.length - before, 2);
    await pod.close();
  });

  test('while the token file cannot be read, the last token is used', async () => {
    writeFileSync(join(account, 'token'), 'kept');
    accepted.clear();
    accepted.add('Bearer kept');
    const pod = await client();
    await pod.json({ path: '/api' });
    rmSync(join(account, 'token'));
    await clock.advance(120_000);
    await pod.json({ path: '/api' });
    assert.equal(api.seen.at(-1)?.headers.authorization, 'Bearer kept');
    await pod.close();
  });

  test('connections are made anew when the CA changes, and only then', async () => {
    writeFileSync(join(account, 'token'), 't');
    accepted.clear();
    accepted.add('Bearer t');
    const pod = await client();
    await pod.json({ path: '/api' });
    const before = api.connections();
    await clock.advance(61_000);
    await pod.json({ path: '/api' });
    assert.equal(api.connections(), before);
    writeFileSync(join(account, 'ca.crt'), `${certs.ca}\n${certs.ca}`);
    await clock.advance(61_000);
    await pod.json({ path: '/api' });
    assert.equal(api.connections(), before + 1);
    writeFileSync(join(account, 'ca.crt'), certs.ca);
    await pod.close();
  });
});

describe('TLS', { skip: hasOpenssl() ? false : 'openssl is not installed' }, () => {
  let certs: Certificates;
  let api: FakeApi;
  before(async () => {
    certs = makeCertificates();
    api = await startFakeApi((_, response) => sendJson(response, 200, {}), {
      cert: certs.server.cert,
      key: certs.server.key,
      ca: certs.ca,
      requestCert: true,
      rejectUnauthorized: true,
    });
  });
  after(async () => {
    await api.close();
    rmSync(certs.folder, { recursive: true, force: true });
  });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  async function call(cluster: object, user: object, server = api.url): Promise<void> {
    const file = kubeconfig('tls', { server, cluster, user });
    const config = await loadClusterConfig({ kubeconfig: file, env: {}, clock: realClock });
    const client = createApiClient(config, { clock: realClock, version: '0' });
    try {
      await client.json({ path: '/api' });
    } finally {
      await client.close();
    }
  }

  test('a client certificate is shown to a server of a private CA, from files and from data', async () => {
    const files = {
      'client-certificate': join(certs.folder, 'client.crt'),
      'client-key': join(certs.folder, 'client.key'),
    };
    await call({ 'certificate-authority': join(certs.folder, 'ca.crt') }, files);
    assert.equal(api.seen.at(-1)?.certificate, 'admin');
    const data = { 'client-certificate-data': base64(certs.client.cert), 'client-key-data': base64(certs.client.key) };
    await call({ 'certificate-authority-data': base64(certs.ca) }, data);
    assert.equal(api.seen.at(-1)?.certificate, 'admin');
  });

  test('a client certificate given by an exec plug-in works too', async () => {
    const status = { clientCertificateData: certs.client.cert, clientKeyData: certs.client.key };
    writeFileSync(join(folder, 'credential.json'), JSON.stringify({ kind: 'ExecCredential', status }));
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'cat',
      args: [join(folder, 'credential.json')],
    };
    await call({ 'certificate-authority-data': base64(certs.ca) }, { exec });
    assert.equal(api.seen.at(-1)?.certificate, 'admin');
  });

  test('a server of an unknown CA is refused with a remedy; insecure-skip-tls-verify is obeyed', async () => {
    const data = { 'client-certificate-data': base64(certs.client.cert), 'client-key-data': base64(certs.client.key) };
    await assert.rejects(call({}, data), /certificate-authority/);
    await call({ 'insecure-skip-tls-verify': true }, data);
  });

  test('tls-server-name is the name that is verified', async () => {
    const data = { 'client-certificate-data': base64(certs.client.cert), 'client-key-data': base64(certs.client.key) };
    const cluster = { 'certificate-authority-data': base64(certs.ca) };
    await call({ ...cluster, 'tls-server-name': 'localhost' }, data);
    await assert.rejects(call({ ...cluster, 'tls-server-name': 'other' }, data), /tls-server-name/);
  });
});
