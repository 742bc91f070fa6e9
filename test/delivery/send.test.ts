import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createSender, type SendSettings } from '../../src/delivery/send.ts';
import { Secret } from '../../src/model/secret.ts';
import { type Send, type SendRequest, TransportError } from '../../src/providers/provider.ts';
import { realClock } from './clock.ts';

const canary = 'canary-7f3a9c';
const resolver = new Resolver({ clock: realClock });

/** Runs `use` with the port of a server, and ends every connection afterwards. */
async function withServer(server: Server, use: (port: number) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    // A TCP server's address is an AddressInfo.
    await use((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function withSend(
  use: (send: Send) => Promise<void>,
  settings: Partial<SendSettings> = {},
  allPrivate = true,
): Promise<void> {
  const all = { timeoutMs: 2000, allowedPrivateDestinations: [], ...settings };
  const sender = createSender({ clock: realClock, version: '1.2.3', resolver, settings: () => all });
  try {
    await use(sender.for({ allPrivate }));
  } finally {
    await sender.close();
  }
}

/** One exchange with an HTTP server. */
async function exchange(
  listener: (...exchange: Parameters<RequestListener>) => unknown,
  request: Partial<SendRequest>,
  look: (answer: Awaited<ReturnType<Send>>, port: number) => void,
): Promise<void> {
  await withServer(
    createServer((...both) => void listener(...both)),
    (port) =>
      withSend(async (send) => {
        look(await send({ method: 'POST', url: `http://127.0.0.1:${port}/hook`, ...request }), port);
      }),
  );
}

/** The TransportError of one exchange that must fail, with the secret searched for in it. */
async function failure(
  server: Server,
  settings: Partial<SendSettings> = {},
  request: Partial<SendRequest> = {},
): Promise<TransportError> {
  let found: TransportError | undefined;
  await withServer(server, (port) =>
    withSend(async (send) => {
      const url = new Secret(`http://user:${canary}@127.0.0.1:${port}/${canary}?key=${canary}`);
      const headers = { 'x-key': new Secret(canary) };
      await assert.rejects(send({ method: 'POST', url, headers, json: { [canary]: canary }, ...request }), (error) => {
        assert.ok(error instanceof TransportError, inspect(error));
        assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(canary), 'the error holds the secret');
        found = error;
        return true;
      });
    }, settings),
  );
  assert.ok(found);
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

test('any status is an answer, read by the shared table', async () => {
  const outcomes: Record<number, string> = {
    200: 'delivered',
    204: 'delivered',
    400: 'permanent',
    401: 'permanent',
    404: 'permanent',
    500: 'retryable',
    503: 'retryable',
  };
  for (const [status, expected] of Object.entries(outcomes))
    await exchange(
      (_, response) => response.writeHead(Number(status)).end(),
      {},
      (answer) => {
        assert.equal(answer.status, Number(status));
        assert.equal(answer.outcome().is, expected, status);
      },
    );
});

test('Retry-After is understood as seconds and as a date', async () => {
  for (const value of ['7', new Date(Date.now() + 7000).toUTCString()])
    await exchange(
      (_, response) => response.writeHead(429, { 'retry-after': value }).end(),
      {},
      (answer) => {
        const outcome = answer.outcome();
        assert.equal(outcome.is, 'rateLimited');
        const afterMs = 'afterMs' in outcome ? (outcome.afterMs ?? 0) : 0;
        assert.ok(afterMs > 4000 && afterMs <= 8000, String(afterMs));
      },
    );
});

test('a request carries the agent, opened secrets, basic authentication and JSON serialized once', async () => {
  let seen: { headers: IncomingMessage['headers']; body: string; url: string | undefined } | undefined;
  await exchange(
    async (request, response) => {
      seen = { headers: request.headers, body: await bodyOf(request), url: request.url };
      response.end('{"ok":true}');
    },
    {
      json: { text: 'ü' },
      headers: { 'X-Key': new Secret('k1') },
      basic: { username: 'lena', password: new Secret('p:w') },
    },
    (answer) => assert.deepEqual(answer.json(), { ok: true }),
  );
  assert.equal(seen?.headers['user-agent'], 'Tocsin/1.2.3 (kubernetes incident operator)');
  assert.equal(seen?.headers['content-type'], 'application/json');
  assert.equal(seen?.headers['x-key'], 'k1');
  assert.equal(seen?.headers.authorization, `Basic ${Buffer.from('lena:p:w').toString('base64')}`);
  assert.equal(seen?.body, '{"text":"ü"}');
});

test('credentials in the address travel as basic authentication, a form as such, its own content type wins', async () => {
  const seen: object[] = [];
  await withServer(
    createServer((request, response) => {
      const { authorization, 'content-type': type } = request.headers;
      void bodyOf(request).then((body) => {
        seen.push({ authorization, type, url: request.url, body });
        response.end();
      });
    }),
    (port) =>
      withSend(async (send) => {
        const url = new Secret(`http://u:p%40w@127.0.0.1:${port}/a?b=1#c`);
        await send({ method: 'POST', url, form: { text: 'a b', token: new Secret('t&') } });
        assert.deepEqual(seen[0], {
          authorization: `Basic ${Buffer.from('u:p@w').toString('base64')}`,
          type: 'application/x-www-form-urlencoded',
          url: '/a?b=1',
          body: 'text=a+b&token=t%26',
        });
        await send({ method: 'PUT', url, json: [], headers: { 'Content-Type': 'application/x+json' } });
        assert.match(JSON.stringify(seen[1]), /application\/x\+json/);
      }),
  );
});

test('a redirect is an answer and is not followed', async () => {
  let requests = 0;
  await exchange(
    (_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    },
    {},
    (answer) => assert.equal(answer.outcome().is, 'permanent'),
  );
  assert.equal(requests, 1);
});

test('an answer is read to 64 KiB and no further', async () => {
  await exchange(
    (_, response) => {
      response.writeHead(200);
      // Never ends: reading to the end would run into the time-out.
      response.write('x'.repeat(300_000));
    },
    {},
    (answer) => {
      assert.equal(answer.body.length, 64 * 1024);
      assert.equal(answer.json(), undefined);
    },
  );
});

test('an answer is read further where the request asks for it, to 4 MiB at most', async () => {
  await exchange(
    (_, response) => void response.end(JSON.stringify({ list: 'x'.repeat(300_000) })),
    { maxAnswerBytes: 1_000_000 },
    (answer) => assert.equal(Object(answer.json()).list.length, 300_000),
  );
  await exchange(
    (_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(5_000_000));
    },
    { maxAnswerBytes: 1_000_000_000 },
    (answer) => assert.equal(answer.body.length, 4 * 1024 * 1024),
  );
});

test('a refused connection has not arrived', async () => {
  const server = createTcpServer();
  let port = 0;
  await withServer(server, async (listening) => {
    port = listening;
  });
  await withSend(async (send) => {
    await assert.rejects(send({ method: 'POST', url: `http://127.0.0.1:${port}/${canary}` }), {
      name: 'TransportError',
      code: 'Unreachable',
      mayHaveArrived: false,
      message: `127.0.0.1:${port} cannot be reached: the connection was refused`,
    });
  });
});

test('a reset before the answer and an answer cut in half may have arrived', async () => {
  const reset = await failure(createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
  assert.deepEqual([reset.code, reset.mayHaveArrived], ['Unreachable', true]);
  const half = await failure(
    createTcpServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')),
    ),
  );
  assert.deepEqual([half.code, half.mayHaveArrived], ['Unreachable', true]);
});

test('one that hangs or drips is given up at the time-out, and its connection is closed', async () => {
  let closed = false;
  const hang = await failure(
    createTcpServer((socket) => {
      socket.resume();
      socket.on('close', () => {
        closed = true;
      });
    }),
    { timeoutMs: 150 },
  );
  assert.deepEqual([hang.code, hang.mayHaveArrived], ['Timeout', true]);
  assert.match(hang.message, /^no whole answer from 127\.0\.0\.1:\d+ within 0\.15 s$/);
  assert.ok(closed);
  const drip = await failure(
    createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    }),
    { timeoutMs: 150 },
  );
  assert.deepEqual([drip.code, drip.mayHaveArrived], ['Timeout', true]);
});

