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

/** What the product of a pager is told: to raise the alert of this name, or to close it. */
type Page = {
  readonly dedup: string;
  readonly action?: 'close';
  readonly summary: string;
  readonly meta?: { readonly root?: string };
};

/**
 * What a receiver is. `plain` takes everything as it comes, `keyed` drops what comes with an `Idempotency-Key` that it has seen, and `pager` has
 * alerts by their names: one that is raised twice calls once.
 */
export type ReceiverKind = 'plain' | 'keyed' | 'pager';

/** How a receiver behaves. */
export type ReceiverOptions = {
  readonly name: string;
  readonly kind: ReceiverKind;
  readonly random: () => number;
};

/** What a receiver does with a request: take it, refuse it with a 503, hang up before it is looked at, or take it and hang up. */
export const moods = ['well', 'refusing', 'absent', 'speechless'] as const;
/** One of them. */
export type Mood = (typeof moods)[number];

/** Answers take up to so long; milliseconds. */
const slowestMs = 300;
/** So many requests are refused with a 503 before they are looked at; a share. */
const refusedShare = 0.04;

/** A receiver on loopback that takes its time, refuses now and then, and keeps what it took. */
export class ChaosReceiver {
  readonly name: string;
  readonly kind: ReceiverKind;
  /** Everything that was taken. */
  readonly taken: Taken[] = [];
  readonly #server = createServer();
  readonly #keys = new Set<string>();
  /** Alerts of a pager by their names. `told`: how often each was raised or closed. */
  readonly #alerts = new Map<string, { readonly isOpen: boolean; readonly told: number; readonly root?: string }>();
  readonly #listeners = new Set<Listener>();
  #dropped = 0;
  #refused = 0;
  #mood: Mood = 'well';
  #port = 0;

  constructor(options: ReceiverOptions) {
    this.name = options.name;
    this.kind = options.kind;
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const mood = this.#mood === 'well' && options.random() < refusedShare ? 'refusing' : this.#mood;
        const key = String(request.headers['idempotency-key']);
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        if (mood === 'refusing' || mood === 'absent') this.#refused += 1;
        else this.#take(key, body, request.socket.remotePort ?? 0);
        void delay(slowestMs * options.random()).then(() => {
          if (mood === 'absent' || mood === 'speechless') response.destroy();
          else response.writeHead(mood === 'refusing' ? 503 : 204).end();
        });
      });
    });
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.#port = port;
  }

  /** Of a pager the server, of others where messages are posted to. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.kind === 'pager' ? '' : '/alerts'}`;
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

  /** How it treats everything from now on. */
  feel(mood: Mood): void {
    this.#mood = mood;
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

  #take(key: string, body: unknown, port: number): void {
    const message = this.kind === 'pager' ? this.#paged(body as Page) : this.#posted(key, body as Body);
    if (message === undefined) {
      this.#dropped += 1;
      return;
    }
    this.taken.push(message);
    for (const listener of this.#listeners) listener(message, port);
  }

  /** A message that was posted; `undefined`: its key was seen before. */
  #posted(key: string, { type, title, incidents, incident }: Body): Taken | undefined {
    if (this.kind === 'keyed' && this.#keys.has(key)) return undefined;
    this.#keys.add(key);
    return {
      ...{ receiver: this.name, at: Date.now(), key, type, title },
      listed: incidents?.map(({ root }) => root.name) ?? [],
      ...(incident && { incident: { id: incident.id, revision: incident.revision, root: incident.root.name } }),
    };
  }

  /** What changes an alert; `undefined`: it is so already, and nobody is called. */
  #paged({ dedup, action, summary, meta }: Page): Taken | undefined {
    const before = this.#alerts.get(dedup);
    const isOpen = action !== 'close';
    if ((before?.isOpen ?? false) === isOpen) return undefined;
    const told = (before?.told ?? 0) + 1;
    const root = before?.root ?? meta?.root?.split('/').at(-1);
    this.#alerts.set(dedup, { isOpen, told, ...(root !== undefined && { root }) });
    return {
      ...{ receiver: this.name, at: Date.now(), key: `${dedup} ${told}` },
      ...{ type: isOpen ? 'incident.opened' : 'incident.resolved', title: summary, listed: [] },
      ...(root !== undefined && { incident: { id: dedup, revision: told, root } }),
    };
  }
}
