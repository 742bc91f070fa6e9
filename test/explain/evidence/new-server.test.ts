import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../world/network-objects.ts';
import { at, workload } from '../../world/objects.ts';
import { inShort } from '../helpers.ts';
import { app, long, podOf, twoNodes } from '../proof.ts';
import { house } from '../raw.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };

/** Two workloads with one Secret, made at an instant, are turned away at 2 by a database of which the Pod was made at another. */
function rejected(clientsMade: number, serverMade: number): readonly string[] {
  const k8s = house();
  const client = (name: string, parts: object) =>
    podOf(name, 'a', {
      ...{ createdAt: clientsMade },
      spec: {
        containers: [
          {
            ...{ name: 'api', image: 'x', env: [{ name: 'DB_HOST', value: 'db' }] },
            envFrom: [{ secretRef: { name: 'login' } }],
          },
        ],
      },
      ...parts,
    });
  const server = (createdAt: number) =>
    podOf('db', 'a', { createdAt, labels, owner: { kind: 'StatefulSet', name: 'db' } });
  k8s.put(long, ...twoNodes, service('db', { createdAt: long, selector: labels }));
  k8s.put(long, workload('StatefulSet', 'db', { createdAt: long, labels }), server(long));
  k8s.put(long, ...['api', 'web'].flatMap((name) => app(name)));
  k8s.put(clientsMade, ...['api', 'web'].map((name) => client(name, {})));
  k8s.wait(at(0));
  if (serverMade !== long) {
    k8s.gone(serverMade, server(long));
    k8s.put(serverMade, server(serverMade));
  }
  k8s.put(at(2), ...['api', 'web'].map((name) => client(name, saying(clientsMade, at(2), said.rejected('db')))));
  k8s.wait(at(5));
  return inShort(k8s.explain());
}

test('a server that was made anew and turns away whom the one before it let in is blamed, not what they log in with', () => {
  assert.deepEqual(rejected(long, at(1)), ['StatefulSet/shop/db ServiceRefusing 4']);
});

test('what clients log in with that a server turns away as before is blamed', () => {
  assert.deepEqual(rejected(long, long), ['Secret/shop/login SecretRejected 4']);
});
