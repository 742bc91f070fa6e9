/** A product on loopback that records requests and answers by a script, and attempts that reach it through the real sender. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createSender } from '../../src/delivery/send.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Outcome } from '../../src/model/delivery.ts';
import { Secret } from '../../src/model/secret.ts';
import { joinConfig, splitConfig } from '../../src/providers/kit/config.ts';
import type { ProviderDefinition } from '../../src/providers/kit/define.ts';
import type { Attempt } from '../../src/providers/provider.ts';

/** A request as it arrived. */
export type Arrived = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What to answer; 204 when the script is at its end. */
export type Scripted = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** A running product. */
export type Product = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly arrived: readonly Arrived[];
};

/** Starts a product that gives these answers in turn. */
export async function startProduct(answers: readonly Scripted[] = []): Promise<Product> {
  const arrived: Arrived[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const scripted = answers[arrived.length] ?? { status: 204 };
    arrived.push({
      method,
      path: url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(chunks).toString('utf8'),
    });
    response.writeHead(scripted.status, { connection: 'close', ...scripted.headers }).end(scripted.body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = { port: 0, ...Object(server.address()) };
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Delivers once, with a block as a resource holds it; values in place of Secrets come from `values`. */
export function deliverOnce<C>(
  definition: ProviderDefinition<C>,
  block: unknown,
  attempt: Pick<Attempt<C>, 'notification' | 'delivery' | 'now' | 'ref'>,
  values: Readonly<Record<string, string>>,
): Promise<Outcome> {
  return withAttempt(definition, block, attempt, values, (whole) => definition.deliver(whole));
}

/** Hands everything of one attempt to `use`, and ends its connections afterwards: for `deliver`, `find` and `check` alike. */
export async function withAttempt<C, R>(
  definition: ProviderDefinition<C>,
  block: unknown,
  attempt: Pick<Attempt<C>, 'notification' | 'delivery' | 'now' | 'ref'>,
  values: Readonly<Record<string, string>>,
  use: (attempt: Attempt<C>) => Promise<R> | R,
): Promise<R> {
  const sender = createSender({
    clock: systemClock,
    version: 'test',
    resolver: new Resolver({ clock: systemClock }),
    settings: () => ({ timeoutMs: 5_000, allowedPrivateDestinations: [] }),
  });
  try {
    const opened = new Map(Object.entries(values).map(([path, value]) => [path, new Secret(value)] as const));
    const config = joinConfig(definition, splitConfig(definition, block).config, opened);
    const send = sender.for({ allPrivate: true });
    const none = () => Promise.reject(new Error('this type sends no mail'));
    const mail = { send: none, check: none };
    return await use({ ...attempt, config, send, mail });
  } finally {
    await sender.close();
  }
}
