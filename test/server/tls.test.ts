import assert from 'node:assert/strict';
import { request } from 'node:https';
import { test } from 'node:test';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { createAuthority, type KeyPair } from '../../sandbox/certificate.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { type ServingPair, servingPair } from '../../src/server/serving-pair.ts';
import type { ServerViews } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noTenants, nothingPast } from './page-stage.ts';

const authority = createAuthority('Cluster CA', Date.now());
const ca = authority.certificate;
const named = (commonName: string): KeyPair => authority.sign({ commonName, names: ['tocsin.example'] });
const data = ({ certificate, key }: KeyPair): ReadonlyMap<string, Secret> =>
  new Map([
    ['tls.crt', new Secret(certificate)],
    ['tls.key', new Secret(key)],
  ]);

function pairOf(keyPair: KeyPair): ServingPair {
  const pair = servingPair(data(keyPair));
  assert.ok('certificate' in pair);
  return pair;
}

const views: ServerViews = {
  alive: () => true,
  ready: () => ({ checks: [] }),
  health: () => ({ reasons: [], edition: 'Community', version: '1.2.3', coverage: [] }),
  status: () => ({
    allowPlainHTTP: false,
    authorize: async (token) => (token === 'good' ? 'allowed' : 'unauthenticated'),
    ...noTenants,
    why: () => ({ unclear: 'nobody asks' }),
    report: () => ({ unclear: 'nobody asks' }),
    view: () => ({
      clusterName: 'prod',
      incidents: [],
      words: () => {
        throw new Error('nothing is open');
      },
      ...nothingPast,
      deadLetters: [],
      providers: [],
      settings: defaultSettings,
    }),
  }),
  metricsGuard: () => undefined,
  now: () => Date.parse('2026-11-20T09:00:00Z'),
};

async function withServer(use: (server: RunningServer) => Promise<void>): Promise<void> {
  const log = createLogger({ level: 'silent' });
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    views,
    metrics: createMetrics({ process: false }),
    log,
  });
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

const fromNetwork = { 'x-forwarded-for': '10.0.0.7' };

/** The status of an answer over TLS, and whom the certificate names. */
function ask(port: number | undefined, path: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly status: number; readonly subject: string }>((resolve, reject) => {
    assert.ok(port !== undefined, 'TLS is served');
    const options = { host: '127.0.0.1', port, path, headers, ca, servername: 'tocsin.example', agent: false } as const;
    request(options, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate() as PeerCertificate;
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, subject: String(subject.CN) }));
    })
      .on('error', reject)
      .end();
  });
}

test('nothing listens for TLS until there is a certificate, and nothing once it is taken away', () =>
  withServer(async (server) => {
    assert.equal(server.tlsPort, undefined);
    await server.serveTls(pairOf(named('first')));
    const { tlsPort } = server;
    assert.deepEqual(await ask(tlsPort, '/healthz'), { status: 200, subject: 'first' });
    await server.serveTls(undefined);
    assert.equal(server.tlsPort, undefined);
    await assert.rejects(ask(tlsPort, '/healthz'), /ECONNREFUSED/);
  }));

test('over TLS the page is served to the network without allowPlainHTTP, and only to the bearer of a token', () =>
  withServer(async (server) => {
    await server.serveTls(pairOf(named('first')));
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (await ask(server.tlsPort, '/status', headers)).status;
    assert.equal(await statusOf(fromNetwork), 401);
    assert.equal(await statusOf({ ...fromNetwork, authorization: 'Bearer bad' }), 401);
    assert.equal(await statusOf({ ...fromNetwork, authorization: 'Bearer good' }), 200);
    const plain = await fetch(`http://127.0.0.1:${server.port}/status`, {
      headers: { ...fromNetwork, authorization: 'Bearer good' },
    });
    assert.equal(plain.status, 403);
    assert.match(await plain.text(), /statusEndpoint\.tls/);
  }));

test('a renewed certificate is served on the same port, and connections go on', () =>
  withServer(async (server) => {
    await server.serveTls(pairOf(named('first')));
    const { tlsPort } = server;
    const before = connect({ host: '127.0.0.1', port: tlsPort ?? 0, ca, servername: 'tocsin.example' });
    await new Promise((resolve) => before.once('secureConnect', resolve));
    await server.serveTls(pairOf(named('second')));
    assert.deepEqual(await ask(tlsPort, '/healthz'), { status: 200, subject: 'second' });
    const answered = new Promise<string>((resolve) => before.once('data', (chunk) => resolve(String(chunk))));
    before.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.match(await answered, /^HTTP\/1\.1 200/);
    before.destroy();
  }));

test('TLS older than 1.2 is refused', () =>
  withServer(async (server) => {
    await server.serveTls(pairOf(named('first')));
    const error = await new Promise<Error>((resolve, reject) => {
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
      const socket = connect({
        host: '127.0.0.1',
        port: server.tlsPort ?? 0,
        ca,
        servername: 'tocsin.example',
        ...old,
      });
      socket.once('error', resolve);
      socket.once('secureConnect', () => reject(new Error('it was accepted')));
    });
    assert.match(error.message, /protocol version|unsupported protocol/i);
  }));

test('a connection that asks for too much at once is ended over TLS, too', () =>
  withServer(async (server) => {
    await server.serveTls(pairOf(named('first')));
    const socket = connect({ host: '127.0.0.1', port: server.tlsPort ?? 0, ca, servername: 'tocsin.example' });
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    await ended;
  }));

test('what cannot be served with is said, and nothing of the key', () => {
  const [one, other] = [named('one'), named('other')];
  const saysOf = (keys: ReadonlyMap<string, Secret>): string => {
    const pair = servingPair(keys);
    return 'unusable' in pair ? pair.unusable : 'usable';
  };
  assert.equal(saysOf(data(one)), 'usable');
  assert.equal(saysOf(new Map()), 'has no key tls.crt');
  assert.equal(saysOf(new Map([['tls.crt', new Secret(one.certificate)]])), 'has no key tls.key');
  assert.equal(saysOf(data({ ...one, certificate: 'PEM' })), 'holds no certificate in PEM under tls.crt');
  const foreign = 'holds a tls.key that is not the private key of its tls.crt';
  assert.equal(saysOf(data({ ...one, key: other.key })), foreign);
  assert.equal(saysOf(data({ ...one, key: 'PEM' })), foreign);
  assert.equal(openSecret(pairOf(one).key), one.key);
  assert.ok(!JSON.stringify(pairOf(one)).includes(one.key.split('\n')[1] ?? 'none'));
});
