import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../sandbox/certificate.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { bodyOf, createAnswers, listedResources } from './answers.ts';
import type { ClusterObjects } from './cluster.ts';
import { type Collection, createCollection } from './collection.ts';

/** When one client read everything: epoch milliseconds of its first list and of its last watch. */
export type Reading = { readonly firstListAt: number; readonly watchedAt: number };

/** An API server that is never the slow side: lists are bytes made beforehand, watches say what they are told to. */
export type BenchServer = {
  readonly url: string;
  /** PEM: the authority of its certificate. */
  readonly ca: string;
  /** Forgets who has read what. */
  begin(): void;
  /** Resolves when each of these sources has been listed and is watched. */
  watched(sources: readonly string[]): Promise<Reading>;
  /** The bytes of an event as watches carry them, to be made before the clock starts. */
  event(source: string, type: 'ADDED' | 'MODIFIED', object: RawObject): Uint8Array;
  /** Writes an event to every watch of a source. */
  emit(source: string, event: Uint8Array): void;
  /** Creates or changes one of our own objects (AlertConfig, AlertProvider). */
  put(object: RawObject): void;
  /** The status of one of our own objects, as applied. */
  status(plural: string, name: string): unknown;
  stop(): Promise<void>;
};

/** As often as kube-apiserver does, about. */
const bookmarkMs = 60_000;
/** Epoch milliseconds with fractions. */
const now = (): number => performance.timeOrigin + performance.now();

/** Serves a cluster over TLS on loopback. `streams`: whether it knows streaming lists. */
export async function startBenchServer(options: {
  readonly cluster: ClusterObjects;
  readonly streams: boolean;
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}): Promise<BenchServer> {
  const collections = new Map<string, Collection>();
  for (const { source, kind, apiVersion } of listedResources.values())
    collections.set(source, createCollection(apiVersion, `${kind}List`, options.cluster.get(source)?.() ?? []));
  /** Our own objects, by plural and name: few, and changing. */
  const own = new Map<string, RawObject>();
  const watches = new Map<string, Set<ServerResponse>>();
  const seen = new Set<string>();
  let firstListAt = 0;
  let watchedAt = 0;
  let told = Promise.withResolvers<void>();
  let version = 10_000_000;

  const answers = createAnswers({
    secrets: options.secrets,
    applied(plural, name, status) {
      const object = own.get(`${plural}/${name}`);
      if (object) put({ ...object, status }, plural);
      return own.get(`${plural}/${name}`);
    },
  });

  function put(object: RawObject, plural = pluralOf(object)): void {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } };
    own.set(`${plural}/${object.metadata.name}`, stored);
    emit(`${plural}.tocsin.dev`, event('', 'MODIFIED', stored));
  }

  function event(source: string, type: 'ADDED' | 'MODIFIED', object: RawObject): Uint8Array {
    const known = [...listedResources.values()].find((each) => each.source === source);
    const typed = known ? { kind: known.kind, apiVersion: known.apiVersion, ...object } : object;
    const dated = { ...typed, metadata: { ...object.metadata, resourceVersion: String(++version) } };
    return Buffer.from(`${JSON.stringify({ type, object: dated })}\n`);
  }

  function emit(source: string, bytes: Uint8Array): void {
    for (const watch of watches.get(source) ?? []) watch.write(bytes);
  }

  function bookmark(kind: string, apiVersion: string, complete: boolean): Uint8Array {
    const annotations = complete ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const metadata = { resourceVersion: String(version), ...annotations };
    return Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })}\n`);
  }

  /** The collection of a source; of our own kinds it is made at each list. */
  function collectionOf(source: string, kind: string, apiVersion: string): Collection | undefined {
    if (!source.endsWith('.tocsin.dev')) return collections.get(source);
    const plural = source.slice(0, source.indexOf('.'));
    const objects = [...own].filter(([key]) => key.startsWith(`${plural}/`)).map(([, object]) => object);
    return createCollection(apiVersion, `${kind}List`, objects);
  }

  async function list(query: URLSearchParams, collection: Collection, response: ServerResponse): Promise<void> {
    firstListAt ||= now();
    const start = Number(query.get('continue') ?? 0);
    const end = Math.min(collection.size, start + Number(query.get('limit') ?? collection.size));
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const piece of collection.list(start, end, String(version)))
      if (!response.write(piece)) await once(response, 'drain');
    response.end();
  }

  async function watch(
    query: URLSearchParams,
    { source, kind, apiVersion }: { source: string; kind: string; apiVersion: string },
    response: ServerResponse,
  ): Promise<void> {
    const streamed = query.get('sendInitialEvents') === 'true';
    if (streamed && !options.streams) {
      const message = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      send(response, 422, { kind: 'Status', code: 422, reason: 'Invalid', message });
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const collection = collectionOf(source, kind, apiVersion);
    if (streamed && collection) {
      firstListAt ||= now();
      const head = Buffer.from(`{"type":"ADDED","object":{"kind":"${kind}","apiVersion":"${apiVersion}",`);
      const tail = Buffer.from('}\n');
      for (let index = 0; index < collection.size; index++) {
        const event = Buffer.concat([head, collection.item(index).subarray(1), tail]);
        if (!response.write(event)) await once(response, 'drain');
      }
      response.write(bookmark(kind, apiVersion, true));
    }
    const open = watches.get(source) ?? new Set();
    watches.set(source, open.add(response));
    seen.add(source);
    watchedAt = now();
    told.resolve();
    const timer = setInterval(() => response.write(bookmark(kind, apiVersion, false)), bookmarkMs);
    response.once('close', () => {
      clearInterval(timer);
      open.delete(response);
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://bench');
    const method = request.method ?? 'GET';
    const resource = method === 'GET' ? listedResources.get(pathname) : undefined;
    if (resource && (query.get('watch') === 'true' || query.get('watch') === '1'))
      await watch(query, resource, response);
    else if (resource) {
      const collection = collectionOf(resource.source, resource.kind, resource.apiVersion);
      if (collection) await list(query, collection, response);
    } else {
      const answer = answers.answer(method, pathname, method === 'GET' ? undefined : await bodyOf(request));
      send(response, answer?.status ?? 404, answer?.body ?? { kind: 'Status', code: 404, reason: 'NotFound' });
    }
  }

  const authority = createAuthority('bench', Date.now());
  const { certificate, key } = authority.sign({ commonName: 'kube-apiserver', addresses: ['127.0.0.1'] });
  const server = createServer({ cert: certificate, key, requestTimeout: 0, keepAliveTimeout: 90_000 });
  server.on('request', (request, response) => {
    response.on('error', () => undefined);
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: authority.certificate,
    begin() {
      seen.clear();
      firstListAt = 0;
      watchedAt = 0;
    },
    async watched(sources) {
      while (!sources.every((source) => seen.has(source))) {
        told = Promise.withResolvers();
        await told.promise;
      }
      return { firstListAt, watchedAt };
    },
    event,
    emit,
    put: (object) => put(object),
    status: (plural, name) => own.get(`${plural}/${name}`)?.status,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pluralOf({ kind = '' }: RawObject): string {
  return `${kind.toLowerCase()}s`;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string';
  response.writeHead(status, { 'content-type': text ? 'text/plain' : 'application/json' });
  response.end(text ? body : JSON.stringify(body));
}
