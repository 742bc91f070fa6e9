import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The webhook's body, as far as the tests read it. */
export type Message = {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly severity: string;
  readonly title: string;
  readonly message: string;
  readonly incident: {
    readonly id: string;
    readonly key: string;
    readonly revision: number;
    readonly reason: string;
    readonly root: { readonly kind: string; readonly namespace: string | null; readonly name: string };
    readonly cause: string | null;
    readonly affected: { readonly count: number };
    readonly podCount: number;
    readonly logs: string | null;
  } | null;
  readonly receivedAt: number;
};

/** A real HTTP receiver on loopback. */
export type Receiver = {
  readonly url: string;
  readonly messages: readonly Message[];
  /** Resolves with the first message (old or new) that matches; rejects after `seconds`, naming what did arrive. */
  wait(what: string, matches: (message: Message) => boolean, seconds: number): Promise<Message>;
  stop(): Promise<void>;
};

/** Starts a receiver that takes everything, or answers as `status` says: what it does not take is no message. */
export async function startReceiver(status: (request: IncomingMessage) => number = () => 204): Promise<Receiver> {
  const messages: Message[] = [];
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const code = status(request);
      if (code >= 300) {
        response.writeHead(code).end();
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Omit<Message, 'receivedAt'>;
      messages.push({ ...body, receivedAt: Date.now() });
      response.writeHead(code).end();
      for (const listener of listeners) listener();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    messages,
    wait(what, matches, seconds) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages.find(matches);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          listeners.delete(look);
          const arrived = messages.map(({ type, title }) => `${type} ${title}`).join('\n  ');
          reject(new Error(`no ${what} within ${seconds} s; arrived:\n  ${arrived || 'nothing'}`));
        }, seconds * 1000);
        listeners.add(look);
        look();
      });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether a request bears this token. */
export function bears(request: IncomingMessage, token: string): boolean {
  return request.headers.authorization === `Bearer ${token}`;
}
