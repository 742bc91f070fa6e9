import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, daemonSet, ended, pod, stamp, status } from '../../world/objects.ts';
import { inShort } from '../helpers.ts';
import { app, crashing, long, podOf, twoNodes } from '../proof.ts';
import { house } from '../raw.ts';
import { said, saying } from '../said.ts';

const words = 'runtime/cgo: pthread_create failed: Resource temporarily unavailable';

/** Runs again since an instant, after it had crashed at 1. */
const again = (since: number) => ({
  createdAt: long,
  conditions: [condition('Ready', 'True', since)],
  statuses: [
    status('api', {
      ...{ restartCount: 5, state: { running: { startedAt: stamp(since) } } },
      lastState: ended(at(1) - 2000, at(1), 1),
    }),
  ],
});

test('that Pods which crashed with it serve again elsewhere does not make it the story of the Node of the last one', () => {
  const k8s = house();
  const names = ['api', 'web'];
  const all = (node: string, parts: object) => names.map((name) => podOf(name, node, { node, ...parts }));
  const both = (parts: object) => [...all('n1', parts), ...all('n2', parts)];
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)), ...both({}));
  k8s.wait(at(0));
  k8s.put(at(1), ...both(saying(long, at(1), words)));
  k8s.wait(at(4));
  k8s.put(at(5), ...all('n2', again(at(5))));
  k8s.wait(at(6));
  const roots = inShort(k8s.explain());
  assert.deepEqual(
    roots.filter((each) => each.startsWith('Node/')),
    [],
    roots.join(),
  );
  assert.equal(roots.length, names.length);
});

test('nor that those serve again elsewhere which had only stopped being ready', () => {
  const k8s = house();
  const names = ['api', 'web'];
  const all = (node: string, parts: object) => names.map((name) => podOf(name, node, { node, ...parts }));
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)), ...all('n1', {}), ...all('n2', {}));
  k8s.wait(at(0));
  k8s.put(at(1), ...all('n1', saying(long, at(1), words)));
  k8s.put(at(1), ...all('n2', { conditions: [condition('Ready', 'False', at(1))] }));
  k8s.wait(at(4));
  k8s.put(at(5), ...all('n2', { conditions: [condition('Ready', 'True', at(5))] }));
  k8s.wait(at(6));
  const roots = inShort(k8s.explain());
  assert.deepEqual(
    roots.filter((each) => each.startsWith('Node/')),
    [],
    roots.join(),
  );
});

/** A DaemonSet called like one that resolves names crashes on n1 at 1, and so does at 2 what cannot resolve a name there. */
function besideProxyOf(namespace: string): readonly string[] {
  const k8s = house();
  const agent = (parts: object) =>
    pod('dns-proxy-1', { namespace, owner: { kind: 'DaemonSet', name: 'dns-proxy' }, createdAt: long, ...parts });
  k8s.put(long, ...twoNodes, ...app('api'), daemonSet('dns-proxy', { namespace, createdAt: long }), agent({}));
  k8s.put(long, podOf('api', 'a'));
  k8s.wait(at(0));
  k8s.put(at(1), agent(crashing(long, at(1))));
  k8s.put(at(2), podOf('api', 'a', saying(long, at(2), said.unresolved('db.partner.example'))));
  k8s.wait(at(5));
  return inShort(k8s.explain());
}

test('an agent that two workloads of its Node cannot do without is their story, and not the Node’s with them', () => {
  const k8s = house();
  const names = ['api', 'web'];
  const namespace = 'kube-system';
  const agent = (node: string, parts: object) =>
    pod(`dns-proxy-${node}`, {
      ...{ namespace, owner: { kind: 'DaemonSet', name: 'dns-proxy' } },
      ...{ node, createdAt: long, ...parts },
    });
  const all = ['n1', 'n2'].flatMap((node) => [agent(node, {}), ...names.map((name) => podOf(name, node, { node }))]);
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)), ...all);
  k8s.put(long, daemonSet('dns-proxy', { namespace, createdAt: long }));
  k8s.wait(at(0));
  k8s.put(at(1), agent('n1', crashing(long, at(1))));
  const lost = saying(long, at(2), said.unresolved('db.partner.example'));
  k8s.put(at(2), ...names.map((name) => podOf(name, 'n1', { node: 'n1', ...lost })));
  k8s.wait(at(5));
  assert.deepEqual(inShort(k8s.explain()), [`DaemonSet/${namespace}/dns-proxy CrashLoopBackOff 4`]);
});

test('a DaemonSet of a team that is called like one of the cluster does not answer for what others cannot reach', () => {
  for (const namespace of ['kube-system', 'dns-system', 'node-local-dns'])
    assert.deepEqual(besideProxyOf(namespace), [`DaemonSet/${namespace}/dns-proxy CrashLoopBackOff 2`]);
  assert.deepEqual(besideProxyOf('team-a'), [
    'DaemonSet/team-a/dns-proxy CrashLoopBackOff 1',
    'Deployment/shop/api CrashLoopBackOff 1',
  ]);
});