test('a TLS handshake that stalls ends at the time-out, and so does its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const server = createTcpServer((socket) => socket.resume().on('close', () => closed.resolve()));
  await withServer(server, (port) =>
    withSend(
      async (send) => {
        const begun = performance.now();
        await assert.rejects(send({ method: 'POST', url: `https://127.0.0.1:${port}/` }), {
          code: 'Timeout',
          mayHaveArrived: false,
        });
        await closed.promise;
        assert.ok(performance.now() - begun < 1_500);
      },
      { timeoutMs: 200 },
    ),
  );
});

test('an answer that is not HTTP is an error without its words', async () => {
  const strange = await failure(
    createTcpServer((socket) => socket.once('data', () => socket.end(`${canary}\r\n\r\n`))),
  );
  assert.equal(strange.code, 'Unreachable');
});

test('loopback is refused to a tenant before anything is written, by address, number and name', async () => {
  let connections = 0;
  await withServer(
    createTcpServer(() => {
      connections += 1;
    }),
    (port) =>
      withSend(
        async (send) => {
          for (const host of [
            '127.0.0.1',
            '2130706433',
            '0x7f.1',
            'localhost',
            '[::1]',
            '[::ffff:127.0.0.1]',
            '0.0.0.0',
          ])
            await assert.rejects(send({ method: 'POST', url: `http://${host}:${port}/` }), (error) => {
              assert.ok(error instanceof TransportError, inspect(error));
              assert.equal(error.code, 'BlockedAddress', `${host}: ${error.message}`);
              assert.equal(error.mayHaveArrived, false);
              return true;
            });
        },
        {},
        false,
      ),
  );
  assert.equal(connections, 0);
});

