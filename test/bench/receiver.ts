import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook receiver that answers at once and notes when each request began to arrive. */
export type BenchReceiver = {
  readonly url: string;
  /** Told of every opening: the name of the incident's root, and when its request arrived (`performance.now()`). */
  onOpened: (root: string, at: number) => void;
  stop(): Promise<void>;
};

/** Starts it on loopback. */
export async function startBenchReceiver(): Promise<BenchReceiver> {
  const server = createServer((request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        readonly type: string;
        readonly incident: { readonly root: { readonly name: string } } | null;
      };
      if (body.type === 'incident.opened' && body.incident) receiver.onOpened(body.incident.root.name, at);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: BenchReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    onOpened: () => undefined,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
