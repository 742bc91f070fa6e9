/** What the suite needs of a product, whatever it speaks, and the network that all of them live in. */
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { mock } from 'node:test';
import tls from 'node:tls';
import { createAuthority, type KeyPair } from '../../../sandbox/certificate.ts';
import type { Names } from '../../../src/delivery/resolver.ts';
import type { Clock } from '../../../src/model/clock.ts';
import type { Mail, Send } from '../../../src/providers/provider.ts';
import type { Answer } from './case-file.ts';

/** How a product misbehaves without saying anything that could be read. */
export const faults = ['silence', 'reset', 'half', 'drip'] as const;
export type Fault = (typeof faults)[number];

/** The ways to a product. */
export type Ways = { readonly send: Send; readonly mail: Mail };

/** A product on loopback. */
export type Wire = AsyncDisposable & {
  /** Through the real sender and mailer. `hasty`: their time-outs come as soon as the product has shown that nothing will. */
  ways(minTimeoutMs: number | undefined, hasty: boolean): Ways;
  /** Forgets what arrived; answers by this from now on, then well. */
  script(answers: readonly (Answer | null)[] | Fault | 'echo'): void;
  /** What arrived, in the form that golden files hold. */
  arrived(): readonly Arrived[];
};

/** One request or mail. */
export type Arrived = {
  /** As a golden file holds it. */
  readonly golden: Readonly<Record<string, unknown>>;
  /** Address or envelope, for short lists. */
  readonly brief: string;
  /** The payload as it was sent, and what a limit's path is looked up in. */
  readonly body: string;
  readonly parsed: unknown;
};

/** The host's clock, on which every wait ends at `elapse` and no sooner. */
export class HeldClock implements Clock {
  readonly #waiting = new Set<() => void>();

  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  after(_milliseconds: number, action: () => void): () => void {
    this.#waiting.add(action);
    return () => void this.#waiting.delete(action);
  }

  /** Whatever is waited for now falls due. */
  elapse(): void {
    const due = [...this.#waiting];
    this.#waiting.clear();
    for (const action of due) action();
  }
}

/** Answers byte by byte, and lets the time be over when it has become clear that this goes on for ever. */
export function drip(write: () => void, clock: HeldClock): () => void {
  let drops = 0;
  const dripping = setInterval(() => {
    write();
    drops += 1;
    if (drops === 3) clock.elapse();
  }, 5);
  return () => clearInterval(dripping);
}

const authority = createAuthority('Tests', Date.now());
const certificates = new Map<string, KeyPair>();
/** A certificate for a name, of an authority that this process trusts. */
export function certificateFor(name: string): KeyPair {
  const known = certificates.get(name) ?? authority.sign({ commonName: name, names: [name] });
  certificates.set(name, known);
  return known;
}

/** Well-known ports that tests may not listen on → where they lead. */
const rerouted = new Map<number, number>();
/** Leads connections to `port` to another one. */
export function reroute(port: number, to: number): void {
  rerouted.set(port, to);
}

/** Every name resolves: mail servers to loopback, the rest to an address of documentation that a proxy alone is asked for. */
export const resolver: Names = {
  resolve: async (name) => [{ address: name.startsWith('smtp.') ? '127.0.0.1' : '192.0.2.1', family: 4 }],
};

/** A network for tests, in this process: the tests' authority is trusted, and privileged ports lead elsewhere. */
export function buildNetwork(): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('bundled'), authority.certificate]);
  const connect = net.connect.bind(net);
  mock.method(net, 'connect', (options: net.NetConnectOpts, done?: () => void) => {
    const to = 'port' in options ? rerouted.get(options.port) : undefined;
    return connect(to === undefined ? options : { ...options, port: to }, done);
  });
  syncBuiltinESMExports();
}