test('a private destination that AlertConfig allows is reached by a tenant too', async () => {
  await withServer(
    createServer((_, response) => response.end()),
    (port) =>
      withSend(
        async (send) => {
          assert.equal((await send({ method: 'POST', url: `http://localhost:${port}/` })).status, 200);
        },
        { allowedPrivateDestinations: ['127.0.0.0/8', '::1'] },
        false,
      ),
  );
});

test('what stands around a body counts: an answer without end is given up long before the time-out, and nothing else is', async () => {
  const begin = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  for (const [what, head] of [
    ['the extension of a chunk', `${begin}1;`],
    ['a status line', 'HTTP/1.1 200 '],
    ['trailers', `${begin}0\r\n`],
  ]) {
    let sent = 0;
    const endless = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(head ?? '');
        const block = Buffer.alloc(65_536, 97);
        const pump = (): void => {
          if (socket.destroyed || sent > 200 * 2 ** 20) return;
          sent += block.length;
          if (socket.write(block)) setImmediate(pump);
          else socket.once('drain', pump);
        };
        pump();
      });
    });
    await withServer(endless, (port) =>
      withSend(
        async (send) => {
          await assert.rejects(
            send({ method: 'POST', url: `http://127.0.0.1:${port}/` }),
            { code: 'Unreachable' },
            what,
          );
        },
        { timeoutMs: 60_000 },
      ),
    );
    // What the buffers of two sockets hold besides.
    assert.ok(sent < 32 * 2 ** 20, `${what}: ${sent}`);
  }
});

test('a kept connection may carry any number of answers', async () => {
  const body = 'x'.repeat(60_000);
  const server = createServer((_, response) => response.end(body));
  await withServer(server, (port) =>
    withSend(async (send) => {
      for (let n = 0; n < 40; n += 1) {
        const answer = await send({ method: 'POST', url: `http://127.0.0.1:${port}/`, body: 'x' });
        assert.equal(answer.body.length, body.length);
      }
    }),
  );
});

test('metadata services are refused to everybody, also by name and through a proxy', async () => {
  await withServer(
    createServer((_, response) => response.end()),
    async (port) => {
      for (const settings of [{}, { proxyURL: `http://127.0.0.1:${port}` }])
        await withSend(async (send) => {
          for (const host of ['169.254.169.254', '[fe80::1]', 'metadata.google.internal', '[::ffff:a9fe:a9fe]'])
            await assert.rejects(
              send({ method: 'GET', url: `http://${host}/latest` }),
              { code: 'BlockedAddress' },
              host,
            );
        }, settings);
    },
  );
});

test('through a proxy the proxy itself is exempt from vetting, the destination is not', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('proxied');
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await withServer(proxy, (port) =>
    withSend(
      async (send) => {
        await assert.rejects(send({ method: 'POST', url: 'http://10.0.0.1/x' }), { code: 'BlockedAddress' });
        await send({ method: 'POST', url: 'http://93.184.215.14/x' }).catch(() => undefined);
      },
      { proxyURL: `http://127.0.0.1:${port}` },
      false,
    ),
  );
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? '', /93\.184\.215\.14/);
});

