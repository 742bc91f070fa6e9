import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Kubelet, type KubeletOptions, startKubelet } from '../../sandbox/kubelet.ts';
import { isFields } from '../../sandbox/object.ts';
import type { ApiClient } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { linesOf } from '../../src/kube/lines.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import type { Clock } from '../../src/model/clock.ts';
import { Secret } from '../../src/model/secret.ts';

/** An answer, whatever its status. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
};

/** How to send one request. */
export type Ask = {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
};

/** One event of a watch, as it came. */
export type Event = { readonly type: string; readonly object: unknown };

/** An API server under test: the sandbox or a real one. */
export type Environment = {
  readonly api: ApiClient;
  readonly kubelet: Kubelet;
  ask(method: string, path: string, ask?: Ask): Promise<Answer>;
  /** The events of a watch until `enough` says so or the stream ends. Fails after 20 s. */
  watch(path: string, enough: (events: readonly Event[]) => boolean, accept?: string): Promise<readonly Event[]>;
  /** Makes the server forget its history. */
  compact(): Promise<void>;
  stop(): Promise<void>;
};

/** What an environment is made of. */
export type EnvironmentParts = {
  readonly url: string;
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly clock?: Clock;
  readonly kubelet: Omit<KubeletOptions, 'api' | 'clock'>;
  compact(): Promise<void>;
  stop(): Promise<void>;
};

/** The longest a watch or a state may take to come. */
const patienceMs = 20_000;

/** Connects to a server and starts simulated nodes on it. */
export async function connect(parts: EnvironmentParts): Promise<Environment> {
  const { url, tls } = parts;
  const clock = parts.clock ?? systemClock;
  const client = tls ? { ca: tls.ca, cert: tls.cert, key: new Secret(tls.key) } : undefined;
  const config = fixedClusterConfig({ server: url, ...(client ? { tls: client } : {}) });
  const api = createApiClient(config, { clock: systemClock, version: '0.0.0' });
  const dispatcher = new Agent({ connect: tls ?? {}, bodyTimeout: 0 });
  const kubelet = await startKubelet({ api, clock, onError: complain, ...parts.kubelet });
  return {
    api,
    kubelet,
    async ask(method, path, { body, contentType = 'application/json', accept = 'application/json' } = {}) {
      const answer = await request(`${url}${path}`, {
        dispatcher,
        method: method as 'GET',
        headers: {
          accept,
          'user-agent': 'contract/1.0',
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body: parsed(text) };
    },
    async watch(path, enough, accept = 'application/json') {
      const ender = new AbortController();
      const signal = AbortSignal.any([ender.signal, AbortSignal.timeout(patienceMs)]);
      const events: Event[] = [];
      try {
        const answer = await request(`${url}${path}`, { dispatcher, signal, headers: { accept } });
        if (answer.statusCode !== 200)
          throw new Error(`watch ${path}: ${answer.statusCode} ${await answer.body.text()}`);
        for await (const lines of linesOf(answer.body))
          for (const line of lines) {
            const event = parsed(Buffer.from(line).toString('utf8'));
            if (isFields(event)) events.push({ type: String(event.type), object: event.object });
            if (enough(events)) {
              ender.abort();
              return events;
            }
          }
      } catch (error) {
        if (!ender.signal.aborted)
          throw new Error(`watch ${path} ended after ${JSON.stringify(events.map((e) => e.type))}`, { cause: error });
      }
      return events;
    },
    compact: parts.compact,
    async stop() {
      await kubelet.stop();
      await api.close();
      await dispatcher.destroy();
      await parts.stop();
    },
  };
}

/** What goes wrong in a simulated kubelet would otherwise only be seen as a test that waits for nothing. */
const complain = (error: unknown): void => console.error('simulated kubelet:', error);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Asks again every tenth of a second until the answer is not `undefined`; fails with what it waited for. */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T | undefined>,
  withinMs = 60_000,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; ) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`after ${withinMs / 1000} s still not: ${what}`);
    await delay(100);
  }
}
