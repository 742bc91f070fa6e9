import type { IncomingMessage } from 'node:http';
import { group, kindNames, kinds, storedVersion } from '../../src/api/group.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { apiVersionOf, sourceOf } from '../../src/model/resource.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';

/** A small answer: status and JSON body (a string is sent as text). */
export type Answer = { readonly status: number; readonly body: unknown };

/** Everything that is asked of an API server besides lists and watches. */
export type Answers = {
  /** `undefined`: nothing is known of the path. */
  answer(method: string, path: string, body: unknown): Answer | undefined;
};

/** Where the log of any container ends. */
const logText = 'INFO  starting\nINFO  connected to the database\nFATAL unknown column "vat_rate" in table "orders"\n';

/** Answers to discovery, reviews, the lock, Secrets, logs, Events and statuses. `secrets`: values by name and key. */
export function createAnswers(options: {
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A status was applied to one of our objects; returns the object as stored. */
  readonly applied: (plural: string, name: string, status: unknown) => RawObject | undefined;
}): Answers {
  let lease: unknown;
  let revision = 1;
  const ok = (body: unknown): Answer => ({ status: 200, body });
  const missing: Answer = { status: 404, body: { kind: 'Status', code: 404, reason: 'NotFound' } };

  function takeLease(method: string, body: unknown): Answer {
    if (method === 'GET') return lease === undefined ? missing : ok(lease);
    lease = stored(body, String(revision++));
    return ok(lease);
  }

  const rows: readonly (readonly [
    pattern: RegExp,
    make: (method: string, found: string[], body: unknown) => Answer,
  ])[] = [
    [/^\/(?:readyz|livez)$/, () => ok('ok')],
    [/^\/api$/, () => ok(discovery(['']))],
    [/^\/apis$/, () => ok(discovery([...new Set(watchedKinds.map(({ group: each }) => each).filter(Boolean))]))],
    [/\/selfsubjectaccessreviews$/, () => ({ status: 201, body: { status: { allowed: true } } })],
    [/^\/api\/v1\/namespaces\/kube-system$/, () => ok({ metadata: { name: 'kube-system', uid: 'bench' } })],
    [/\/leases(?:\/[^/]+)?$/, (method, _, body) => takeLease(method, body)],
    [/\/secrets\/([^/]+)$/, (_, [name = '']) => secret(name)],
    [/\/pods\/[^/]+\/log$/, () => ok(logText)],
    [/\/events(?:\/[^/]+)?$/, (method, _, body) => ({ status: method === 'POST' ? 201 : 200, body })],
    [
      /\/([a-z]+)\/([^/]+)\/status$/,
      (_, [plural = '', name = ''], body) => {
        const object = options.applied(plural, name, (body as { status?: unknown }).status);
        return object ? ok(object) : missing;
      },
    ],
  ];

  function secret(name: string): Answer {
    const values = options.secrets[name];
    if (!values) return missing;
    const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    return ok({ metadata: { name, uid: name, resourceVersion: '1' }, data: Object.fromEntries(data) });
  }

  return {
    answer(method, path, body) {
      for (const [pattern, make] of rows) {
        const found = pattern.exec(path);
        if (found) return make(method, found.slice(1), body);
      }
      return undefined;
    },
  };
}

/** Aggregated discovery of the core group or of named ones. Our own kinds are watched without. */
function discovery(groups: readonly string[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: groups.map((name) => ({
      metadata: { name },
      versions: [
        ...Map.groupBy(
          watchedKinds.filter((row) => row.group === name),
          ({ versions }) => versions[0],
        ),
      ].map(([version, rows]) => ({
        version,
        freshness: 'Current',
        resources: rows.map(({ plural }) => ({ resource: plural, verbs: ['get', 'list', 'watch'] })),
      })),
    })),
  };
}

/** An object as it was sent, at a new version. */
function stored(body: unknown, resourceVersion: string): object {
  const { metadata, ...rest } = body as { metadata?: object };
  return { ...rest, metadata: { ...metadata, resourceVersion } };
}

/** The body of a request; `undefined` when there is none. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** The collections that can be listed: path → source and kind. */
export const listedResources = new Map<
  string,
  { readonly source: string; readonly kind: string; readonly apiVersion: string }
>([
  ...watchedKinds.map((resource) => {
    const { group: own, versions, plural, kind, namespace } = resource;
    const apiVersion = apiVersionOf(resource, versions[0]);
    const within = namespace === undefined ? '' : `namespaces/${namespace}/`;
    const path = `${own === '' ? '/api' : '/apis'}/${apiVersion}/${within}${plural}`;
    return [path, { source: sourceOf(resource), kind, apiVersion }] as const;
  }),
  ...kindNames.map((kind) => {
    const { plural } = kinds[kind];
    const apiVersion = `${group}/${storedVersion}`;
    return [`/apis/${apiVersion}/${plural}`, { source: `${plural}.${group}`, kind, apiVersion }] as const;
  }),
]);
