import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at, managed } from '../world/objects.ts';
import { app, long, podOf, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { saying } from './said.ts';

const readOnly = 'ERROR: cannot execute INSERT in a read-only transaction';
const env = [{ name: 'DATABASE_HOST', value: 'db' }];
const spec = { containers: [{ name: 'api', image: 'x', env }] };

/** A Service leads to another server from an instant on, of which two clients say at 2 that it takes nothing; what is told of it, and by what. */
function ledElsewhere(editedAt: number, edit: 'selector' | 'ports'): (string | undefined)[] {
  const k8s = house();
  const db = (to: string, port: number, by: readonly ReturnType<typeof managed>[] = []) =>
    service('db', {
      ...{ createdAt: long, selector: { app: to }, ports: [{ port: 5432, targetPort: port, protocol: 'TCP' }] },
      managedFields: by,
    });
  const [labels, copy] = [{ app: 'db' }, { app: 'db-copy' }];
  k8s.put(long, ...twoNodes, ...app('db', { labels }), podOf('db', 'a', { labels }));
  k8s.put(long, ...app('db-copy', { labels: copy }), podOf('db-copy', 'a', { labels: copy }));
  k8s.put(long, db('db', 5432), endpointSlice('db'));
  k8s.put(long, ...['api', 'web'].flatMap((name) => [...app(name), podOf(name, 'a', { spec })]));
  k8s.wait(at(-30));
  const by = [managed('kubectl-patch', editedAt, { 'f:spec': { [`f:${edit}`]: {} } })];
  k8s.put(editedAt, edit === 'selector' ? db('db-copy', 5432, by) : db('db', 6432, by));
  k8s.put(at(2), ...['api', 'web'].map((name) => podOf(name, 'a', { spec, ...saying(long, at(2), readOnly) })));
  k8s.wait(at(5));
  return k8s.explain().map(({ root, change, confidence }) => `${root.ref} ${change?.field ?? 'no edit'} ${confidence}`);
}

test('a Service that was led to another server is why its clients are turned away there', () => {
  assert.deepEqual(ledElsewhere(at(1), 'selector'), ['Service/shop/db selector likely']);
});

test('it is not why where it was led there long before, nor where only its port was edited', () => {
  for (const told of [ledElsewhere(at(-20), 'selector'), ledElsewhere(at(1), 'ports')])
    assert.ok(
      told.every((each) => each?.includes('no edit')),
      told.join('; '),
    );
});
