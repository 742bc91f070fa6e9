import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as the webhook has it, as far as the judge reads it. */
type Body = {
  readonly type: string;
  readonly title: string;
  readonly message: string;
  readonly incident: { readonly root: { readonly name: string } } | null;
  readonly incidents: readonly { readonly root: { readonly name: string } }[] | null;
};

/** What was taken: about which roots, and when (epoch milliseconds). A summary is about several. */
export type Taken = {
  readonly type: string;
  readonly title: string;
  readonly text: string;
  readonly roots: readonly string[];
  readonly at: number;
};

/** A webhook on loopback that keeps what it took, in order. */
export class FleetReceiver {
  readonly url: string;
  readonly taken: Taken[] = [];
  /** Asked of each attempt before it is taken: whoever says false has it refused with a 503. */
  admits: (attempt: Taken) => boolean = () => true;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { type, title, message, incident, incidents } = JSON.parse(
          Buffer.concat(chunks).toString('utf8'),
        ) as Body;
        const roots = (incidents ?? (incident ? [incident] : [])).map(({ root }) => root.name);
        const attempt = { type, title, text: message, roots, at: Date.now() };
        const isTaken = this.admits(attempt);
        if (isTaken) this.taken.push(attempt);
        response.writeHead(isTaken ? 204 : 503).end();
      });
    });
  }

  /** Listens on a free port of loopback. */
  static async start(): Promise<FleetReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FleetReceiver(server);
  }

  /** Messages about one root, in order. */
  about(root: string): readonly Taken[] {
    return this.taken.filter(({ roots }) => roots.includes(root));
  }

  /** Takes nothing any more. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
