import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../../src/incident/matching.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Incident, IncidentState } from '../../src/model/incident.ts';
import type { Ref } from '../../src/model/ref.ts';
import { at, explanation, finding } from './helpers.ts';

const pods = (...names: string[]) => names.map((name) => finding(`Pod/shop/${name}`));
const about = (
  root: Explanation['root']['ref'],
  members: Explanation['members'],
  reason: Explanation['reason'] = 'CrashLoopBackOff',
) => explanation(root, { members, reason });

function incident(
  id: string,
  follows: Explanation,
  state: IncidentState = 'Open',
  more: Partial<Incident> = {},
): Incident {
  const base = { alertKey: id, revision: 1, recoveries: [], standings: {}, hearings: {} };
  return { id, state, explanation: follows, startedAt: at(0), openedAt: at(1), ...base, ...more };
}

test('its own root wins over a larger overlap: two faults stay two', () => {
  const before = about('Deployment/shop/a', pods('a1', 'a2', 'a3'));
  const left = about('Deployment/shop/a', pods('a1'));
  const node = about('Node//n1', pods('a2', 'a3'));
  const { followed, fresh } = match([incident('a', before)], [node, left]);
  assert.equal(followed.get('a'), left);
  assert.deepEqual(fresh, [node]);
});

test('what was told takes a new root before what is still settling, although that has it already', () => {
  const told = incident('told', about('Deployment/shop/a', pods('a1')));
  const settling = incident('settling', about('Node//n1', pods('b1', 'b2')), 'Settling');
  const node = about('Node//n1', pods('a1', 'b1', 'b2'));
  const { followed, absorbed } = match([settling, told], [node]);
  assert.equal(followed.get('told'), node);
  assert.deepEqual([...absorbed], [['settling', 'told']]);
});

test('of equal claims the one that stands for itself wins over a folded one, then the older', () => {
  const both = about('Secret/shop/db', pods('a1', 'b1'));
  const a = about('Deployment/shop/a', pods('a1'));
  const b = about('Deployment/shop/b', pods('b1'));
  const folded = match([incident('a', a, 'Open', { foldedInto: 'x' }), incident('b', b)], [both]);
  assert.deepEqual([...folded.followed.keys()], ['b']);
  const younger = match([incident('a', a, 'Open', { openedAt: at(9) }), incident('b', b)], [both]);
  assert.deepEqual([...younger.followed.keys()], ['b']);
});

test('what goes on under the same root is followed without a look at who fails under it', () => {
  const unread = (root: Ref): Explanation =>
    Object.defineProperty(about(root, pods('a1')), 'members', { get: () => assert.fail('its members were read') });
  const now = unread('Secret/shop/db');
  const { followed, fresh } = match(
    [incident('db', unread('Secret/shop/db')), incident('over', unread('Node//n1'), 'Resolved')],
    [now],
  );
  assert.equal(followed.get('db'), now);
  assert.deepEqual(fresh, []);
});

test('two incidents of one root share out what there is by what they are about', () => {
  const [a, b] = [about('Secret/shop/db', pods('a1', 'a2')), about('Secret/shop/db', pods('b1'), 'SecretMissing')];
  const rest = about('Secret/shop/db', pods('b1', 'b2'));
  const over = match([incident('a', a), incident('b', b, 'Resolved')], [rest]);
  assert.deepEqual([...over.followed.keys()], ['b']);
  const open = match([incident('a', a), incident('b', b)], [rest]);
  assert.deepEqual([...open.followed.keys()], ['b']);
});

test('two faults of one root are told apart by their reason', () => {
  const crash = incident('crash', about('Deployment/shop/a', pods('a1')));
  const image = incident('image', about('Deployment/shop/a', pods('a2'), 'ImageNotFound'));
  const nextImage = about('Deployment/shop/a', pods('a8'), 'ImageNotFound');
  const nextCrash = about('Deployment/shop/a', pods('a9'));
  const { followed } = match([crash, image], [nextImage, nextCrash]);
  assert.equal(followed.get('crash'), nextCrash);
  assert.equal(followed.get('image'), nextImage);
});

test('a resolved incident is the same again only with its root, and its reason or a finding of it', () => {
  const over = incident('over', about('Deployment/shop/a', pods('a1')), 'Resolved');
  const cases: [Explanation, boolean][] = [
    [about('Deployment/shop/a', pods('a9')), true],
    [about('Deployment/shop/a', pods('a1'), 'OOMKilled'), true],
    [about('Deployment/shop/a', pods('a9'), 'ImageNotFound'), false],
    [about('Secret/shop/db', pods('a1')), false],
  ];
  for (const [next, same] of cases) assert.equal(match([over], [next]).followed.has('over'), same, next.reason);
});

test('what was told to fail and fails for another reason now is part of that, not over', () => {
  const image = incident('image', about('Deployment/shop/a', pods('a1'), 'ImageNotFound'), 'Open', {
    rootFailed: true,
  });
  const other = (...failing: string[]): Explanation => ({
    ...about('Registry//registry.example', pods(...failing), 'RegistryUnreachable'),
    workloads: failing.map((name): Ref => `Deployment/shop/${name.charAt(0)}`),
    parts: failing.map((name) => about(`Deployment/shop/${name.charAt(0)}`, pods(name), 'ImagePullBackOff')),
  });
  const registry = incident('registry', other('b1'));
  assert.deepEqual([...match([image, registry], [other('a2', 'b1')]).absorbed], [['image', 'registry']]);
  assert.deepEqual([...match([image, registry], [other('b1')]).absorbed], []);

  const edit = (...names: string[]): Incident =>
    incident('edit', { ...about('ConfigMap/shop/app', pods(...names)), workloads: other(...names).workloads });
  assert.deepEqual([...match([edit('a1'), registry], [other('a2', 'b1')]).absorbed], [['edit', 'registry']]);
  // Somebody whom the edit hit is healthy again, and the edit with him.
  assert.deepEqual([...match([edit('a1', 'c1'), registry], [other('a2', 'b1')]).absorbed], []);
});
