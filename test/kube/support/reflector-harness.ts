import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ApiClient } from '../../../src/kube/api-client.ts';
import { createApiClient } from '../../../src/kube/client.ts';
import { fixedClusterConfig } from '../../../src/kube/config.ts';
import { Gate } from '../../../src/kube/gate.ts';
import { LineBudget } from '../../../src/kube/lines.ts';
import { Prober } from '../../../src/kube/prober.ts';
import { Reflector } from '../../../src/kube/reflector.ts';
import type { ReflectorOptions } from '../../../src/kube/reflector-options.ts';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { ObjectEvent } from '../../../src/model/raw-object.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { eventually } from './eventually.ts';
import { type FakeApi, type Handler, type Seen, sendJson, sendStatus, startFakeApi } from './fake-api.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** The resource that most tests watch. */
export const pods: Resource = { group: '', versions: ['v1'], plural: 'pods', kind: 'Pod', namespaced: true };

/** A Pod of the fake. */
export function pod(name: string, version = '1', uid = `uid-${name}`): Record<string, unknown> {
  return { metadata: { namespace: 'shop', name, uid, resourceVersion: version } };
}

/** A list answer. */
export function podList(version: string, items: readonly unknown[], more: Record<string, unknown> = {}): unknown {
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: version, ...more }, items };
}

/** One open watch on the fake. */
export type OpenWatch = {
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
  send(type: string, object: unknown): void;
  raw(text: string): void;
};

/** A bookmark's object. */
export function bookmark(version: string, initialEventsEnd = false): unknown {
  const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  return { kind: 'Pod', metadata: { resourceVersion: version, ...annotations } };
}

/** What a reflector has told, as the runtime would keep it. */
export type Told = {
  readonly reflector: Reflector;
  readonly batches: (readonly ObjectEvent[])[];
  readonly coverage: Coverage[];
  /** `namespace/name` → uid, from the events alone. */
  readonly world: Map<string, string>;
  /** `put shop/a`, `gone shop/a`, in order. */
  events(): string[];
  states(): string[];
  /** Waits until it watches and says so. */
  synced(): Promise<void>;
};

/** A fake API server, virtual time and reflectors on it. */
export type Harness = {
  readonly api: FakeApi;
  readonly clock: VirtualClock;
  readonly client: ApiClient;
  readonly gate: Gate;
  readonly prober: Prober;
  readonly watches: OpenWatch[];
  /** Scripts: replaced by tests. A list is a GET without `watch`; a streaming list has `sendInitialEvents`. */
  onList: Handler;
  onWatch: Handler;
  onStreamingList: Handler;
  onReady: Handler;
  lists(): Seen[];
  watchRequests(): Seen[];
  probes(): Seen[];
  start(options?: Partial<ReflectorOptions>): Told;
  /** Opens a watch answer and keeps it. */
  open: Handler;
  /** Lets virtual time pass in small steps, with real moments for the sockets, until it holds; the virtual time it took. */
  passUntil(what: string, limitMs: number, holds: () => boolean): Promise<number>;
};

/** Runs a test on a harness and cleans up; no request may ever have combined a limit with a version. */
export async function withHarness(run: (harness: Harness) => Promise<void>, random = () => 0.5): Promise<void> {
  const clock = virtualClock();
  const watches: OpenWatch[] = [];
  const reflectors: Reflector[] = [];
  const isWatch = (request: Seen): boolean => request.query.get('watch') === 'true';

  const api = await startFakeApi((request, response) => {
    if (request.path === '/readyz') harness.onReady(request, response);
    else if (request.query.has('sendInitialEvents')) harness.onStreamingList(request, response);
    else if (isWatch(request)) harness.onWatch(request, response);
    else harness.onList(request, response);
  });
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock, version: '0' });

  const open: Handler = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const watch: OpenWatch = {
      query: request.query,
      response,
      send: (type, object) => void response.write(`${JSON.stringify({ type, object })}\n`),
      raw: (text) => void response.write(text),
    };
    watches.push(watch);
  };

  const harness: Harness = {
    api,
    clock,
    client,
    gate: new Gate(2),
    prober: new Prober({ client, clock, random }),
    watches,
    onList: (_, response) => sendJson(response, 200, podList('10', [])),
    onWatch: open,
    onStreamingList: (_, response) => sendStatus(response, 422, 'Invalid', 'sendInitialEvents is forbidden'),
    onReady: (_, response) => void response.end('ok'),
    lists: () => api.seen.filter((request) => request.path !== '/readyz' && !isWatch(request)),
    watchRequests: () => api.seen.filter((request) => isWatch(request) && !request.query.has('sendInitialEvents')),
    probes: () => api.seen.filter((request) => request.path === '/readyz'),
    open,
    start(options = {}) {
      const batches: (readonly ObjectEvent[])[] = [];
      const coverage: Coverage[] = [];
      const world = new Map<string, string>();
      const reflector = new Reflector({
        client,
        resource: pods,
        version: 'v1',
        clock,
        random,
        gate: harness.gate,
        prober: harness.prober,
        budget: new LineBudget(),
        onEvents(events) {
          batches.push(events);
          for (const { is, raw } of events) {
            const key = `${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
            if (is === 'put') world.set(key, raw.metadata.uid ?? '');
            else world.delete(key);
          }
        },
        onCoverage: (row) => coverage.push(row),
        known: () =>
          [...world].map(([key, uid]) => {
            const [namespace = '', name = ''] = key.split('/');
            return { namespace, name, uid };
          }),
        ...options,
      });
      reflector.start();
      reflectors.push(reflector);
      const states = (): string[] => coverage.map((row) => `${row.state} ${row.reason}`);
      return {
        reflector,
        batches,
        coverage,
        world,
        events: () => batches.flat().map(({ is, raw }) => `${is} ${raw.metadata.namespace}/${raw.metadata.name}`),
        states,
        synced: () => eventually('it watches', () => states().at(-1) === 'Watching Synced'),
      };
    },
    async passUntil(what, limitMs, holds) {
      const from = clock.now();
      const until = from + limitMs;
      for (;;) {
        await eventually(what, holds, 6).catch(() => undefined);
        if (holds()) return clock.now() - from;
        if (clock.now() >= until) break;
        // Never far in one step: a request under way must not meet its deadline because this machine is slow.
        await clock.advance(Math.max(1, Math.min(clock.untilNext(), 500, until - clock.now())));
      }
      throw new Error(`still not so after ${limitMs} ms of virtual time: ${what}`);
    },
  };

  try {
    await run(harness);
  } finally {
    await Promise.all(reflectors.map((reflector) => reflector.stop()));
    await client.close();
    await api.close();
  }
  for (const request of api.seen)
    assert.ok(
      !(request.query.has('limit') && request.query.has('resourceVersion')),
      `a limit was combined with a version: ${request.query.toString()}`,
    );
}
