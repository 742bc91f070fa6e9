import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callersOf } from '../../../src/detect/several/calls.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { app, podOf, replicaSet } from '../../explain/proof.ts';
import { said, saying } from '../../explain/said.ts';
import { endpointSlice, networkPolicy, service } from '../../world/network-objects.ts';
import { at, node, pod, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const long = at(-60);
const owners = ['api', 'web', 'cart'].map((name) => workload('ReplicaSet', name));
const owned = (name: string) => ({ owner: { kind: 'ReplicaSet', name }, createdAt: long });
/** A Pod of a workload that crashed at an instant with its last words. */
const crashed = (name: string, minute: number, words: string, which = 'a'): RawObject =>
  pod(`${name}-${which}`, { ...saying(long, at(minute), words), ...owned(name) });
const healthy = (name: string): RawObject => pod(`${name}-a`, owned(name));

/** What is found of what is called. */
function cluster(...raws: readonly RawObject[]) {
  const k8s = story();
  k8s.put(at(0), ...owners, ...raws);
  const called = (): string[] =>
    k8s.found().filter((line) => /^(?:ExternalEndpoint|Service|ServiceAccount|Secret)\//.test(line));
  return { ...k8s, called };
}

const host = 'api.payments.example';
const outside: Ref = `ExternalEndpoint//${host}`;

test('T30 fires and clears: an address outside that two workloads cannot resolve', () => {
  const { put, called, finding, says } = cluster(crashed('api', 0, said.unresolved(host)));
  assert.deepEqual(called(), [], 'one workload alone may be wrong');
  put(at(10), crashed('web', 10, said.unresolved(host)));
  assert.deepEqual(called(), [`${outside} ExternalEndpointUnreachable`]);
  const { since, facts, detail } = finding(outside, 'ExternalEndpointUnreachable');
  assert.deepEqual([since, facts.workloads, facts.sign, detail], [at(0), 2, 'NameNotResolved', said.unresolved(host)]);
  assert.equal(
    says(outside, 'ExternalEndpointUnreachable'),
    'The external address api.payments.example cannot be reached, say the logs of 2 workloads.',
  );
  put(at(11), healthy('web'));
  assert.deepEqual(called(), []);
});

test('T30 is quiet: two Pods of one workload, two workloads an hour apart, an address of the cluster, another reason', () => {
  const refused = said.unresolved(host);
  assert.deepEqual(cluster(crashed('api', 0, refused), crashed('api', 0, refused, 'b')).called(), []);
  const { put, called } = cluster(crashed('api', 0, refused));
  put(at(61), crashed('web', 61, refused));
  assert.deepEqual(called(), []);
  const db = service('db', { createdAt: long });
  assert.deepEqual(
    cluster(db, crashed('api', 0, said.refused('db')), crashed('web', 0, said.refused('db'))).called(),
    [],
  );
  const variable = `${refused}\n${said.variable}`;
  assert.deepEqual(cluster(crashed('api', 0, said.variable), crashed('web', 0, variable)).called(), []);
});

test('T31 fires and clears: an address outside that rejects the credentials of two workloads', () => {
  const words = said.rejected('db.example.com');
  const { put, called, says } = cluster(crashed('api', 0, words), crashed('web', 0, words));
  const ref: Ref = 'ExternalEndpoint//db.example.com:5432';
  assert.deepEqual(called(), [`${ref} ExternalEndpointRefusing`]);
  assert.equal(
    says(ref, 'ExternalEndpointRefusing'),
    'The external address db.example.com:5432 refuses, say the logs of 2 workloads.',
  );
  put(at(1), healthy('api'));
  assert.deepEqual(called(), []);
});

test('T31 is quiet: one workload with a wrong password of its own', () => {
  assert.deepEqual(cluster(crashed('api', 0, said.rejected('db.example.com'))).called(), []);
});

test('T32 fires and clears: a Service that a program needs and that is not there, with the one that was meant', () => {
  const { put, called, finding, says } = cluster(
    service('postgres'),
    crashed('api', 0, said.unresolved('postgres-db')),
  );
  const ref: Ref = 'Service/shop/postgres-db';
  assert.deepEqual(called(), [`${ref} ServiceMissing`]);
  assert.equal(finding(ref, 'ServiceMissing').facts.near, 'Service shop/postgres');
  assert.equal(
    says(ref, 'ServiceMissing'),
    'Service shop/postgres-db does not exist; there is Service shop/postgres, and 1 workload calls it.',
  );
  put(at(1), service('postgres-db'));
  assert.deepEqual(called(), []);
});

test('T32 is quiet: the Service is there, its name is resolved, or Services cannot be seen', () => {
  assert.deepEqual(cluster(service('db'), crashed('api', 0, said.refused('db'))).called(), []);
  assert.deepEqual(cluster(crashed('api', 0, said.refused('db'))).called(), [], 'somebody has refused it');
  const { see, put, called } = cluster();
  see('Service', 'Denied', at(0));
  put(at(1), crashed('api', 1, said.unresolved('db')));
  assert.deepEqual(called(), []);
});

test('since when a Service is missed does not depend on which finding of who misses it is listed first', () => {
  const k8s = cluster(crashed('api', 0, said.unresolved('db')));
  const ofPod = k8s.finding('Pod/shop/api-a', 'CrashLoopBackOff');
  const { scope: _, ...unscoped } = ofPod;
  const subject = { ref: 'ReplicaSet/shop/api', labels: {} } as const;
  const ofWorkload: Finding = { ...unscoped, subject, reason: 'DeploymentUnavailable', since: at(2) };
  const named = [ofPod, ofWorkload].map((one): [Ref, readonly Finding[]] => [one.subject.ref, [one]]);
  for (const order of [named, named.toReversed()])
    assert.deepEqual(
      callersOf('Service/shop/db', ['NameNotResolved'], new Map(order), k8s.world).map(({ ref, since }) => [
        ref,
        since,
      ]),
      [['Pod/shop/api-a', at(0)]],
    );
});

test('T33 fires and clears: a Service that has no connections left for two workloads', () => {
  const words = said.full('db');
  const { put, called, says } = cluster(service('db'), crashed('api', 0, words), crashed('web', 0, words));
  assert.deepEqual(called(), ['Service/shop/db ServiceRefusing']);
  assert.equal(says('Service/shop/db', 'ServiceRefusing'), 'Service shop/db refuses, say the logs of 2 workloads.');
  put(at(1), healthy('api'));
  assert.deepEqual(called(), []);
});

test('T33 is quiet: one workload alone is turned away', () => {
  assert.deepEqual(cluster(service('db'), crashed('api', 0, said.rejected('db'))).called(), []);
});

test('T33 fires: one workload is turned away, and another that is given the Service fails without a word', () => {
  const env = [{ name: 'DB', value: 'db:5432' }];
  const silent = (name: string): RawObject =>
    pod(`${name}-a`, {
      ...saying(long, at(0), 'Exited.'),
      ...owned(name),
      spec: { containers: [{ name: 'api', image: 'x', env }] },
    });
  const speaker = crashed('api', 0, said.full('db'));
  assert.deepEqual(cluster(service('db'), speaker, silent('web')).called(), ['Service/shop/db ServiceRefusing']);
  assert.deepEqual(cluster(service('db'), speaker, crashed('web', 0, 'Exited.')).called(), [], 'it is not given it');
});

/** A Pod that crashed so, on another Node. */
const elsewhere = (name: string, words: string): RawObject =>
  pod(`${name}-a`, { node: 'n2', ...saying(long, at(0), words), ...owned(name) });
const served = [service('db', { createdAt: long }), endpointSlice('db', { createdAt: long })];
const nodes = ['n1', 'n2'].map((name) => node(name));

test('T47 fires and clears: a Service with endpoints that two workloads on two Nodes cannot reach', () => {
  const words = said.refused('db');
  const { put, called, says } = cluster(...nodes, ...served, crashed('api', 0, words), elsewhere('web', words));
  assert.deepEqual(called(), ['Service/shop/db ServiceUnreachable']);
  assert.equal(
    says('Service/shop/db', 'ServiceUnreachable'),
    'Service shop/db cannot be reached, say the logs of 2 workloads.',
  );
  put(at(1), healthy('api'));
  assert.deepEqual(called(), []);
});

test('T47 is quiet: nobody is behind it, both are on one Node, or what is behind it has just ended', () => {
  const words = said.refused('db');
  const [api, web] = [crashed('api', 0, words), elsewhere('web', words)];
  const empty = endpointSlice('db', { ready: 0, unready: 1, createdAt: long });
  assert.deepEqual(cluster(...nodes, service('db', { createdAt: long }), empty, api, web).called(), []);
  assert.deepEqual(cluster(...nodes, ...served, api, crashed('web', 0, words)).called(), []);
  const labels = { app: 'db' };
  const server = pod('db-a', { ...saying(long, at(-1), 'Exited.'), labels });
  assert.deepEqual(cluster(...nodes, ...served, server, api, web).called(), []);
});

test('T34 fires and clears: a ServiceAccount that may not do what its program asks for', () => {
  const { put, called, says } = cluster(crashed('api', 0, said.forbidden('default')));
  const ref: Ref = 'ServiceAccount/shop/default';
  assert.deepEqual(called(), [`${ref} ServiceAccountForbidden`]);
  assert.equal(
    says(ref, 'ServiceAccountForbidden'),
    'ServiceAccount shop/default may not do what a program asks for with it.',
  );
  put(at(1), healthy('api'));
  assert.deepEqual(called(), []);
});

test('T34 is quiet: a program that runs, whatever it is refused', () => {
  assert.deepEqual(cluster(healthy('api')).called(), []);
});

test('T34 is quiet: a program that names another account than the one of its Pod, of any namespace', () => {
  assert.deepEqual(cluster(crashed('api', 0, said.forbidden('api'))).called(), []);
  const elsewhere = said.forbidden('coredns').replace('serviceaccount:shop:', 'serviceaccount:kube-system:');
  assert.deepEqual(cluster(crashed('api', 0, elsewhere)).called(), []);
  const namesake = said.forbidden('default').replace('serviceaccount:shop:', 'serviceaccount:pay:');
  assert.deepEqual(cluster(crashed('api', 0, namesake)).called(), []);
});

test('T34 is quiet: a release that asks for what nobody granted, unless it had it for a while', () => {
  const { put, called } = cluster();
  put(at(0), ...app('ops', { image: 'registry.example/shop/ops:1' }), podOf('ops', 'a'));
  const crashes = (which: string, minute: number) =>
    podOf('ops', which, { ...saying(at(minute), at(minute + 1), said.forbidden('default')), revision: 2 });
  const [released] = app('ops', { image: 'registry.example/shop/ops:2', generation: 2 });
  if (released) put(at(10), released);
  put(at(10), replicaSet('ops', 2, { createdAt: at(10), replicas: 1 }));
  put(at(11), crashes('b', 10));
  assert.deepEqual(called(), []);
  put(at(50), crashes('c', 49));
  assert.deepEqual(
    called(),
    ['ServiceAccount/shop/default ServiceAccountForbidden'],
    'an hour later it had what it asked for',
  );
});

const login = 'FATAL: password authentication failed for user "app"';
/** A Pod that crashed so and has its password from a Secret. */
const locked = (name: string, secrets: readonly string[], more: object = {}): RawObject => {
  const envFrom = secrets.map((secret) => ({ secretRef: { name: secret } }));
  const spec = { containers: [{ name: 'api', image: 'x', envFrom }], ...more };
  return pod(`${name}-a`, { ...saying(long, at(0), login), ...owned(name), spec });
};

test('T35 fires and clears: a Secret whose credentials are rejected of two workloads', () => {
  const { put, called, finding, says } = cluster(locked('api', ['db']), locked('web', ['db']));
  const ref: Ref = 'Secret/shop/db';
  assert.deepEqual(called(), [`${ref} SecretRejected`]);
  assert.equal(finding(ref, 'SecretRejected').facts.workloads, 2);
  assert.equal(says(ref, 'SecretRejected'), 'What 2 workloads take from Secret shop/db is rejected, say their logs.');
  put(at(1), healthy('api'));
  assert.deepEqual(called(), []);
});

test('T35 fires: of two Secrets that both use, the one with which nobody else is ready', () => {
  const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ secretRef: { name: 'bundle' } }] }] };
  const cart = pod('cart-a', { ...owned('cart'), spec });
  const both = ['bundle', 'db'];
  assert.deepEqual(cluster(cart, locked('api', both), locked('web', both)).called(), ['Secret/shop/db SecretRejected']);
});

