import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { said, saying } from '../../explain/said.ts';
import { endpointSlice, networkPolicy, service } from '../../world/network-objects.ts';
import { at, condition, ended, managed, node, pod, status, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const long = at(-60);
const names = ['api', 'web', 'cart', 'mail'];
const owners = names.map((name) => workload('ReplicaSet', name));
const lastWords = 'no ack of the stream';

/** What a Pod is given: Services by variables, and Secrets. */
type Given = { readonly servers?: readonly string[]; readonly secrets?: readonly string[] };

function given({ servers = [], secrets = [] }: Given, more: object = {}): object {
  const env = servers.map((server, index) => ({ name: `SERVER_${index}`, value: `${server}:4222` }));
  const envFrom = secrets.map((name) => ({ secretRef: { name } }));
  return { spec: { containers: [{ name: 'api', image: 'x', env, envFrom }], ...more } };
}

const owned = (name: string) => ({ owner: { kind: 'ReplicaSet', name }, createdAt: long });
/** A Pod of a workload that crashed with its last words, the same of all unless told otherwise. */
const crashed = (name: string, has: Given, words = lastWords, minute = 0): RawObject =>
  pod(`${name}-a`, { ...saying(long, at(minute), words), ...owned(name), ...given(has) });
const healthy = (name: string, has: Given): RawObject => pod(`${name}-a`, { ...owned(name), ...given(has) });
const served = (name: string, ready = 1): RawObject[] => [
  service(name, { createdAt: long }),
  endpointSlice(name, { ready, unready: 1 - ready, createdAt: long }),
];

/** What is found of what several have in common. */
function cluster(...raws: readonly RawObject[]) {
  const k8s = story();
  k8s.put(at(0), ...owners, ...raws);
  const shared = (): string[] => k8s.found().filter((line) => /ClientsFailing|UsersFailing/.test(line));
  return { ...k8s, shared };
}

const nats: Given = { servers: ['nats'] };

test('T45 fires and clears: two workloads that end with the same words have one Service in common', () => {
  const { put, shared, finding, says } = cluster(...served('nats'), crashed('api', nats), healthy('web', nats));
  assert.deepEqual(shared(), [], 'one alone may be wrong');
  put(at(2), crashed('web', nats, lastWords, 2));
  assert.deepEqual(shared(), ['Service/shop/nats ClientsFailing']);
  assert.deepEqual(finding('Service/shop/nats', 'ClientsFailing').facts, { workloads: 2, pods: 2 });
  assert.equal(
    says('Service/shop/nats', 'ClientsFailing'),
    'Service shop/nats is all that 2 workloads have in common that fail without saying why.',
  );
  put(at(3), healthy('web', nats));
  assert.deepEqual(shared(), []);
});

test('T45 fires: two quote the same in words that nobody can read, or speak of the server by its name', () => {
  for (const [first, second] of [
    [
      'panic: code: 241, message: Memory limit (total) exceeded: would use 14 GiB',
      'Error: Memory limit (total) exceeded',
    ],
    ['panic: no leader for the stream of nats', 'the nats cluster has lost its quorum'],
  ] as const) {
    const { shared } = cluster(...served('nats'), crashed('api', nats, first), crashed('web', nats, second));
    assert.deepEqual(shared(), ['Service/shop/nats ClientsFailing'], first);
  }
});

test('T45 is quiet: each of them ends with words of its own, at once or one after the other', () => {
  const own = ['seat count 51 of 50 used, giving up', 'import file header row missing', 'panic: partition overlap'];
  const [api, web, cart] = own.map((words, at) => crashed(names[at] ?? '', nats, words));
  assert.ok(api && web && cart);
  assert.deepEqual(cluster(...served('nats'), api, web, cart).shared(), []);
});

test('T45 fires: three fail at once, each with words of its own, minutes after their server was edited; two do not', () => {
  const own = ['Message delivery failed: size too large', 'RecordTooLargeException', 'batch was dropped'];
  const labels = { app: 'nats' };
  const told = (editedAt: number, ...clients: readonly string[]): string[] => {
    const server = (generation: number) =>
      workload('StatefulSet', 'nats', { createdAt: long, generation, image: `nats:${generation}` });
    const k8s = cluster(
      ...[
        service('nats', { createdAt: long, selector: labels }),
        endpointSlice('nats', { createdAt: long }),
        server(1),
      ],
      pod('nats-0', { owner: { kind: 'StatefulSet', name: 'nats' }, createdAt: long, labels }),
      ...clients.map((name) => healthy(name, nats)),
    );
    k8s.put(at(editedAt), server(2));
    k8s.put(at(40), ...clients.map((name, index) => crashed(name, nats, own[index], 40)));
    return k8s.shared();
  };
  assert.deepEqual(told(38, 'api', 'web', 'cart'), ['Service/shop/nats ClientsFailing']);
  assert.deepEqual(told(38, 'api', 'web'), []);
  assert.deepEqual(told(2, 'api', 'web', 'cart'), [], 'they had worked with it');
});

test('T45 fires: three that say nothing at all stop within three minutes, and not two, or one much later', () => {
  const silent = (name: string, minute = 0): RawObject => crashed(name, nats, 'INFO  bye', minute);
  const told = (later: number, last: string, ...others: readonly string[]): string[] => {
    const k8s = cluster(...served('nats'), ...others.map((name) => silent(name)));
    k8s.put(at(later), silent(last, later));
    return k8s.shared();
  };
  assert.deepEqual(told(2, 'api', 'web', 'cart'), ['Service/shop/nats ClientsFailing']);
  assert.deepEqual(told(2, 'api', 'web'), []);
  assert.deepEqual(told(9, 'api', 'web', 'cart'), []);
});

test('T45 is quiet: most who use it work, nobody answers, each has another, or the two share two alike', () => {
  const [api, web] = [crashed('api', nats), crashed('web', nats)];
  assert.deepEqual(
    cluster(...served('nats'), api, web, healthy('cart', nats), healthy('mail', nats)).shared(),
    [],
    'as many work with it',
  );
  assert.deepEqual(cluster(...served('nats', 0), api, web).shared(), [], 'that nobody is behind it says more');
  assert.deepEqual(cluster(api, web).shared(), [], 'there is no such Service');
  const other = crashed('web', { servers: ['redis'] });
  assert.deepEqual(cluster(...served('nats'), ...served('redis'), api, other).shared(), []);
  const both: Given = { servers: ['nats', 'redis'] };
  assert.deepEqual(
    cluster(...served('nats'), ...served('redis'), crashed('api', both), crashed('web', both)).shared(),
    [],
    'it could be either',
  );
});

/** A Pod that stopped being ready, of which there is no finding yet. */
const lost = (name: string, has: Given, since: number): RawObject =>
  pod(`${name}-a`, { ...owned(name), ...given(has), conditions: [condition('Ready', 'False', since)] });

test('T45 counts who stopped being ready as two others began to say the same, and is no finding yet', () => {
  const two = [crashed('api', nats), crashed('cart', nats)];
  const { shared, finding } = cluster(...served('nats'), ...two, lost('web', nats, at(0, -20)));
  assert.deepEqual(shared(), ['Service/shop/nats ClientsFailing']);
  assert.deepEqual(finding('Service/shop/nats', 'ClientsFailing').facts, { workloads: 3, pods: 3, new: 1 });
});

test('T45 is quiet: who stopped being ready beside it did so long before, was never ready, has another server, or nobody else fails', () => {
  const api = crashed('api', nats);
  assert.deepEqual(cluster(...served('nats'), api, lost('web', nats, at(-9))).shared(), []);
  assert.deepEqual(cluster(...served('nats'), api, lost('web', nats, long)).shared(), []);
  assert.deepEqual(cluster(...served('nats'), api, lost('web', { servers: ['redis'] }, at(0))).shared(), []);
  assert.deepEqual(cluster(...served('nats'), lost('web', nats, at(0)), lost('cart', nats, at(0))).shared(), []);
});

test('T45 does not count who stopped being ready beside them on a machine that is lost', () => {
  const web = pod('web-a', {
    ...{ ...owned('web'), ...given(nats, { nodeName: 'n1' }), node: 'n1' },
    conditions: [condition('Ready', 'False', at(0))],
  });
  const two = ['api', 'cart'].map((name) =>
    pod(`${name}-a`, { ...saying(long, at(0), lastWords), ...owned(name), ...given(nats), node: 'n2' }),
  );
  const other = node('n2', { since: long });
  const [well, gone] = [node('n1', { since: long }), node('n1', { ready: 'Unknown', since: at(0) })];
  const counted = (machine: RawObject) =>
    cluster(...served('nats'), machine, other, ...two, web).finding('Service/shop/nats', 'ClientsFailing').facts
      .workloads;
  assert.equal(counted(well), 3);
  assert.equal(counted(gone), 2);
});

test('T45 fires: they say how they are turned away, and not by whom', () => {
  const denied = 'ERR NOPERM this user has no permissions to run the command';
  const lacks = (column: string) => `ERROR: column "${column}" does not exist (SQLSTATE 42703)`;
  const told = (first: string, second: string): string[] =>
    cluster(...served('nats'), crashed('api', nats, first), crashed('web', nats, second)).shared();
  assert.deepEqual(told(lacks('phone'), lacks('fax')), ['Service/shop/nats ClientsFailing']);
  assert.deepEqual(told(denied, lacks('phone')), [], 'each has an answer of its own');
});

test('T45 is quiet: what the accounts of both may not do is for who grants it', () => {
  const [api, web] = [crashed('api', nats, said.forbidden('api')), crashed('web', nats, said.forbidden('web'))];
  assert.deepEqual(cluster(...served('nats'), api, web).shared(), []);
});

test('T45 fires: an init container of the server has done its work a minute before', () => {
  const selector = { app: 'nats' };
  const done = status('init', { ready: true, state: ended(at(-2), at(-1), 0, 'Completed') });
  const server = (...statuses: object[]) => [
    service('nats', { createdAt: long, selector }),
    endpointSlice('nats', { createdAt: long }),
    pod('nats-a', { createdAt: at(-2), labels: selector, statuses: statuses as never }),
  ];
  const clients = [crashed('api', nats), crashed('web', nats)];
  assert.deepEqual(cluster(...server(status('api'), done), ...clients).shared(), ['Service/shop/nats ClientsFailing']);
  const crashedOnce = status('api', { restartCount: 1, lastState: ended(at(-2), at(-1)) });
  assert.deepEqual(cluster(...server(crashedOnce, done), ...clients).shared(), []);
});

test('T45 is quiet: programs that say why they fail, or name somebody else', () => {
  for (const words of [said.variable, said.refused('db'), 'open /etc/app/app.yaml: no such file or directory']) {
    const raws = [crashed('api', nats, words), crashed('web', nats, words)];
    assert.deepEqual(cluster(...served('nats'), ...served('db'), ...raws).shared(), [], words);
  }
});

test('T45 is quiet: two that began an hour apart', () => {
  const { put, shared } = cluster(...served('nats'), crashed('api', nats), healthy('web', nats));
  put(at(61), crashed('web', nats, lastWords, 61));
  assert.deepEqual(shared(), []);
});

test('T45 fires later, by itself: those who worked with it stop to', () => {
  const { put, wait, shared } = cluster(
    ...[...served('nats'), crashed('api', nats), crashed('web', nats)],
    ...[healthy('cart', nats), healthy('mail', nats)],
  );
  put(at(1), workload('ReplicaSet', 'mail', { replicas: 0 }));
  assert.deepEqual(shared(), []);
  put(at(2), crashed('mail', nats, lastWords, 2));
  wait(at(3));
  assert.deepEqual(shared(), ['Service/shop/nats ClientsFailing']);
});

const erp: Given = { servers: ['erp.corp.example'] };
const address = 'dial tcp 10.20.4.15:1521: connect: connection refused';
const host = 'ExternalEndpoint//erp.corp.example';

test('T48 fires and clears: two that name a host outside say no more than an address', () => {
  const { put, shared, says } = cluster(crashed('api', erp, address), crashed('web', erp, address));
  assert.deepEqual(shared(), [`${host} ClientsFailing`]);
  assert.equal(
    says(host, 'ClientsFailing'),
    'ExternalEndpoint erp.corp.example is all that 2 workloads have in common that fail without saying why.',
  );
  put(at(1), healthy('web', erp));
  assert.deepEqual(shared(), []);
});

test('T48 fires: one of them names the host, and both share a Service that neither speaks of', () => {
  const both: Given = { servers: ['erp.corp.example', 'nats'] };
  const { finding } = cluster(
    ...served('nats'),
    crashed('api', both, 'ORA-12541: Cannot connect. No listener at erp.corp.example:1521'),
    crashed('web', both, address),
  );
  assert.deepEqual(finding(host, 'ClientsFailing').names, [`${host}:1521`]);
});

test('T48 is quiet: most who name it work, they share a Secret or a Service too, or say why they fail', () => {
  const [api, web] = [crashed('api', erp), crashed('web', erp)];
  assert.deepEqual(cluster(api, web, healthy('cart', erp), healthy('mail', erp)).shared(), []);
  const withSecret: Given = { ...erp, secrets: ['erp'] };
  assert.deepEqual(cluster(crashed('api', withSecret), crashed('web', withSecret)).shared(), [
    'Secret/shop/erp SecretUsersFailing',
  ]);
  const both: Given = { servers: ['erp.corp.example', 'nats'] };
  assert.deepEqual(cluster(...served('nats'), crashed('api', both), crashed('web', both)).shared(), [
    'Service/shop/nats ClientsFailing',
  ]);
  assert.deepEqual(cluster(crashed('api', erp, said.variable), crashed('web', erp, said.variable)).shared(), []);
});

test('T45 is quiet: a policy for the Pods of both was made just before', () => {
  const labels = { app: 'shop' };
  const of = (name: string) =>
    pod(`${name}-a`, { ...saying(long, at(1), lastWords), ...owned(name), ...given(nats), labels });
  const clients = [of('api'), of('web')];
  const told = (selector: object): string[] => {
    const k8s = cluster(...served('nats'));
    const edited = [managed('kubectl', at(0, 30), { 'f:spec': {} })];
    k8s.put(
      at(0, 30),
      networkPolicy('egress', { createdAt: at(0, 30), managedFields: edited, spec: { podSelector: selector } }),
    );
    k8s.put(at(1), ...clients);
    return k8s.shared();
  };
  assert.deepEqual(told({ matchLabels: { app: 'other' } }), ['Service/shop/nats ClientsFailing']);
  assert.deepEqual(told({ matchLabels: labels }), []);
});

const licence: Given = { secrets: ['licence'] };

test('T46 fires and clears: two workloads that say nothing, call nobody, and use one Secret', () => {
  const { put, shared, says } = cluster(crashed('api', licence), crashed('web', licence));
  assert.deepEqual(shared(), ['Secret/shop/licence SecretUsersFailing']);
  assert.equal(
    says('Secret/shop/licence', 'SecretUsersFailing'),
    'Secret shop/licence is all that 2 workloads have in common that fail without saying why.',
  );
  put(at(1), healthy('web', licence));
  assert.deepEqual(shared(), []);
});

test('T46 is quiet: those who share a Service too, most who use it work, or it only pulls images', () => {
  const both: Given = { ...nats, ...licence };
  assert.deepEqual(cluster(...served('nats'), crashed('api', both), crashed('web', both)).shared(), [
    'Service/shop/nats ClientsFailing',
  ]);
  const working = ['cart', 'mail'].map((name) => healthy(name, licence));
  assert.deepEqual(cluster(crashed('api', licence), crashed('web', licence), ...working).shared(), []);
  const pull = (name: string): RawObject =>
    pod(`${name}-a`, {
      ...{ ...saying(long, at(0), lastWords), ...owned(name) },
      ...given({}, { imagePullSecrets: [{ name: 'registry' }] }),
    });
  assert.deepEqual(cluster(pull('api'), pull('web')).shared(), []);
});
