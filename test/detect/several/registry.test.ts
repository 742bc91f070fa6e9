import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullCause } from '../../../src/detect/starts/pull-error.ts';
import { at, pod, stamp, status, waiting, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const image = 'ghcr.io/shop/api:1.0';
/** Sentences as kubelets pass them on from containerd, CRI-O and Docker. */
const sentences = {
  notFound: [
    `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
    'rpc error: code = Unknown desc = reading manifest nope in docker.io/library/nginx: manifest unknown',
    'rpc error: code = Unknown desc = Error response from daemon: manifest for nginx:nope not found: manifest unknown: manifest unknown',
    'failed to resolve reference "quay.io/a/b:1": unexpected status from HEAD request to https://quay.io/v2/a/b/manifests/1: 404 Not Found',
  ],
  platform: [
    `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": no match for platform in manifest: not found`,
    'no matching manifest for linux/arm64/v8 in the manifest list entries',
  ],
  denied: [
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://ghcr.io/token?scope=repository%3Ashop%2Fapi%3Apull&service=ghcr.io: 401 Unauthorized`,
    'unexpected status from HEAD request to https://registry.example/v2/shop/api/manifests/1: 403 Forbidden',
    'Error response from daemon: Head "https://1.dkr.ecr.eu-west-1.amazonaws.com/v2/a/manifests/1": no basic auth credentials',
    'unauthorized: authentication required',
    'denied: Your authorization token has expired. Reauthenticate and try again.',
  ],
  maybeDenied: [
    'failed to resolve reference "docker.io/shop/nope:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  ],
  rateLimit: [
    'failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/nginx/manifests/sha256:abc: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.',
  ],
  certificate: [
    `failed to do request: Head "https://registry.example/v2/shop/api/manifests/1": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    'http: server gave HTTP response to HTTPS client',
  ],
  dns: [
    'failed to do request: Head "https://ghcr.io/v2/shop/api/manifests/1.0": dial tcp: lookup ghcr.io on 10.96.0.10:53: no such host',
    'dial tcp: lookup registry.example: Temporary failure in name resolution',
    'dial tcp: lookup ghcr.io on 10.96.0.10:53: server misbehaving',
  ],
  network: [
    'failed to do request: Head "https://ghcr.io/v2/shop/api/manifests/1.0": dial tcp 140.82.121.33:443: i/o timeout',
    'dial tcp 10.0.0.5:5000: connect: connection refused',
    'dial tcp 10.0.0.5:443: connect: no route to host',
    'net/http: TLS handshake timeout',
    'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    'read tcp 10.0.0.1:5000->10.0.0.2:443: read: connection reset by peer',
    'failed to copy: httpReadSeeker: failed open: failed to do request: Get "https://x/y": EOF',
  ],
  server: [
    'failed to resolve reference "x/y:1": unexpected status from HEAD request to https://x/v2/y/manifests/1: 503 Service Unavailable',
    'received unexpected HTTP status: 502 Bad Gateway',
  ],
  corrupt: [
    'failed commit on ref "layer-sha256:5f70": unexpected commit digest sha256:e3b0, expected sha256:5f70: failed precondition',
    'filesystem layer verification failed for digest sha256:5f70',
    'Error writing blob: Digest did not match, expected sha256:5f70, got sha256:e3b0',
  ],
  disk: ['failed to extract layer sha256:abc: write /var/lib/containerd/x: no space left on device'],
  other: ['ErrImagePull: something new'],
} as const;

test('the cause of a failing pull is read from the sentences of runtimes and registries', () => {
  for (const [cause, texts] of Object.entries(sentences))
    for (const text of texts) assert.equal(pullCause(text, image).cause, cause, text);
});

/** An image, what a runtime says of pulling it, and why it fails. */
const misleading: readonly (readonly [string, string, string])[] = [
  [
    'ghcr.io/shop/api:403',
    'failed to resolve reference "ghcr.io/shop/api:403": ghcr.io/shop/api:403: not found',
    'notFound',
  ],
  [
    'ghcr.io/shop/api:1.2.401',
    'failed to pull and unpack image "ghcr.io/shop/api:1.2.401": ghcr.io/shop/api:1.2.401: not found',
    'notFound',
  ],
  ['nginx:401', 'rpc error: code = NotFound desc = docker.io/library/nginx:401: not found', 'notFound'],
  [
    'nginx:401',
    'Error response from daemon: manifest for nginx:401 not found: manifest unknown: manifest unknown',
    'notFound',
  ],
  [
    'quay.io/a/b:403',
    'rpc error: code = Unknown desc = Error reading manifest 403 in quay.io/a/b: manifest unknown: manifest unknown',
    'notFound',
  ],
  [
    'quay.io/a/b:403',
    'initializing source docker://quay.io/a/b:403: reading manifest 403 in quay.io/a/b: name unknown',
    'notFound',
  ],
  [
    'localhost:7439/redis:403',
    'pulling from host localhost:7439 failed with status code [manifests 403]: 404 Not Found',
    'notFound',
  ],
  [
    'registry.example/a/404:1',
    'failed to do request: Head "https://registry.example/v2/a/404/manifests/1": dial tcp: lookup registry.example on 10.96.0.10:53: no such host',
    'dns',
  ],
  [
    'registry.example/unauthorized:1',
    'failed to resolve reference "registry.example/unauthorized:1": registry.example/unauthorized:1: not found',
    'notFound',
  ],
  [
    'registry.example/team/denied:1',
    'rpc error: code = Unknown desc = reading manifest 1 in registry.example/team/denied: manifest unknown',
    'notFound',
  ],
  [
    'ghcr.io/shop/api:404',
    'unexpected status from HEAD request to https://ghcr.io/v2/shop/api/manifests/404: 403 Forbidden',
    'denied',
  ],
  [
    'localhost:7439/redis:7',
    'pulling from host localhost:7439 failed with status code [manifests 7]: 403 Forbidden',
    'denied',
  ],
  [
    'docker.example/web:2',
    `error pulling image configuration: error parsing HTTP 403 response body: invalid character '<' looking for beginning of value`,
    'denied',
  ],
  [
    'pkg.dev/p/r/web:4',
    'Error response from daemon: Head "https://pkg.dev/v2/p/r/web/manifests/4": Forbidden',
    'denied',
  ],
  [
    'pkg.dev/p/r/web:4',
    'failed to authorize: failed to fetch oauth token: denied: Unauthenticated request. Unauthenticated requests do not have permission to download artifacts',
    'denied',
  ],
  [
    'quay.io/a/b@sha256:abc',
    'Error reading manifest sha256:abc in quay.io/a/b: unauthorized: access to the requested resource is not authorized',
    'denied',
  ],
  [
    'crio/busybox',
    'Error reading manifest latest in docker.io/crio/busybox: errors: denied: requested access to the resource is denied unauthorized: authentication required',
    'maybeDenied',
  ],
  [
    'octo/guard:20.7',
    `Error response from daemon: pull access denied for octo/guard, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`,
    'maybeDenied',
  ],
  [
    'x/y:429',
    'failed to copy: httpReadSeeker: failed open: failed to do request: Get "https://x/v2/y/blobs/sha256:403": EOF',
    'network',
  ],
  ['', 'dial tcp 10.0.0.5:5000: connect: connection refused', 'network'],
];

test('what an image is called says nothing of why it cannot be pulled', () => {
  for (const [name, text, cause] of misleading) assert.equal(pullCause(text, name).cause, cause, `${name} ${text}`);
});

test('only what trying again does not help is conclusive', () => {
  const conclusive = Object.entries(sentences).filter(([, [text]]) => pullCause(text, image).conclusive);
  assert.deepEqual(conclusive.map(([cause]) => cause).sort(), ['denied', 'maybeDenied', 'notFound', 'platform']);
});

const pulling = (name: string, owner: string, text: string, of = image) =>
  pod(name, {
    owner: { kind: 'ReplicaSet', name: owner },
    containers: [{ name: 'api', image: of }],
    statuses: [waiting('api', 'ErrImagePull', text)],
  });
const registry = 'Registry//ghcr.io';
const owners = ['api', 'web', 'a', 'b'].map((name) => workload('ReplicaSet', name));

test('P6 fires and clears: a registry that two workloads cannot reach is found, one workload’s trouble is its own', () => {
  const { put, found, finding, says } = story();
  const [timeout] = sentences.network;
  put(at(0), ...owners, pulling('api-1', 'api', timeout), pulling('api-2', 'api', timeout));
  assert.ok(!found().some((line) => line.startsWith('Registry')));
  put(at(1), pulling('web-1', 'web', sentences.dns[0]));
  const { since, facts } = finding(registry, 'RegistryUnreachable');
  assert.equal(since, at(0));
  assert.deepEqual([facts.workloads, facts.pods], [2, 3]);
  assert.equal(
    says(registry, 'RegistryUnreachable'),
    'The registry ghcr.io cannot be reached or returns errors: 2 workloads cannot pull from it.',
  );
  assert.deepEqual(finding('Pod/shop/web-1', 'ImagePullBackOff').names, [registry]);
  put(at(2), pod('web-1', { owner: { kind: 'ReplicaSet', name: 'web' } }));
  assert.ok(!found().some((line) => line.startsWith('Registry')));
});

test('P6 T30 fires: the proxy that the machines pull through is found, not the registries that were never asked', () => {
  const { put, found, finding } = story();
  const through = (answer: string): string =>
    `failed to do request: Head "https://ghcr.io/v2/shop/api/manifests/1.0": proxyconnect tcp: ${answer}`;
  const refused = through('dial tcp 10.20.0.5:3128: connect: connection refused');
  put(at(0), ...owners, pulling('api-1', 'api', refused), pulling('web-1', 'web', refused, 'docker.io/shop/web:2'));
  const { facts } = finding('ExternalEndpoint//10.20.0.5:3128', 'ExternalEndpointUnreachable');
  assert.deepEqual([facts.workloads, facts.sign], [2, 'ConnectionRefused']);
  assert.ok(!found().some((line) => line.startsWith('Registry')));
  put(at(1), pulling('api-1', 'api', through('dial tcp: lookup proxy.corp.example on 10.0.0.2:53: no such host')));
  assert.deepEqual(finding('Pod/shop/api-1', 'ImagePullBackOff').names, ['ExternalEndpoint//proxy.corp.example']);
});

test('P6 fires: a registry whose rate limit two workloads have met is told apart from one that is away', () => {
  const { put, says } = story();
  const [limited] = sentences.rateLimit;
  put(at(0), ...owners, pulling('api-1', 'api', limited), pulling('web-1', 'web', limited));
  assert.match(says(registry, 'RegistryDenied'), /The registry ghcr.io refuses/);
});

/** A Pod that runs an image since an instant. */
const runs = (name: string, of: string, since: number) =>
  pod(name, {
    createdAt: since,
    containers: [{ name: 'api', image: of }],
    statuses: [status('api', { state: { running: { startedAt: stamp(since) } } })],
  });
const [refusal] = sentences.denied;
const twoDenied = [
  pulling('api-1', 'api', refusal, 'ghcr.io/team-a/api:2'),
  pulling('web-1', 'web', refusal, 'ghcr.io/team-b/web:2'),
];
const isDenied = (found: readonly string[]): boolean => found.includes(`${registry} RegistryDenied`);

test('P6 is quiet: two images that nobody here may pull say nothing of a registry from which others run', () => {
  const { put, found, wait } = story();
  put(at(0), ...owners, runs('well', 'ghcr.io/acme/well:1', at(-60)));
  put(at(1), ...twoDenied);
  wait(at(9));
  assert.equal(isDenied(found()), false);
});

test('P6 fires and is quiet: a registry that refuses all it is asked for is found, one repository refused to two workloads is not', () => {
  const [all, one] = [story(), story()];
  all.put(at(1), ...owners, runs('elsewhere', 'quay.io/acme/well:1', at(-60)), ...twoDenied);
  assert.equal(isDenied(all.found()), true);
  one.put(at(1), ...owners, pulling('api-1', 'api', refusal), pulling('web-1', 'web', refusal));
  assert.equal(isDenied(one.found()), false);
});

test('P6 fires and clears: a registry that refuses what it served before is found until it serves somebody again', () => {
  const { load, put, found, finding, wait } = story();
  load(at(0), ...owners, runs('well', 'ghcr.io/acme/well:1', at(-60)));
  load(at(0), runs('old-api', 'ghcr.io/team-a/api:1', at(-60)), runs('old-web', 'ghcr.io/team-b/web:1', at(-60)));
  put(at(1), ...twoDenied);
  assert.equal(isDenied(found()), true);
  assert.deepEqual(finding(registry, 'RegistryDenied').facts.workloads, 2);
  put(at(3), runs('newer', 'ghcr.io/acme/well:2', at(3)));
  wait(at(4));
  assert.equal(isDenied(found()), false);
});

test('P6 fires: of repositories that it served before a registry cannot mean that they do not exist', () => {
  const says = sentences.maybeDenied[0];
  const refused = (['a', 'b'] as const).map((team, index) =>
    pulling(`new-${team}`, ['api', 'web'][index] ?? '', says, `ghcr.io/team-${team}/app:2`),
  );
  const [before, never] = [story(), story()];
  before.load(at(0), ...owners, runs('old-a', 'ghcr.io/team-a/app:1', at(-60)));
  before.load(at(0), runs('old-b', 'ghcr.io/team-b/app:1', at(-60)));
  before.put(at(1), ...refused);
  assert.equal(isDenied(before.found()), true);
  never.put(at(1), ...owners, ...refused);
  assert.equal(isDenied(never.found()), false);
});

test('P6 is quiet: images that are not there, or may not be, say nothing of their registry', () => {
  const { put, found } = story();
  put(at(0), ...owners, pulling('api-1', 'api', sentences.notFound[0]), pulling('web-1', 'web', sentences.notFound[0]));
  put(at(0), pulling('a-1', 'a', sentences.maybeDenied[0]), pulling('b-1', 'b', sentences.maybeDenied[0]));
  assert.ok(!found().some((line) => line.startsWith('Registry')));
});

test('P6 is quiet: different troubles of two workloads are no trouble of the registry', () => {
  const { put, found } = story();
  put(at(0), ...owners, pulling('api-1', 'api', sentences.network[0]), pulling('web-1', 'web', sentences.denied[0]));
  assert.ok(!found().some((line) => line.startsWith('Registry')));
});

const withSecret = (secret: string, ...pods: ReturnType<typeof pod>[]) =>
  pods.map((one) => ({ ...one, spec: { ...(one.spec as object), imagePullSecrets: [{ name: secret }] } }));

test('P6 is quiet: whom a registry refuses bring one pull secret, while others run that bring another', () => {
  const before = [
    runs('old-api', 'ghcr.io/team-a/api:1', at(-60)),
    runs('old-web', 'ghcr.io/team-b/web:1', at(-60)),
    runs('well', 'ghcr.io/acme/well:1', at(-60)),
  ] as const;
  const [one, all] = [story(), story()];
  one.load(at(0), ...owners, ...withSecret('team', before[0], before[1]), ...withSecret('acme', before[2]));
  one.put(at(1), ...withSecret('team', ...twoDenied));
  assert.equal(isDenied(one.found()), false);
  all.load(at(0), ...owners, ...withSecret('team', ...before));
  all.put(at(1), ...withSecret('team', ...twoDenied));
  assert.equal(isDenied(all.found()), true, 'everybody brings the same');
});

test('P6 is quiet: what is refused on one Node has begun on others since', () => {
  const on = (node: string, owner: string, parts: object) =>
    pod(`${owner}-${node}`, {
      ...{ node, owner: { kind: 'ReplicaSet', name: owner }, createdAt: at(1) },
      ...{ containers: [{ name: 'api', image: `ghcr.io/team/${owner}:2` }], ...parts },
    });
  const refused = (owner: string) => on('n1', owner, { statuses: [waiting('api', 'ErrImagePull', refusal)] });
  const had = (owner: string) => on('n2', owner, {});
  const [alone, everywhere] = [story(), story()];
  for (const { put } of [alone, everywhere]) put(at(0), ...owners);
  alone.put(at(1), had('api'), had('web'), refused('api'), refused('web'));
  assert.equal(isDenied(alone.found()), false);
  everywhere.put(at(1), refused('api'), refused('web'));
  assert.equal(isDenied(everywhere.found()), true);
});
