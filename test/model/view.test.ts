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
