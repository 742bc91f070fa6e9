import { createServer as createProxy, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { Authority } from '../../sandbox/certificate.ts';

/** A message of a channel as people see it now, after every edit. */
export type SlackMessage = {
  readonly ts: string;
  readonly thread?: string;
  text: string;
  edits: number;
};

/** slack.com with one workspace of one channel, behind a proxy, as it is reached from a cluster without a way out of its own. */
export type SlackWorkspace = {
  readonly proxyURL: string;
  readonly messages: readonly SlackMessage[];
  /** Methods that were called, in order. */
  readonly calls: readonly string[];
  stop(): Promise<void>;
};

/** The channel's id; a bot may call it by its name too. */
const channel = 'C0TOCSIN1';

/** Starts it. `authority` signs for slack.com; `token` is the bot's. Answers as the Web API documents them. */
export async function startSlackWorkspace(authority: Authority, token: string): Promise<SlackWorkspace> {
  const messages: SlackMessage[] = [];
  const calls: string[] = [];
  const pair = authority.sign({ commonName: 'slack.com', names: ['slack.com'] });

  const methods: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => object>> = {
    'chat.postMessage'(body) {
      if (body.channel !== channel && body.channel !== '#alerts') return { ok: false, error: 'channel_not_found' };
      const thread = typeof body.thread_ts === 'string' ? body.thread_ts : undefined;
      if (thread !== undefined && !messages.some(({ ts }) => ts === thread))
        return { ok: false, error: 'thread_not_found' };
      const ts = `${1_790_000_000 + messages.length}.000100`;
      messages.push({ ts, ...(thread === undefined ? {} : { thread }), text: shown(body), edits: 0 });
      return { ok: true, channel, ts };
    },
    'chat.update'(body) {
      const message = messages.find(({ ts }) => ts === body.ts);
      if (!message || body.channel !== channel) return { ok: false, error: 'message_not_found' };
      message.text = shown(body);
      message.edits += 1;
      return { ok: true, channel, ts: message.ts };
    },
  };

  async function answer(request: IncomingMessage): Promise<object> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const name = (request.url ?? '').replace('/api/', '');
    calls.push(name);
    if (request.headers.authorization !== `Bearer ${token}`) return { ok: false, error: 'invalid_auth' };
    const method = methods[name];
    return method ? method(JSON.parse(Buffer.concat(chunks).toString('utf8'))) : { ok: false, error: 'unknown_method' };
  }

  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    void answer(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const port = await listen(server);
  const proxy = createProxy((_, response) => void response.writeHead(405).end());
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    client.on('error', () => undefined);
    if (request.url !== 'slack.com:443') {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const upstream = connect({ port, host: '127.0.0.1' }, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return {
    proxyURL: `http://127.0.0.1:${await listen(proxy)}`,
    messages,
    calls,
    async stop() {
      server.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

/** Everything that can be read in a message. */
function shown(body: Readonly<Record<string, unknown>>): string {
  return [body.text, JSON.stringify(body.attachments ?? [])].join('\n');
}

async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}
