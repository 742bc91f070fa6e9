import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Access } from '../controlplane/access.ts';

/** What the gate does to lists and watches while a fault is in force. */
export type Fault = {
  readonly name: string;
  /** Only to watches; by default to lists as well. */
  readonly watches?: true;
  /** Answers instead of the API server. */
  answer?(response: ServerResponse): void;
  /** Changes what the API server says, line by line. */
  line?(line: string, held: { last?: string }): readonly string[];
};

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) => {
    const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason: 'Enemy', message: 'not now' };
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const json = { 'content-type': 'application/json' };
const isBookmark = (line: string): boolean => line.includes('"type":"BOOKMARK"');

/**
 * Every kind of enemy that an API server, or what stands before it, has been seen to be, but one: what keeps back what happens while its
 * bookmarks come is found by counting after five to ten minutes (`kube/count-check.ts`), and a siege is over by then.
 */
export const faults: readonly Fault[] = [
  { name: 'never answers', answer: () => undefined },
  {
    name: 'accepts watches and says nothing',
    watches: true,
    answer: (response) => response.writeHead(200, json).flushHeaders(),
  },
  { name: 'refuses with 400', answer: status(400) },
  { name: 'refuses with 500', answer: status(500) },
  { name: 'refuses with 403', answer: status(403) },
  { name: 'has forgotten every version', watches: true, answer: status(410) },
  { name: 'asks to wait for ten years', answer: status(429, { 'retry-after': '315360000' }) },
  {
    name: 'answers with a page',
    answer: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  },
  {
    name: 'leads elsewhere',
    answer: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  },
  { name: 'resets', answer: (response) => void response.destroy() },
  {
    name: 'never ends a line',
    watches: true,
    answer(response) {
      response.writeHead(200, json);
      const chunk = Buffer.alloc(1 << 18, 'x');
      let left = 256;
      const go = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(chunk)) return void response.once('drain', go);
        }
      };
      go();
    },
  },
  {
    name: 'says everything four times',
    watches: true,
    line: (line) => [line, line, line.replace('"MODIFIED"', '"ADDED"'), line],
  },
  {
    name: 'swaps what happens',
    watches: true,
    line(line, held) {
      if (isBookmark(line)) return [line];
      const { last } = held;
      if (last === undefined) {
        held.last = line;
        return [];
      }
      delete held.last;
      return [line, last];
    },
  },
  {
    name: 'gives versions that are no numbers',
    watches: true,
    line: (line) => [line.replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"abc"')],
  },
  {
    name: 'goes back to the first version',
    watches: true,
    line: (line) => [line.replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"1"')],
  },
  {
    name: 'says what is no event',
    watches: true,
    line: (line) => ['null', '[]', '{"type":"ADDED"}', '\u0001garbage', '{"type":"ADDED","object":{', line],
  },
];

/** The kinds that a fault is about: all of them now and then. */
export const paths: readonly RegExp[] = [/\/pods\?/, /\/(?:deployments|replicasets)\?/, /\/events\?/, /./];

/** How often what a fault held back is looked after once it is over (ms). */
const releaseMs = 250;

/** A way to the API server on which it can be made an enemy. */
export type Gate = {
  readonly url: string;
  /** Puts a fault in force; all connections are cut, so that it is met. `undefined`: none. */
  be(fault?: Fault, about?: RegExp): void;
  stop(): Promise<void>;
};

/** Opens it on loopback, without TLS, with the rights of `access`. */
export async function openGate(access: Access): Promise<Gate> {
  const agent = new Agent({ ca: access.ca, cert: access.certificate, key: access.key, keepAlive: true });
  const sockets = new Set<Socket>();
  let force: { readonly fault: Fault; readonly about: RegExp } | undefined;
  const server = createServer((asked, response) => {
    const fault = faultOf(asked);
    if (fault?.answer) fault.answer(response);
    else pass(asked, response, fault);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });

  function faultOf({ url = '', method }: IncomingMessage): Fault | undefined {
    const isWatch = /[?&]watch=(?:1|true)/.test(url);
    const isList = isWatch || url.includes('limit=');
    if (!force || method !== 'GET' || !isList || !force.about.test(url)) return undefined;
    return force.fault.watches && !isWatch ? undefined : force.fault;
  }

  function pass(asked: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
    const { host: _, ...headers } = asked.headers;
    const own = request(access.url + (asked.url ?? ''), { agent, method: asked.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      let rest = '';
      const held: { last?: string } = {};
      // What was held back to be swapped comes when nothing else does.
      const release = setInterval(() => {
        if (force?.fault === fault || held.last === undefined) return;
        response.write(`${held.last}\n`);
        delete held.last;
      }, releaseMs);
      response.on('close', () => clearInterval(release));
      answer.on('data', (chunk: Buffer) => {
        if (!fault?.line) return void response.write(chunk);
        rest += chunk.toString('utf8');
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines)
          for (const each of force?.fault === fault ? fault.line(line, held) : [line]) response.write(`${each}\n`);
      });
      answer.on('end', () => response.end());
      answer.on('error', () => response.destroy());
    });
    own.on('error', () => response.destroy());
    response.on('close', () => own.destroy());
    asked.pipe(own);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    be(fault, about = /./) {
      force = fault && { fault, about };
      // At its end connections stay: what was kept back is not asked for anew by chance.
      if (fault) for (const socket of sockets) socket.destroy();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}
