import { createServer, type Server, type ServerOptions } from 'node:https';
import { openSecret } from '../model/secret.ts';
import type { ServingPair } from './serving-pair.ts';

/** A server of another protocol, closed with all its connections. */
export type Closable = { close(): Promise<void> };

/** How the listener is made and bound. */
export type TlsListenerOptions = {
  /** Limits of requests and connections. */
  readonly limits: ServerOptions;
  /** Makes a server answer, and binds it; rejects when the port is taken. */
  readonly serve: (server: Server) => Promise<Closable>;
};

/**
 * The endpoints over TLS, while there is a certificate. It listens from the first one on, takes a renewed one without ending a
 * connection, and ends when there is none.
 */
export class TlsListener {
  readonly #options: TlsListenerOptions;
  #server: Server | undefined;
  #running: Closable | undefined;
  /** One after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: TlsListenerOptions) {
    this.#options = options;
  }

  /** Serves with this from now on; `undefined` ends it. Rejects when the port is taken, or when the pair cannot be used. */
  use(pair: ServingPair | undefined): Promise<void> {
    const next = this.#last.then(() => this.#use(pair));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #use(pair: ServingPair | undefined): Promise<void> {
    if (pair === undefined) {
      const running = this.#running;
      this.#server = undefined;
      this.#running = undefined;
      await running?.close();
      return;
    }
    const secrets = { cert: pair.certificate, key: openSecret(pair.key), minVersion: 'TLSv1.2' } as const;
    if (this.#server) {
      this.#server.setSecureContext(secrets);
      return;
    }
    const server = createServer({ ...this.#options.limits, ...secrets });
    this.#running = await this.#options.serve(server);
    this.#server = server;
  }
}
