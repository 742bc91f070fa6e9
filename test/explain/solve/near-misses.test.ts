import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofInWords } from '../../../src/message/parts/proof.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { ingress, ingressClass, service } from '../../world/network-objects.ts';
import { at, configMap, managed, node } from '../../world/objects.ts';
import { unbound } from '../../world/storage-objects.ts';
import { app, long, podOf, stuck, twoNodes, unplaced } from '../proof.ts';
import { house } from '../raw.ts';
import { saying } from '../said.ts';
import { shop } from '../storage-proof.ts';

/** What is said in proof of the first explanation, 20 min after some objects came. */
function proofs(before: readonly RawObject[], ...objects: RawObject[]): string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...before);
  k8s.wait(at(0));
  k8s.put(at(1), ...objects);
  k8s.wait(at(20));
  return k8s.explain().flatMap(({ proof, root }) => proof.map((each) => proofInWords(each, root.ref, at(20))));
}

const env = (of: 'secretKeyRef' | 'configMapKeyRef', name: string, key: string) => ({
  containers: [{ name: 'api', image: 'api:1', env: [{ name: 'TOKEN', valueFrom: { [of]: { name, key } } }] }],
});
const waits = (says: string, spec: object) =>
  podOf('api', 'a', { ...stuck(at(1), 'CreateContainerConfigError', says), spec: { ...spec } });

test('the key that a ConfigMap has instead', () => {
  const managedFields = [managed('kubectl', long, { 'f:data': { '.': {}, 'f:api_token': {}, 'f:url': {} } })];
  const pod = waits("couldn't find key api-token in ConfigMap shop/app", env('configMapKeyRef', 'app', 'api-token'));
  assert.deepEqual(proofs([configMap('app', { managedFields }), ...app('api')], pod), [
    'ConfigMap shop/app has no key api-token; it has api_token.',
  ]);
});

test('the key of a Secret that Pods which run were started with, as Secrets are not read', () => {
  const runs = podOf('web', 'a', { spec: env('secretKeyRef', 'db', 'api_token') });
  const pod = waits("couldn't find key api-token in Secret shop/db", env('secretKeyRef', 'db', 'api-token'));
  assert.deepEqual(proofs([...app('api'), ...app('web'), runs], pod), [
    'Secret shop/db has no key api-token; pods that run use its key api_token.',
  ]);
  const other = podOf('web', 'a', { spec: env('secretKeyRef', 'cache', 'api_token') });
  assert.deepEqual(proofs([...app('api'), ...app('web'), other], pod), []);
});

test('the ConfigMap or Secret that is called nearly so', () => {
  const lacks = (what: string, spec: object) => waits(`${what} not found`, spec);
  assert.deepEqual(
    proofs(
      [configMap('app-config'), ...app('api')],
      lacks('configmap "app-confg"', env('configMapKeyRef', 'app-confg', 'x')),
    ),
    ['There is no ConfigMap shop/app-confg, but there is app-config.'],
  );
  const runs = podOf('web', 'a', { spec: env('secretKeyRef', 'db-credentials', 'x') });
  assert.deepEqual(
    proofs(
      [...app('api'), ...app('web'), runs],
      lacks('secret "db-credential"', env('secretKeyRef', 'db-credential', 'x')),
    ),
    ['There is no Secret shop/db-credential, but there is db-credentials.'],
  );
});

test('the namespace that has an object of that name, where one has', () => {
  const pod = waits('configmap "app" not found', env('configMapKeyRef', 'app', 'x'));
  assert.deepEqual(proofs([configMap('app', { namespace: 'data' }), ...app('api')], pod), [
    'There is no ConfigMap shop/app, but namespace data has a ConfigMap of that name.',
  ]);
  const many = ['data', 'web'].map((namespace) => configMap('app', { namespace }));
  assert.deepEqual(proofs([...many, ...app('api')], pod), []);
});

test('the Service and the class that an Ingress may mean', () => {
  assert.deepEqual(proofs([service('checkout')], ingress('shop', { backends: [{ service: 'chekout' }] })), [
    'There is no Service shop/chekout, but there is checkout.',
  ]);
  const wrong = ingress('shop', { ingressClass: 'ngnix', addressed: false });
  assert.deepEqual(proofs([service('shop'), ingressClass('nginx')], wrong), [
    'There is no IngressClass ngnix, but there is nginx.',
  ]);
});

test('the storage class that a claim may mean', () => {
  assert.deepEqual(proofs(shop, unbound('data', { createdAt: at(1), className: 'fasst' })), [
    'There is no StorageClass fasst, but there is fast.',
  ]);
});

const sized = (cpu: string, labels = {}) => node('n9', { since: long, labels, allocatable: { cpu, memory: '16Gi' } });

test('the largest Node that there is, of a Pod that asks for more', () => {
  const asks = { containers: [{ name: 'api', image: 'api:1', resources: { requests: { cpu: '8' } } }] };
  const pod = podOf('api', 'a', { ...unplaced(at(1), '0/1 nodes are available: 1 Insufficient cpu.'), spec: asks });
  const k8s = house();
  k8s.put(long, sized('3920m'), ...app('api'));
  k8s.wait(at(0));
  k8s.put(at(1), pod);
  k8s.wait(at(20));
  const [first] = k8s.explain();
  assert.deepEqual(
    first?.proof.map((each) => proofInWords(each, first.root.ref, at(20))),
    ['The pod asks for 8 CPU; the largest node offers 3.9 CPU.'],
  );
});

test('the label of Nodes that a Pod may mean', () => {
  const says = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.";
  const spec = { containers: [{ name: 'api', image: 'api:1' }], nodeSelector: { disktype: 'nvmee' } };
  const pod = podOf('api', 'a', { ...unplaced(at(1), says), spec });
  assert.deepEqual(proofs([sized('4', { disktype: 'nvme' }), ...app('api')], pod), [
    'No node has the label disktype: nvmee; there are nodes with disktype: nvme.',
  ]);
});

test('the port that a program calls and the Service does not have', () => {
  const old = { createdAt: long };
  const refused = (port: number) => `dial tcp 10.96.0.7:${port}: connect to db:${port}: connection refused`;
  const told = (port: number, ...ports: readonly number[]): string[] =>
    proofs(
      [
        ...app('api'),
        service('db', { ...old, spec: { clusterIP: '10.96.0.7' }, ports: ports.map((each) => ({ port: each })) }),
      ],
      podOf('api', 'a', saying(long, at(1), refused(port))),
    );
  assert.deepEqual(told(5433, 5432), ['The program calls port 5433 of Service shop/db, which has only port 5432.']);
  assert.deepEqual(told(5433, 5432, 6432), [
    'The program calls port 5433 of Service shop/db, which has the ports 5432 and 6432.',
  ]);
  assert.deepEqual(told(5432, 5432), []);
});
