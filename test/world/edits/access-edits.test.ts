import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindingOf, roleOf } from '../access.ts';
import { namespace } from '../control-objects.ts';
import { at, stamp } from '../objects.ts';
import { story } from '../story.ts';

const ref = 'RoleBinding/shop/broker';
const binding = bindingOf('shop/broker', 'Role/peers', ['shop/broker', 'shop/other']);
const was = { role: 'Role/shop/peers', subjects: ['ServiceAccount/shop/broker', 'ServiceAccount/shop/other'] };

test('what a binding granted is remembered when it is deleted, for a day, and over a restart', () => {
  const { world, put, gone } = story();
  put(at(0), binding);
  gone(at(1), binding);
  const edits = [{ ref, field: 'deletion', at: at(1), certain: true, was }];
  assert.deepEqual(world.changes(ref, 0), edits);
  assert.deepEqual([...world.editedAccess()], [ref]);
  const after = story();
  after.world.restoreSeen({ edits: new Map([[ref, JSON.parse(JSON.stringify(edits))]]) }, undefined);
  assert.deepEqual(after.world.changes(ref, 0), edits);
  world.expire(at(23 * 60));
  assert.equal(world.changes(ref, 0).length, 1);
  world.expire(at(25 * 60));
  assert.equal(world.changes(ref, 0).length, 0);
});

test('what is remembered in another shape is forgotten', () => {
  const { world } = story();
  const edit = { ref, field: 'deletion', at: at(1), certain: true, was: { role: 1, subjects: ['x'] } };
  world.restoreSeen({ edits: new Map([[ref, [edit]]]) }, undefined);
  assert.deepEqual(world.changes(ref, 0), []);
});

test('what goes with its namespace, or was there for moments only, is not remembered', () => {
  const { world, put, gone } = story();
  put(at(0), namespace('shop'), binding);
  put(at(1), namespace('shop', { deletionAt: at(1) }));
  gone(at(2), binding);
  assert.deepEqual(world.changes(ref, 0), []);
  const brief = bindingOf('ci/run-17', 'Role/run', ['ci/run-17']);
  const ofRun = { ...brief, metadata: { ...brief.metadata, creationTimestamp: stamp(at(3)) } };
  put(at(3), ofRun);
  gone(at(5), ofRun);
  assert.deepEqual(world.changes('RoleBinding/ci/run-17', 0), []);
});

test('a binding that is made anew for fewer was edited, and one that is the same was deleted for a moment', () => {
  const { world, put, gone } = story();
  const anew = (accounts: readonly string[]) => {
    const made = bindingOf('shop/broker', 'Role/peers', accounts, { by: 'helm', at: stamp(at(1)) });
    return { ...made, metadata: { ...made.metadata, uid: 'anew', creationTimestamp: stamp(at(1)) } };
  };
  put(at(0), binding);
  gone(at(1), binding);
  put(at(1), anew(['shop/other']));
  const parts = ['ServiceAccount shop/broker'];
  assert.deepEqual(world.changes(ref, 0), [
    { ref, field: 'subjects', parts, at: at(1), certain: true, by: 'Helm', was },
  ]);
  const other = story();
  other.put(at(0), binding);
  other.gone(at(1), binding);
  other.put(at(1), anew(['shop/broker', 'shop/other']));
  assert.deepEqual(
    other.world.changes(ref, 0).map(({ field }) => field),
    ['deletion'],
  );
});

test('an edit of a role says what can be done no more, in the order that its rules have, and what it granted before', () => {
  const { world, put } = story();
  const role = (...rules: readonly string[]) => roleOf('peers', rules, { at: stamp(at(1)), by: 'kubectl-edit' });
  put(at(0), role('get,list endpoints', 'list,watch deployments,jobs apps,batch', 'get pods/log'));
  put(at(1), role('get pods/log', 'list,get endpoints', 'list,watch deployments,jobs apps,batch'));
  assert.deepEqual(world.changes('ClusterRole//peers', 0), []);
  put(at(2), role('get endpoints', 'list,watch deployments apps', 'get */log'));
  const edits = world.changes('ClusterRole//peers', 0);
  assert.deepEqual(
    edits.map(({ field, parts, by, was: before }) => [field, parts, by, before?.rules]),
    [
      [
        'rules',
        ['list endpoints', 'list/watch jobs.apps', 'list/watch deployments.batch', 'list/watch jobs.batch'],
        'kubectl-edit',
        ['get  pods/log', 'get,list  endpoints', 'list,watch apps,batch deployments,jobs'],
      ],
    ],
  );
});