test('T35 is quiet: one workload alone, a Secret each, one Secret that only pulls images', () => {
  assert.deepEqual(cluster(locked('api', ['db'])).called(), []);
  assert.deepEqual(cluster(locked('api', ['a']), locked('web', ['b'])).called(), []);
  const pull = { imagePullSecrets: [{ name: 'registry' }] };
  assert.deepEqual(cluster(locked('api', [], pull), locked('web', [], pull)).called(), []);
});

/** A Pod behind the Service `db` whose container names a port, and the Service, which leads to another. */
const behind = (containerPort: number, target: number): RawObject[] => {
  const ports = [{ containerPort }];
  return [
    service('db', { createdAt: long, ports: [{ port: 5432, targetPort: target }] }),
    pod('db-a', { labels: { app: 'db' }, createdAt: long, spec: { containers: [{ name: 'api', image: 'x', ports }] } }),
  ];
};

test('T36 fires and clears: a port by number that no container names, at which a program is refused', () => {
  const { put, called, says } = cluster(...behind(5432, 5433), crashed('api', 0, said.refused('db')));
  assert.deepEqual(called(), ['Service/shop/db ServicePortRefused']);
  assert.equal(
    says('Service/shop/db', 'ServicePortRefused'),
    'Port 5432 leads to 5433, and no container of its pods opens that port; there is 5432.',
  );
  put(at(1), ...behind(5432, 5432));
  assert.deepEqual(called(), []);
});

