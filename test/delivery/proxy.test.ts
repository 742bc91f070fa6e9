import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { isProductHost } from '../../src/delivery/product-hosts.ts';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createSender } from '../../src/delivery/send.ts';
import type { Send } from '../../src/providers/provider.ts';
import { realClock } from './clock.ts';
import { startNameServer } from './name-server.ts';

/** Names as the name server of the cluster answers. */
const zone = {
  'hooks.public.example': ['93.184.215.14'],
  'two.public.example': ['93.184.215.14', '93.184.215.15'],
  'inside.public.example': ['10.1.2.3'],
} as const;

/** Listens on loopback; ends every connection afterwards. */
async function listening<T extends Server>(server: T): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A proxy that notes what it is asked for, and leads every tunnel that it takes to `port`. */
function proxyTo(port: number, asked: string[], refused: readonly string[] = []): Server {
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('forwarded');
  });
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    asked.push(
      `CONNECT ${url}${headers['proxy-authorization'] === undefined ? '' : ` as ${headers['proxy-authorization']}`}`,
    );
    if (refused.includes(url)) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const upstream = connect({ port, host: '127.0.0.1' }, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  return proxy;
}

/** Runs `use` with a `send` through a proxy in front of `upstream`; returns what the proxy was asked for. */
async function throughProxy(
  upstream: Server,
  use: (send: Send) => Promise<void>,
  {
    allPrivate = false,
    refused = [],
    login = '',
  }: { allPrivate?: boolean; refused?: readonly string[]; login?: string } = {},
): Promise<readonly string[]> {
  const asked: string[] = [];
  await using names = await startNameServer(zone);
  await using end = await listening(upstream);
  await using proxy = await listening(proxyTo(end.port, asked, refused));
  const settings = {
    timeoutMs: 3_000,
    allowedPrivateDestinations: [],
    proxyURL: `http://${login}127.0.0.1:${proxy.port}`,
  };
  const resolver = new Resolver({ clock: realClock, servers: [names.address], resolvConf: '/dev/null' });
  const sender = createSender({ clock: realClock, version: '1', resolver, settings: () => settings });
  try {
    await use(sender.for({ allPrivate }));
  } finally {
    await sender.close();
  }
  return asked;
}

const hello = () =>
  createServer(({ headers, url, method }, response) => response.end(`${method} ${headers.host}${url}`));

test('what a tenant names is asked of the proxy by the address that was vetted, and the request is for the name', async () => {
  const asked = await throughProxy(
    hello(),
    async (send) => {
      for (let n = 0; n < 2; n += 1) {
        const { body } = await send({ method: 'POST', url: 'http://hooks.public.example/a?b=c', body: 'x' });
        assert.equal(body, 'POST hooks.public.example/a?b=c');
      }
    },
    { login: 'tocsin:s%40fe@' },
  );
  const login = Buffer.from('tocsin:s@fe').toString('base64');
  assert.deepEqual(new Set(asked), new Set([`CONNECT 93.184.215.14:80 as Basic ${login}`]));
});

test('TLS through such a tunnel is for the name as well', async () => {
  const hellos: Buffer[] = [];
  const upstream = createTcpServer((socket) => {
    socket.once('data', (hello) => {
      hellos.push(hello);
      socket.destroy();
    });
  });
  const asked = await throughProxy(upstream, async (send) => {
    await assert.rejects(send({ method: 'POST', url: 'https://hooks.public.example/' }), { code: 'Unreachable' });
  });
  assert.deepEqual(new Set(asked), new Set(['CONNECT 93.184.215.14:443']));
  // The extension that names the server is readable in the first message, RFC 6066.
  assert.ok(hellos[0]?.includes('hooks.public.example'));
});

test('of a tenant the proxy is not asked for a name that is not resolved here, and not for a private address', async () => {
  const asked = await throughProxy(hello(), async (send) => {
    await assert.rejects(send({ method: 'POST', url: 'http://127.0.0.1.only-the-proxy-knows.example/' }), {
      code: 'Unreachable',
      message: /is not resolved here, and the proxy is not asked/,
    });
    for (const url of [
      'http://inside.public.example/',
      'https://inside.public.example/',
      'http://10.0.0.1/',
      'http://[::1]/',
    ])
      await assert.rejects(send({ method: 'POST', url }), { code: 'BlockedAddress' }, url);
  });
  assert.deepEqual(asked, []);
});

test('an address that the proxy refuses is followed by the next, and the last refusal says what it was', async () => {
  const asked = await throughProxy(
    hello(),
    async (send) => {
      assert.equal((await send({ method: 'GET', url: 'http://two.public.example/' })).status, 200);
      await assert.rejects(send({ method: 'GET', url: 'http://hooks.public.example/' }), {
        code: 'Unreachable',
        message: /the proxy refuses a tunnel to 93\.184\.215\.14:80, which is hooks\.public\.example: it answers 403/,
      });
    },
    { refused: ['93.184.215.14:80'] },
  );
  assert.deepEqual(asked, ['CONNECT 93.184.215.14:80', 'CONNECT 93.184.215.15:80', 'CONNECT 93.184.215.14:80']);
});

test('names of products, and whatever the operator names, are asked of the proxy as names: it may know what nobody here does', async () => {
  const silent = createTcpServer((socket) => socket.destroy());
  const tenant = await throughProxy(silent, async (send) => {
    await send({ method: 'POST', url: 'https://hooks.slack.com/services/x' }).catch(() => undefined);
  });
  assert.equal(tenant[0], 'CONNECT hooks.slack.com:443');
  const operator = await throughProxy(
    silent,
    async (send) =>
      void (await send({ method: 'POST', url: 'https://only-the-proxy.example/' }).catch(() => undefined)),
    { allPrivate: true },
  );
  assert.equal(operator[0], 'CONNECT only-the-proxy.example:443');
});

test('a name below a domain in which customers have names of their own belongs to no product', () => {
  for (const host of ['api.datadoghq.eu', 'sns.eu-west-1.amazonaws.com', 'acme.webhook.office.com', 'HOOKS.slack.com.'])
    assert.ok(isProductHost(host), host);
  for (const host of [
    'internal-lb-1.eu-west-1.elb.amazonaws.com',
    'ec2-1-2-3-4.compute-1.amazonaws.com',
    'slack.com.evil.example',
    'evilslack.com',
    'acme.github.io',
    'pages.gitlab.io',
  ])
    assert.ok(!isProductHost(host), host);
});

test('every address that a type has by itself is of a product', async () => {
  const { globSync } = await import('node:fs');
  const hosts = globSync('src/providers/**/*.ts', { cwd: new URL('../..', import.meta.url) }).flatMap((file) => {
    const code = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replace(
      /^\s*(?:\*|\/\/|\/\*).*$/gm,
      '',
    );
    return [...code.matchAll(/https:\/\/((?:[a-z\d-]+\.)+(?:com|net|io|org|sh|ch|cn))(?=[/'`"])/g)].map(
      ([, host = '']) => host,
    );
  });
  assert.ok(hosts.length > 15, hosts.join(' '));
  // Shown to people (the page of a product, a scope, a place to put one's own), not sent to.
  const shown = new Set(['example.com', 'app.clickup.com', 'mail.google.com']);
  assert.deepEqual(
    hosts.filter((host) => !isProductHost(host) && !shown.has(host) && !host.endsWith('.example.com')),
    [],
  );
});
