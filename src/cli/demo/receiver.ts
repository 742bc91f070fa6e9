import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the webhook provider posts, as far as the demo shows it. */
export type Received = {
  readonly type: string;
  readonly severity: string;
  readonly title: string;
  readonly message: string;
  readonly status: string;
  readonly incident: { readonly reason: string; readonly id: string } | null;
};

/** A receiver on loopback: any HTTP server could be in its place. */
export type Receiver = { readonly url: string; stop(): Promise<void> };

/** Larger bodies are refused; the webhook sends 64 KiB at most. */
const maxBodyBytes = 256 * 1024;

/** Starts a receiver on a free port; each message is handed to `arrived`. */
export async function startReceiver(arrived: (message: Received) => void): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      response.statusCode = size <= maxBodyBytes ? 204 : 413;
      response.end();
      // The webhook's schema is ours (docs/reference); the demo shows what it was sent.
      if (size <= maxBodyBytes) arrived(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
