/** The recipe of config/sign-in, run: nginx, somebody who knows who has signed in, and the status page over TLS. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { Secret } from '../../src/model/secret.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { health, incident, noTenants, now, viewOf } from '../server/page-stage.ts';

const template = new URL('../../config/sign-in/tocsin.conf.template', import.meta.url);
const token = 'a.token-of~ours';
const folder = mkdtempSync(join(tmpdir(), 'tocsin-sign-in-'));
/** Tokens that the page was asked with. */
const presented: string[] = [];

let page: RunningServer;
let base = '';
let nginx: ChildProcess;
const signedIn = createServer((request, response) => {
  if (request.url === '/oauth2/auth') response.writeHead(request.headers.cookie === 'session=lena' ? 202 : 401).end();
  else response.writeHead(200).end(`to sign in, ${request.url}`);
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

before(async () => {
  const authority = createAuthority('CA', Date.now());
  const { certificate, key } = authority.sign({ commonName: 'tocsin', names: ['localhost'] });
  writeFileSync(join(folder, 'ca.crt'), authority.certificate);
  page = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics({ process: false }) },
    log: createLogger({ level: 'silent' }),
    views: {
      ...{ alive: () => true, ready: () => ({ checks: [] }), health: () => health, metricsGuard: () => undefined },
      status: () => ({
        ...{ allowPlainHTTP: false, why: () => ({ unclear: 'x' }), report: () => ({ unclear: 'x' }), ...noTenants },
        authorize: async (each) => {
          presented.push(each);
          return each === token ? 'allowed' : 'unauthenticated';
        },
        view: () => viewOf(incident('a')),
      }),
      now: () => now,
    },
  });
  await page.serveTls({ certificate, key: new Secret(key), notAfter: Date.now() + 3_600_000 });
  signedIn.listen(0, '127.0.0.1');
  await once(signedIn, 'listening');
  const port = await freePort();
  const names: Readonly<Record<string, string>> = {
    SIGN_IN_PORT: `127.0.0.1:${port}`,
    TOCSIN_URL: `https://localhost:${page.tlsPort}`,
    TOCSIN_TOKEN: token,
    TOCSIN_CA: join(folder, 'ca.crt'),
    OAUTH2_PROXY_URL: `http://127.0.0.1:${(signedIn.address() as AddressInfo).port}`,
  };
  const server = readFileSync(template, 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/t;`,
  );
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporary.join(' ')} ${server} }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  base = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(base, { redirect: 'manual' }).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
});
after(async () => {
  nginx?.kill();
  signedIn.close();
  await page?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> =>
  fetch(`${base}${path}`, { method, headers: { ...headers }, redirect: 'manual' });
const lena = { cookie: 'session=lena', accept: 'text/html' };

test('who has not signed in is led there and back, and reads nothing', async () => {
  const answer = await ask('/status/incidents/a');
  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [302, `${base}/oauth2/start?rd=/status/incidents/a`],
  );
  assert.match(await (await ask('/oauth2/start?rd=/status')).text(), /to sign in/);
  assert.deepEqual(presented, []);
});

test('who has signed in reads the page, its content and a page of one incident; the token stays behind', async () => {
  for (const path of ['/status', '/status/content', '/status/incidents', '/status/incidents/a']) {
    const answer = await ask(path, lena);
    const body = await answer.text();
    assert.equal(answer.status, 200, `${path}: ${body}`);
    assert.match(body, /Node n1/);
    assert.ok(!body.includes(token));
  }
  assert.equal((await ask('/', lena)).headers.get('location'), `${base}/status`);
  assert.deepEqual([...new Set(presented)], [token]);
});

test('a token that a browser sends goes no further, and nothing but reading is let through', async () => {
  presented.length = 0;
  assert.equal((await ask('/status', { ...lena, authorization: 'Bearer mine' })).status, 200);
  assert.ok(!presented.includes('mine'));
  assert.equal((await ask('/status/mcp', lena, 'POST')).status, 403);
  assert.equal((await ask('/metrics', lena)).status, 404);
});
