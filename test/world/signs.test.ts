import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Evidence } from '../../src/model/turn.ts';
import { isSavedNotes, type SavedNotes } from '../../src/world/memory/saved-notes.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { namespace } from './control-objects.ts';
import { endpointSlice, ingress, service } from './network-objects.ts';
import { at, ended, node, pod, status } from './objects.ts';
import { everyKind, sourceOf } from './story.ts';

const api: Ref = 'Pod/shop/api-1';

function watched(...raws: readonly RawObject[]): WatchedWorld {
  const world = new WatchedWorld();
  for (const { kind, source } of everyKind)
    world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, 0);
  for (const raw of raws) world.apply(sourceOf(raw), [{ is: 'put', raw }], at(0));
  return world;
}

function excerpt(world: WatchedWorld, ...lines: readonly string[]): Evidence {
  const uid = world.uidOf(api) ?? '';
  return { ...{ pod: api, uid, container: 'app', attempt: 0, ended: true, source: 'log' }, lines };
}

/** What the world takes the target of a Go program's complaint for. */
function placeOf(host: string, ...raws: readonly RawObject[]): Ref | undefined {
  const world = watched(pod('api-1'), ...raws);
  world.hear(excerpt(world, `dial tcp ${host}:5432: connect: connection refused`), at(0));
  return world.signs(api)[0]?.to;
}

/** A Pod of which a container ended with a message. */
const said = (message: string, minute = 1): RawObject =>
  pod('api-1', {
    statuses: [status('app', { restartCount: 1, lastState: ended(at(minute - 1), at(minute), 1, 'Error', message) })],
  });

test('a log says who cannot be reached, and its Pod and owners are judged anew', () => {
  const world = watched(pod('api-1', { owner: { kind: 'ReplicaSet', name: 'api-r1' } }));
  const dirty = world.hear(excerpt(world, 'INFO up', 'dial tcp: lookup db on 10.96.0.10:53: no such host'), at(1));
  assert.deepEqual([...dirty], [api, 'ReplicaSet/shop/api-r1']);
  const [sign] = world.signs(api);
  assert.deepEqual(
    [sign?.kind, sign?.container, sign?.source, sign?.at, sign?.to],
    ['NameNotResolved', 'app', 'previousLog', at(1), 'Service/shop/db'],
  );
});

test('a log that says nothing new concerns nobody, and neither does that of a namesake', () => {
  const world = watched(pod('api-1'));
  const lines = ['connect ECONNREFUSED 10.0.0.9:6379'];
  assert.equal(world.hear(excerpt(world, ...lines), at(1)).size, 1);
  assert.equal(world.hear(excerpt(world, ...lines), at(1)).size, 0);
  assert.equal(world.hear({ ...excerpt(world, ...lines), uid: 'another' }, at(2)).size, 0);
  assert.equal(world.hear(excerpt(world, 'bye'), at(3)).size, 0, 'silence takes nothing back');
  assert.equal(world.signs(api)[0]?.kind, 'ConnectionRefused');
});

test('a termination message is read as soon as it is seen, and that of the next run takes its place', () => {
  const world = watched(said('FATAL: password authentication failed for user "app"'));
  assert.deepEqual(
    world.signs(api).map(({ kind, name, source, at: when }) => [kind, name, source, when]),
    [['CredentialsRejected', 'app', 'termination', at(0)]],
  );
  world.apply('pods', [{ is: 'put', raw: said('getaddrinfo ENOTFOUND db', 5) }], at(5));
  assert.deepEqual(
    world.signs(api).map(({ kind }) => kind),
    ['NameNotResolved'],
  );
});

test('a host that the cluster itself leads to a Service is that Service while nothing is behind it', () => {
  const behind = (ready: number) => [
    service('login', { namespace: 'sso' }),
    endpointSlice('login', { namespace: 'sso', ready, unready: 1 - ready }),
    ingress('login', { namespace: 'sso' }),
  ];
  assert.equal(placeOf('shop.example', ...behind(0)), 'Service/sso/login');
  assert.equal(placeOf('shop.example', ...behind(1)), 'ExternalEndpoint//shop.example:5432', 'it serves');
  assert.equal(placeOf('other.example', ...behind(0)), 'ExternalEndpoint//other.example:5432', 'another host');
  const another = [service('cart'), ingress('cart')];
  assert.equal(
    placeOf('shop.example', ...behind(0), ...another),
    'ExternalEndpoint//shop.example:5432',
    'it leads to several',
  );
});

test('signs survive a restart with what else was noted, and go with their Pod', () => {
  const before = watched(pod('api-1'));
  before.hear(excerpt(before, 'connect ECONNREFUSED 10.0.0.9:6379'), at(1));
  const saved = new Map<string, SavedNotes>();
  for (const [ref, notes] of before.takeNotes()) {
    const plain: unknown = JSON.parse(JSON.stringify(notes));
    if (isSavedNotes(plain)) saved.set(ref, plain);
  }
  const after = watched(pod('api-1'));
  after.restore(saved);
  assert.deepEqual(after.signs(api), before.signs(api));
  after.apply('pods', [{ is: 'gone', raw: pod('api-1') }], at(2));
  assert.deepEqual(after.signs(api), []);
});

test('names of the cluster are Services, there or not; other hosts are outside', () => {
  const db = service('db');
  const pay = namespace('pay');
  assert.equal(placeOf('db'), 'Service/shop/db');
  assert.equal(placeOf('db.pay.svc'), 'Service/pay/db');
  assert.equal(placeOf('db.pay.svc.cluster.local'), 'Service/pay/db');
  assert.equal(placeOf('db.pay', pay), 'Service/pay/db');
  assert.equal(placeOf('db.pay'), 'ExternalEndpoint//db.pay:5432', 'no such namespace');
  assert.equal(placeOf('db-0.db', db), 'Service/shop/db');
  assert.equal(placeOf('db-0.db.shop.svc.cluster.local', db), 'Service/shop/db');
  assert.equal(placeOf('DB.Example.com'), 'ExternalEndpoint//db.example.com:5432');
  assert.equal(placeOf('localhost'), undefined);
  assert.equal(placeOf('127.0.0.1'), undefined);
});

test('addresses are what they are: of Services, Pods and Nodes of the cluster, or outside it', () => {
  const withIp = (raw: RawObject, spec: object): RawObject => ({ ...raw, spec: { ...Object(raw).spec, ...spec } });
  const db = withIp(service('db'), { clusterIP: '10.96.0.7' });
  const other = pod('db-0');
  const running: RawObject = { ...other, status: { ...Object(other).status, podIP: '10.244.1.9' } };
  const host = node('n1');
  const addressed: RawObject = {
    ...host,
    status: { ...Object(host).status, addresses: [{ type: 'InternalIP', address: '192.168.1.4' }] },
  };
  assert.equal(placeOf('10.96.0.7', db), 'Service/shop/db');
  assert.equal(placeOf('10.244.1.9', running), 'Pod/shop/db-0');
  assert.equal(placeOf('192.168.1.4', addressed), 'Node//n1');
  assert.equal(placeOf('10.20.30.40', db, running, addressed), 'ExternalEndpoint//10.20.30.40:5432');
});

test('a Service that is only another name stands for the host outside', () => {
  const raw = service('db');
  const alias: RawObject = { ...raw, spec: { type: 'ExternalName', externalName: 'db.example.com' } };
  assert.equal(placeOf('db', alias), 'ExternalEndpoint//db.example.com:5432');
});
