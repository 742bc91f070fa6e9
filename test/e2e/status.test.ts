import assert from 'node:assert/strict';
import { get } from 'node:http';
import { get as getOverTls } from 'node:https';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createAuthority } from '../../sandbox/certificate.ts';
import { configuration, ready, type Stage, startStage } from './stage.ts';

let stage: Stage;
let port: number;
let operator: Awaited<ReturnType<Stage['startOperator']>>;

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
});
after(async () => {
  await stage?.stop();
});

/** Asks for the page as a proxy in the Pod would on behalf of the network; with `local`, as a port-forward does. */
function page(options: {
  readonly token?: string;
  readonly local?: boolean;
  readonly path?: string;
}): Promise<{ status: number; body: string }> {
  const headers = {
    ...(!options.local && { 'x-forwarded-for': '10.0.0.7' }),
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
  };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: options.path ?? '/status', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

/** The status of the page over TLS, as the network gets it. */
function pageOverTls(port: number, token: string, ca: string): Promise<number> {
  const headers = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const address = { host: '127.0.0.1', port, path: '/status', ca, servername: 'tocsin.example' };
    getOverTls({ ...address, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

/** A certificate in a Secret of ours: the page over TLS, first with one that nobody vouches for, then renewed. */
async function servedOverTls(token: string): Promise<void> {
  const condition = (): Promise<string> =>
    stage.kubectl([
      ...['-n', 'tocsin', 'get', 'ac', 'default', '-o'],
      'jsonpath={.status.conditions[?(@.type=="ServingTLS")].reason}: {.status.conditions[?(@.type=="ServingTLS")].message}',
    ]);
  await statusEndpoint({ enabled: true, allowPlainHTTP: false, tls: { secretName: 'page-tls' } });
  await stage.eventually(20, async () =>
    assert.equal(await condition(), 'CannotServe: Nothing is served over TLS: the Secret page-tls does not exist.'),
  );
  assert.equal((await page({ token })).status, 403);
  const authority = createAuthority('Page CA', Date.now());
  const pair = authority.sign({ commonName: 'page', names: ['tocsin.example'] });
  const data = { 'tls.crt': pair.certificate, 'tls.key': pair.key };
  const metadata = { name: 'page-tls', namespace: 'tocsin' };
  await stage.apply({ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata, stringData: data });
  await stage.eventually(80, async () => assert.match(await condition(), /^Serving: The certificate is valid until /));
  const { tlsPort } = operator.runtime;
  assert.equal(await pageOverTls(tlsPort ?? 0, token, authority.certificate), 200);
  assert.equal(await pageOverTls(tlsPort ?? 0, `${token}x`, authority.certificate), 401);
}

/** What an agent with a token is offered, as the network asks. */
async function tools(token: string, query: string): Promise<readonly string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${token}` };
  const url = new URL(`http://127.0.0.1:${port}/status/mcp${query}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const listed = await client.listTools();
  await client.close();
  return listed.tools.map(({ name }) => name);
}

/** Whoever may read the logs of a namespace reads its incidents, and those of no other. */
async function ofOneNamespace(reader: string, tenant: string): Promise<void> {
  const status = async (token: string, path: string): Promise<number> => (await page({ token, path })).status;
  assert.equal(await status(tenant, '/status/incidents?namespace=shop'), 200);
  assert.equal(await status(tenant, '/status/incidents?namespace=tocsin'), 403);
  assert.equal(await status(tenant, '/status/incidents'), 403);
  assert.equal(await status(tenant, '/status?namespace=shop'), 403);
  assert.equal(await status(reader, '/status/incidents'), 200);
  assert.deepEqual(await tools(tenant, '?namespace=shop'), ['incidents', 'why', 'evidence', 'history']);
  await assert.rejects(tools(tenant, ''), /403|Forbidden/);
  assert.equal((await tools(reader, '')).length, 7);
}

const statusEndpoint = (spec: object): Promise<string> =>
  stage.kubectl([
    '-n',
    'tocsin',
    'patch',
    'ac',
    'default',
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { statusEndpoint: spec } }),
  ]);

test('/status appears when AlertConfig enables it, and goes with it', async () => {
  await stage.apply(...configuration(stage.receiver.url));
  operator = await stage.startOperator();
  await ready(stage, operator);
  port = operator.runtime.port;
  assert.equal((await page({ local: true })).status, 404);
  await statusEndpoint({ enabled: true });
  await stage.eventually(20, async () => assert.equal((await page({ local: true })).status, 200));
  const { edition, providers } = JSON.parse((await page({ local: true })).body);
  assert.deepEqual([edition, providers.length, providers[0].provider.name], ['Community', 1, 'oncall']);
  assert.equal((await page({})).status, 403);
});

test('over the network a token of the cluster is needed, and the permission to get /status', async () => {
  await stage.apply(
    ...['reader', 'stranger', 'tenant'].map((name) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace: 'shop' },
    })),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reads-status' },
      rules: [{ nonResourceURLs: ['/status'], verbs: ['get'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reads-status' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reads-status' },
      subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'shop' }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'tenant', namespace: 'shop' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'tenant', namespace: 'shop' }],
    },
  );
  const tokenOf = async (name: string): Promise<string> =>
    (await stage.kubectl(['-n', 'shop', 'create', 'token', name])).trim();
  const [reader, stranger] = [await tokenOf('reader'), await tokenOf('stranger')];
  await statusEndpoint({ enabled: true, allowPlainHTTP: true });
  await stage.eventually(20, async () => assert.equal((await page({ token: reader })).status, 200));
  assert.equal((await page({ token: stranger })).status, 403);
  assert.equal((await page({ token: `${reader}x` })).status, 401);
  assert.equal((await page({})).status, 401);
  await ofOneNamespace(reader, await tokenOf('tenant'));
  await servedOverTls(reader);
  await statusEndpoint({ enabled: false, tls: null });
  await stage.eventually(20, async () => assert.equal((await page({ token: reader })).status, 404));
});