test('T36 is quiet: the port that it leads to is named, nobody is refused, or containers name no ports', () => {
  assert.deepEqual(cluster(...behind(5432, 5432), crashed('api', 0, said.refused('db'))).called(), []);
  assert.deepEqual(cluster(...behind(5432, 5433), healthy('api')).called(), []);
  const [db] = behind(5432, 5433);
  const silent = pod('db-a', { labels: { app: 'db' }, createdAt: long });
  assert.deepEqual(cluster(...(db ? [db] : []), silent, crashed('api', 0, said.refused('db'))).called(), []);
});

const dnsLabels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels: dnsLabels, selector: dnsLabels, createdAt: long });
const unanswered = (host: string): string =>
  `dial tcp: lookup ${host} on 10.96.0.10:53: read udp 10.244.1.7:41022->10.96.0.10:53: i/o timeout`;
/** A Pod of a workload of a namespace that crashed on a Node with its last words. */
const lost = (namespace: string, node: string, words: string): RawObject =>
  pod(`${namespace}-a`, { ...saying(long, at(0), words), namespace, node, createdAt: long });

test('T37 fires and clears: lookups from two namespaces and two Nodes that cluster DNS does not answer', () => {
  const { put, called, says } = cluster(
    dns,
    lost('office', 'n1', unanswered('a.example.com')),
    lost('lab', 'n2', unanswered('b.example.com')),
  );
  const ref: Ref = 'Service/kube-system/kube-dns';
  assert.deepEqual(called(), [`${ref} ClusterDNSFailing`]);
  assert.equal(says(ref, 'ClusterDNSFailing'), 'Cluster DNS does not answer, say the logs of 2 workloads.');
  put(at(1), pod('lab-a', { namespace: 'lab', node: 'n2', createdAt: long }));
  assert.deepEqual(called(), []);
});

