import assert from 'node:assert/strict';
import { test } from 'node:test';
import { app, crashing, long, podOf, replicaSet, twoNodes } from '../explain/proof.ts';
import { watchedCluster } from '../message/cluster.ts';
import { at, workload } from '../world/objects.ts';

const jammed = { name: 'LedgerJammed', says: 'has a ledger that jams', lastLine: 'E7731', severity: 'high' } as const;

/** What is told of a Pod that crashes with a line that a signature knows, after a release of the whole Deployment. */
function told(signatures: readonly (typeof jammed)[]) {
  const k8s = watchedCluster();
  const edited = { replicas: 1, createdAt: long, image: 'registry.example/shop/api:2', generation: 2 };
  k8s.put(long, ...twoNodes, ...app('api', { replicas: 1 }), podOf('api', 'a'));
  k8s.logs('starting', 'E7731 in rotor 4');
  k8s.start(at(0), { signatures });
  k8s.put(at(1), workload('Deployment', 'api', edited), replicaSet('api', 2, { replicas: 1, createdAt: at(1) }));
  k8s.put(at(2), podOf('api', 'b', { revision: 2, ...crashing(at(1), at(2)) }));
  k8s.wait(at(20));
  return k8s.told();
}

test('what a signature knows is told in its words, with its name, and is likely at most', () => {
  const [with_, without] = [told([jammed]), told([])].map((all) => all[0] ?? assert.fail());
  assert.match(with_?.title ?? '', /api has a ledger that jams/);
  assert.deepEqual(with_?.facts.find(({ name }) => name === 'Signature')?.value, 'LedgerJammed');
  assert.equal(with_?.incident?.reason, 'OwnSignature');
  assert.equal(without?.incident?.reason, 'CrashLoopBackOff');
  assert.deepEqual([without?.incident?.confidence, with_?.incident?.confidence], ['high', 'likely']);
});

test('it is one incident with what fails of the same object', () => {
  assert.equal(told([jammed]).filter(({ act }) => act === 'open').length, 1);
});
