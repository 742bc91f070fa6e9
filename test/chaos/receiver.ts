import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Taken } from './judge.ts';

/** What a message says, as far as the judge reads it. */
type Body = {
  readonly type: string;
  readonly title: string;
  readonly incidents: readonly { readonly root: { readonly name: string } }[] | null;
  readonly incident: {
    readonly id: string;
    readonly revision: number;
    readonly root: { readonly name: string };
  } | null;
};

/** Told of a message, and of the port at the other end of its connection. */
type Listener = (message: Taken, port: number) => void;

/** How a receiver behaves. */
export type ReceiverOptions = {
  readonly name: string;
  /** Drops what comes with an `Idempotency-Key` that it has seen, as products do that take one. */
  readonly isKeyed: boolean;
  readonly random: () => number;
};

/** Answers take up to so long; milliseconds. */
const slowestMs = 300;
/** So many requests are refused with a 503 before they are looked at; a share. */
const refusedShare = 0.04;

/** A receiver on loopback that takes its time, refuses now and then, and keeps what it took. */
export class ChaosReceiver {
  readonly name: string;
  /** Everything that was taken. */
  readonly taken: Taken[] = [];
  readonly #options: ReceiverOptions;
  readonly #server = createServer();
  readonly #keys = new Set<string>();
  readonly #listeners = new Set<Listener>();
  #dropped = 0;
  #refused = 0;
  #refusing = false;
  #port = 0;

  constructor(options: ReceiverOptions) {
    this.name = options.name;
    this.#options = options;
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isRefused = this.#refusing || options.random() < refusedShare;
        const key = String(request.headers['idempotency-key']);
        if (isRefused) this.#refused += 1;
        else this.#take(key, JSON.parse(Buffer.concat(chunks).toString('utf8')), request.socket.remotePort ?? 0);
        void delay(slowestMs * options.random()).then(() => response.writeHead(isRefused ? 503 : 204).end());
      });
    });
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.#port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/alerts`;
  }

  /** How many repeats it has dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many requests it has refused. */
  get refused(): number {
    return this.#refused;
  }

  /** Ends every connection. */
  disconnect(): void {
    this.#server.closeAllConnections();
  }

  /** Refuses everything with a 503, or takes it again. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
  }

  /** Calls `listener` with each message once all of it is there, before it is answered; the returned function ends that. */
  onTaken(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #take(key: string, { type, title, incidents, incident }: Body, port: number): void {
    if (this.#options.isKeyed && this.#keys.has(key)) {
      this.#dropped += 1;
      return;
    }
    this.#keys.add(key);
    const message: Taken = {
      ...{ receiver: this.name, at: Date.now(), key, type, title },
      listed: incidents?.map(({ root }) => root.name) ?? [],
      ...(incident && { incident: { id: incident.id, revision: incident.revision, root: incident.root.name } }),
    };
    this.taken.push(message);
    for (const listener of this.#listeners) listener(message, port);
  }
}