/** A Pod of the office that crashed on a Node with its last words. */
const ofOffice = (name: string, host: string, where: string): RawObject =>
  pod(name, { ...saying(long, at(0), unanswered(host)), namespace: 'office', node: where, createdAt: long });

test('T37 of one namespace: lookups are not answered there, unless a network policy decides whom its Pods may ask', () => {
  const pods = [ofOffice('a', 'a.example.com', 'n1'), ofOffice('b', 'b.example.com', 'n2')];
  const ref = 'Service/kube-system/kube-dns ClusterDNSFailing';
  assert.ok(
    cluster(dns, ...pods)
      .called()
      .includes(ref),
  );
  const policy = networkPolicy('all', { namespace: 'office', spec: { podSelector: {}, policyTypes: ['Egress'] } });
  assert.ok(
    !cluster(dns, policy, ...pods)
      .called()
      .includes(ref),
  );
});

test('T37 fires: the Service of the cluster DNS is gone, and nobody finds its Pods', () => {
  const pods = [ofOffice('a', 'a.example.com', 'n1'), ofOffice('b', 'b.example.com', 'n2')];
  const { called, says } = cluster(...pods);
  assert.ok(called().includes('Service/kube-system/kube-dns ClusterDNSFailing'));
  assert.equal(
    says('Service/kube-system/kube-dns', 'ClusterDNSFailing'),
    'Cluster DNS has no Service any more, and does not answer, say the logs of 2 workloads.',
  );
  const renamed = service('coredns', { namespace: 'kube-system', labels: dnsLabels, createdAt: long });
  assert.ok(
    !cluster(renamed, ...pods)
      .called()
      .some((line) => line.includes('kube-dns')),
    'it has another name',
  );
});

test('T37 is quiet: one workload, one Node, one name outside, names that do not exist', () => {
  const told = (...raws: readonly RawObject[]): string[] =>
    cluster(dns, node('n1'), node('n2'), ...raws)
      .called()
      .filter((line) => line.includes('ClusterDNSFailing'));
  const [a, b] = [unanswered('a.example.com'), unanswered('b.example.com')];
  assert.deepEqual(told(lost('office', 'n1', a)), []);
  assert.deepEqual(told(lost('office', 'n1', a), lost('lab', 'n1', b)), []);
  assert.deepEqual(told(lost('office', 'n1', a), lost('lab', 'n2', a)), []);
  const missing = said.unresolved('c.example.com');
  assert.deepEqual(told(lost('office', 'n1', missing), lost('lab', 'n2', missing)), []);
});
