import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayRead, viewFor, wholeCluster } from '../../src/model/view.ts';
import { explanation, finding, lostNode } from '../incident/helpers.ts';

const node = lostNode('n1', ['shop/a', 'pay/b']);

test('the whole cluster reads everything', () => {
  assert.equal(viewFor(wholeCluster, node), node);
  assert.ok(mayRead(wholeCluster, 'Pod/shop/a'));
});

test('a namespace reads nothing of what does not concern it', () => {
  assert.equal(viewFor('web', node), undefined);
  assert.equal(viewFor('', explanation('Deployment/shop/api'))?.members.length, 2);
});

test("a namespace reads the root's identity and its own objects only", () => {
  const view = viewFor('shop', node);
  assert.deepEqual(view?.root, { ref: 'Node//n1', labels: {} });
  assert.deepEqual(view?.workloads, ['Deployment/shop/a']);
  assert.doesNotMatch(JSON.stringify(view), /pay\//);
  assert.deepEqual([view?.proof, view?.trace], [[], []], 'sentences may tell of others');
});

test("where another namespace's root runs is nobody else's to read", () => {
  const members = [finding('Pod/db/main-0', { node: 'secret-node' }), finding('Pod/shop/a-1', { node: 'n2' })];
  const root = { ref: 'Pod/db/main-0', labels: { tier: 'gold' }, node: 'secret-node' } as const;
  const view = viewFor('shop', { ...explanation('Pod/db/main-0', { members }), root });
  assert.doesNotMatch(JSON.stringify(view), /secret-node|gold/);
  assert.equal(viewFor('db', { ...explanation('Pod/db/main-0', { members }), root })?.root.node, 'secret-node');
});

test('how much others are hit is not counted for a namespace', () => {
  const sampled = { ...node, affectedCount: 900 };
  assert.equal(viewFor('shop', sampled)?.affectedCount, undefined);
  assert.equal(viewFor(wholeCluster, sampled)?.affectedCount, 900);
});

test('a namespace in which alone something fails still does not read what is hit elsewhere', () => {
  const own = explanation('Deployment/shop/api', { members: [finding('Pod/shop/a-1'), finding('Pod/shop/a-2')] });
  const affected = [...own.affected, { ref: 'Deployment/pay/b', labels: {} } as const];
  const view = viewFor('shop', { ...own, affected });
  assert.deepEqual(view?.affected, own.affected);
  assert.deepEqual(view?.members, own.members);
});

test('namespaces are found wherever in the list they stand', () => {
  const pods = ['Pod/shop/a-1', 'Pod/pay/b-1', 'Pod/shop/a-2', 'Pod/web/c-1', 'Pod/pay/b-2'] as const;
  const all = explanation('Node//n1', { members: pods.map((ref) => finding(ref)) });
  for (const namespace of ['shop', 'pay', 'web'])
    assert.deepEqual(
      viewFor(namespace, all)?.members.map(({ subject }) => subject.ref),
      pods.filter((ref) => ref.startsWith(`Pod/${namespace}/`)),
    );
});
