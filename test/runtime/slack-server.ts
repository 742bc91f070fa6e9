import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Authority } from '../../sandbox/certificate.ts';
import { listen, tunnelTo } from './tunnel.ts';

/** A message of the channel as people see it now: its text, and its buttons with what each carries. */
export type ChannelMessage = {
  readonly ts: string;
  readonly thread?: string;
  text: string;
  buttons: ReadonlyMap<string, string>;
};

/**
 * slack.com with one app in Socket Mode, by what docs.slack.dev says of it: `apps.connections.open` gives a ticket for one WebSocket, which says
 * `hello`; each envelope is to be acknowledged and is sent again otherwise; `disconnect` asks for the next connection. Behind a proxy.
 */
export type SlackServer = {
  readonly proxyURL: string;
  readonly messages: readonly ChannelMessage[];
  /** What was answered at a response_url. */
  readonly answered: readonly string[];
  /** Envelopes that were acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Connections that were opened, and that are open. */
  readonly connections: { opened: number; open: number };
  /** Somebody presses a button, or sends what they like. */
  press(user: { readonly id: string; readonly name: string }, value: string): void;
  /** Sends every envelope once more: under new IDs, as after a lost acknowledgement. */
  again(): void;
  /** Sends any text. */
  send(text: string): void;
  /** Asks for the next connection, and closes this one a moment later. */
  refresh(reason: 'warning' | 'refresh_requested'): void;
  /** Ends every connection without a word. */
  drop(): void;
  stop(): Promise<void>;
};

const hosts = ['slack.com', 'wss-primary.slack.com', 'hooks.slack.com'];

/** Starts it. `authority` signs for its hosts. */
export async function startSlackServer(
  authority: Authority,
  tokens: { readonly bot: string; readonly app: string; readonly ticket: string },
): Promise<SlackServer> {
  const messages: ChannelMessage[] = [];
  const answered: string[] = [];
  const acknowledged = new Set<string>();
  const connections = { opened: 0, open: 0 };
  const payloads: object[] = [];
  const sockets = new Set<Socket>();
  let count = 0;

  const shown = (body: ReturnType<typeof Object>): Pick<ChannelMessage, 'text' | 'buttons'> => {
    const blocks: readonly ReturnType<typeof Object>[] = body.blocks ?? [];
    const elements = blocks.flatMap(({ type, elements: all = [] }) => (type === 'actions' ? all : []));
    const buttons = new Map<string, string>(
      elements.map((one: ReturnType<typeof Object>) => [one.text.text, one.value]),
    );
    return { text: JSON.stringify(body), buttons };
  };

  const methods: Readonly<Record<string, (body: ReturnType<typeof Object>) => object>> = {
    'chat.postMessage'(body) {
      const ts = `${1_790_000_000 + messages.length}.000100`;
      messages.push({ ts, ...(body.thread_ts && { thread: body.thread_ts }), ...shown(body) });
      return { ok: true, channel: 'C0TOCSIN1', ts };
    },
    'chat.update'(body) {
      const message = messages.find(({ ts }) => ts === body.ts);
      if (!message) return { ok: false, error: 'message_not_found' };
      Object.assign(message, shown(body));
      return { ok: true, channel: 'C0TOCSIN1', ts: message.ts };
    },
    'apps.connections.open': () => ({ ok: true, url: `wss://wss-primary.slack.com/link/?ticket=${tokens.ticket}` }),
  };

  async function answer(request: IncomingMessage): Promise<object> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Object(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
    if (request.headers.host === 'hooks.slack.com') {
      answered.push(body.text);
      return { ok: true };
    }
    const method = (request.url ?? '').replace('/api/', '');
    const token = method === 'apps.connections.open' ? tokens.app : tokens.bot;
    if (request.headers.authorization !== `Bearer ${token}`) return { ok: false, error: 'invalid_auth' };
    return methods[method]?.(body) ?? { ok: false, error: 'unknown_method' };
  }

  const pair = authority.sign({ commonName: 'slack.com', names: hosts });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    void answer(request).then((body) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    if (!request.url?.includes(`ticket=${tokens.ticket}`)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    connections.opened += 1;
    connections.open += 1;
    sockets.add(socket);
    socket.on('close', () => {
      connections.open -= 1;
      sockets.delete(socket);
    });
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let frame = frameIn(pending); frame; frame = frameIn(pending)) {
        pending = pending.subarray(frame.bytes);
        if (frame.opcode === 8) socket.end();
        if (frame.opcode === 1) acknowledged.add(Object(JSON.parse(frame.text)).envelope_id);
      }
    });
    socket.write(
      frameOf(JSON.stringify({ type: 'hello', num_connections: sockets.size, connection_info: { app_id: 'A1' } })),
    );
  });
  const send = (text: string): void => {
    for (const socket of [...sockets].slice(-1)) socket.write(frameOf(text));
  };
  const deliver = (payload: object): void => {
    count += 1;
    send(JSON.stringify({ envelope_id: `e-${count}`, type: 'interactive', accepts_response_payload: false, payload }));
  };
  const port = await listen(server);
  const { proxy, proxyURL } = await tunnelTo(port, hosts);
  return {
    ...{ proxyURL, messages, answered, acknowledged, connections, send },
    press({ id, name }, value) {
      const actions = [
        { type: 'button', action_id: 'tocsin-0', value, action_ts: `${1_790_000_000 + payloads.length}.5` },
      ];
      const user = { id, username: name, team_id: 'T1' };
      const url = 'https://hooks.slack.com/actions/T1/1/CANARY-reply';
      const payload = { type: 'block_actions', team: { id: 'T1' }, user, actions, response_url: url };
      payloads.push(payload);
      deliver(payload);
    },
    again() {
      for (const payload of payloads) deliver(payload);
    },
    refresh(reason) {
      send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'wss-1' } }));
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

/** A text as one frame of a server (RFC 6455): unmasked. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 2 : 4);
  head[0] = 0x81;
  head[1] = payload.length < 126 ? payload.length : 126;
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** The first frame of a client, masked, if all of it is there. */
function frameIn(data: Buffer): { readonly opcode: number; readonly text: string; readonly bytes: number } | undefined {
  if (data.length < 6) return undefined;
  const short = (data[1] ?? 0) & 0x7f;
  const start = short === 126 ? 8 : 6;
  if (data.length < start) return undefined;
  const length = short === 126 ? data.readUInt16BE(2) : short;
  if (data.length < start + length) return undefined;
  const mask = data.subarray(start - 4, start);
  const payload = Buffer.from(data.subarray(start, start + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
  return { opcode: (data[0] ?? 0) & 0x0f, text: payload.toString('utf8'), bytes: start + length };
}