test('an address or a header that cannot be sent is an error without its value', async () => {
  await withSend(async (send) => {
    for (const url of [canary, `ftp://${canary}`, `javascript:${canary}`, ''])
      await assert.rejects(send({ method: 'POST', url: new Secret(url) }), (error: Error) => {
        assert.ok(error instanceof TransportError);
        assert.equal(error.code, 'BlockedAddress');
        return !inspect(error).includes(canary);
      });
    const headers = { 'x-key': new Secret(`${canary}\r\nhost: evil`) };
    await assert.rejects(send({ method: 'POST', url: 'http://127.0.0.1:1/', headers }), (error: Error) => {
      assert.match(error.message, /"x-key"/);
      return !inspect(error).includes(canary);
    });
  });
});

test('an answer that echoes a secret of the request does not carry it further', async () => {
  const server = createServer((request, response) => {
    const { authorization = '', 'x-key': key = '' } = request.headers;
    response.writeHead(400, { 'x-echo': String(key) }).end(`refused ${authorization} ${String(key)} at ${request.url}`);
  });
  await withServer(server, (port) =>
    withSend(async (send) => {
      const answer = await send({
        method: 'POST',
        url: new Secret(`http://127.0.0.1:${port}/hooks/${canary}-path?k=${canary}-query`),
        headers: { 'x-key': new Secret(`${canary}-header`) },
        basic: { username: 'bell', password: new Secret(`${canary}-password`) },
        json: {},
      });
      assert.doesNotMatch(JSON.stringify([answer.body, answer.headers, answer.outcome()]), new RegExp(canary));
      assert.equal(answer.body, 'refused Basic *** *** at ***');
    }),
  );
});

test('an answer is read before it is blanked: escapes reach no message, and a number stays a number', async () => {
  const secret = '110201543:AA/Hdq&Tcv';
  const said = secret.replace('/', '\\/').replace('&', '\\u0026');
  await exchange(
    (_, response) =>
      response
        .writeHead(400)
        .end(`{"id":110201543,"error":"no key ${said}","${said}":["\\u0000${said.slice(0, 12)}"]}`),
    { headers: { 'x-key': new Secret(secret) } },
    (answer) => {
      assert.deepEqual(answer.json(), { id: 110_201_543, error: 'no key ***', '***': [`\0${secret.slice(0, 12)}`] });
      const reason = JSON.stringify(answer.json());
      const outcome = answer.outcome({ failure: () => ({ is: 'permanent', reason, credential: false }) });
      assert.doesNotMatch(JSON.stringify(outcome), /1543:|Hdq/);
    },
  );
});

test('one key of a list that is quoted is blanked out too', async () => {
  await exchange(
    (_, response) => response.writeHead(400).end(`${canary}-second-key is no key`),
    { form: { user: new Secret(`${canary}-first-key,${canary}-second-key`) } },
    (answer) => assert.equal(answer.body, '*** is no key'),
  );
});

test('Secrets in JSON and in a form are opened for the product alone, in whatever form it quotes them', async () => {
  const secret = `${canary} "ü"`;
  for (const content of [
    { json: { to: [{ key: new Secret(secret) }], at: new Date(0) } },
    { form: { key: new Secret(secret), at: '1970-01-01T00:00:00.000Z' } },
  ]) {
    let sent = '';
    await exchange(
      async (request, response) => {
        sent = await bodyOf(request);
        response.writeHead(400).end(`you said ${sent}, that is ${secret}`);
      },
      content,
      (answer) => assert.doesNotMatch(answer.body, new RegExp(canary)),
    );
    const expected =
      'json' in content
        ? JSON.stringify({ to: [{ key: secret }], at: new Date(0) })
        : new URLSearchParams({ key: secret, at: '1970-01-01T00:00:00.000Z' }).toString();
    assert.equal(sent, expected);
  }
});

test('the parts of a signature that are secret are blanked out alone, the signature with and without its scheme', async () => {
  const signature = `AWS4-HMAC-SHA256 Credential=${canary}/20261120, Signature=abc`;
  const server = createServer((request, response) => {
    const bare = String(request.headers.authorization).replace(/^\S+ /, '');
    response.writeHead(403).end(`${canary} has no access; ${bare} was sent`);
  });
  await withServer(server, (port) =>
    withSend(async (send) => {
      const answer = await send({
        method: 'POST',
        url: `http://127.0.0.1:${port}/`,
        headers: { authorization: new Secret(signature) },
        secrets: [new Secret(canary)],
      });
      assert.equal(answer.body, '*** has no access; *** was sent');
    }),
  );
});
