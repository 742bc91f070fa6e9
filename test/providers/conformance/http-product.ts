/**
 * An HTTP product that is every host: a proxy leads each connection to one server, with a certificate for the name asked for, and
 * answers in its place what is asked without TLS.
 */
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createSender, type Sender } from '../../../src/delivery/send.ts';
import type { Mail } from '../../../src/providers/provider.ts';
import { realClock } from '../../delivery/clock.ts';
import type { Answer, HttpAnswer } from './case-file.ts';
import { type Arrived, certificateFor, drip, type Fault, HeldClock, resolver, type Wire } from './wire.ts';

/** Headers that follow from the connection. */
const framing = new Set(['host', 'connection', 'content-length']);

/** Longer than any case takes on a machine that is busy with something else. */
const idleMs = 120_000;
/** For an answer of this process; where time-outs are meant, the time is that of a held clock. */
const patienceMs = 30_000;

const noMail: Mail = {
  send: () => Promise.reject(new Error('this type has no mail server')),
  check: () => Promise.reject(new Error('this type has no mail server')),
};

/** Starts the product. `well`: what it answers when nothing else is scripted. */
export async function startHttpProduct(well: readonly HttpAnswer[]): Promise<Wire> {
  let script: readonly (Answer | null)[] | Fault | 'echo' = [];
  let arrived: Arrived[] = [];
  const held = new HeldClock();
  const server = createServer(
    {
      SNICallback(name, done) {
        const { certificate, key } = certificateFor(name);
        done(null, createSecureContext({ cert: certificate, key }));
      },
    },
    (request, response) => void serve(request, response),
  );
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const index = arrived.length;
    arrived.push(arrivedOf(request, body));
    if (typeof script !== 'string') answer(response, chosen(script, index, well, request));
    else if (script === 'echo') answer(response, { status: 400, text: echoOf(request, body) });
    else misbehave(response, script, held);
  }
  const port = await listen(server);
  const proxy = createProxy((request, response) => void serve(request, response));
  proxy.on('connect', (_request: IncomingMessage, client: Socket) => {
    const upstream = connect({ port, host: '127.0.0.1' }, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket.on('error', () => undefined).on('close', () => other.destroy());
  });
  // Idle connections stay: one that ends just as the next request is sent would be a fault that nobody asked for.
  for (const each of [server, proxy]) each.keepAliveTimeout = idleMs;
  const proxyURL = `http://127.0.0.1:${await listen(proxy)}`;
  const settings = () => ({ timeoutMs: patienceMs, allowedPrivateDestinations: [], proxyURL });
  const [usual, hurried]: readonly [Sender, Sender] = [
    createSender({ clock: realClock, version: 'test', resolver, settings }),
    createSender({ clock: held, version: 'test', resolver, settings }),
  ];
  return {
    ways(minTimeoutMs, hasty) {
      return {
        send: (hasty ? hurried : usual).for({ allPrivate: true, ...(minTimeoutMs !== undefined && { minTimeoutMs }) }),
        mail: noMail,
      };
    },
    script(next) {
      script = next;
      arrived = [];
    },
    arrived: () => arrived,
    async [Symbol.asyncDispose]() {
      await Promise.all([usual.close(), hurried.close()]);
      server.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** The answer whose turn it is, else one that the script has for this address, else that of a well product. */
function chosen(
  script: readonly (Answer | null)[],
  index: number,
  well: readonly HttpAnswer[],
  { method, url = '', headers }: IncomingMessage,
): HttpAnswer {
  const request = `${method} ${headers.host}${url}`;
  const scripted = script.map((each) => (each && 'status' in each ? each : undefined));
  const due = scripted[index];
  if (due && due.match === undefined) return due;
  return (
    scripted.find((each) => each?.match !== undefined && request.includes(each.match)) ??
    well.find(({ match }) => match === undefined || request.includes(match)) ?? { status: 404, text: 'not scripted' }
  );
}

function answer(response: ServerResponse, { status, headers, json, text }: HttpAnswer): void {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(json === undefined ? text : JSON.stringify(json));
}

/** Everything that came in, as products quote it in their errors; credentials without their scheme first. */
function echoOf({ url, headers }: IncomingMessage, body: string): string {
  const bare = headers.authorization?.replace(/^\S+ /, '') ?? '';
  return JSON.stringify({ ok: false, error: `${bare} ${url} ${Object.values(headers).join(' ')} ${body}` });
}

function misbehave(response: ServerResponse, fault: Fault, clock: HeldClock): void {
  if (fault === 'silence') {
    clock.elapse();
    return;
  }
  if (fault === 'reset') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"ok":', () => {
    if (fault === 'half') response.socket?.destroy();
    else
      response.on(
        'close',
        drip(() => response.write(' '), clock),
      );
  });
}

function arrivedOf({ method, url, headers }: IncomingMessage, body: string): Arrived {
  // A proxy is asked for a whole address.
  const address = url?.startsWith('http://') ? url : `https://${headers.host}${url}`;
  const kept = Object.entries(headers).filter(([name]) => !framing.has(name));
  const parsed = parsedOf(body, headers['content-type']);
  return {
    golden: { request: `${method} ${address}`, headers: Object.fromEntries(kept), body: parsed },
    brief: `${method} ${address}`,
    body,
    parsed,
  };
}

function parsedOf(body: string, type = ''): unknown {
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
