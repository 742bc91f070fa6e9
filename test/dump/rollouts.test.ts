import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Growth } from '../../src/dump/growth.ts';
import { ofDeployment } from '../../src/dump/made-by.ts';
import { Rollouts } from '../../src/dump/rollouts.ts';
import type { RawObject } from '../../src/model/raw-object.ts';

const stamp = (minutes: number): string => new Date(Date.UTC(2026, 10, 22, 12, minutes)).toISOString();

/** A Pod of the DaemonSet below: of a template, made so many minutes past noon. */
const pod = (hash: string, minutes: number): RawObject => ({
  kind: 'Pod',
  metadata: {
    name: `agent-${minutes}`,
    creationTimestamp: stamp(minutes),
    labels: { 'controller-revision-hash': hash },
    ownerReferences: [{ kind: 'DaemonSet', name: 'agent', uid: 'u1' }],
  },
});

/** A DaemonSet that was made at noon. */
const daemonSet = (metadata: object = {}): RawObject => ({
  kind: 'DaemonSet',
  metadata: { name: 'agent', uid: 'u1', generation: 2, creationTimestamp: stamp(0), ...metadata },
});

/** When its Pods say that the template of a workload was written. */
function told(pods: readonly RawObject[], workload = daemonSet()): readonly string[] {
  const rollouts = new Rollouts();
  for (const each of pods) rollouts.note(each);
  const { managedFields = [] } = rollouts.told(workload).metadata as { managedFields?: readonly { time: string }[] };
  return managedFields.map(({ time }) => time.slice(11, 23));
}

test('Pods that are all of one template, and newer than what made them, tell when it got it', () => {
  assert.deepEqual(told([pod('b', 31), pod('b', 30)]), ['12:29:59.000']);
  assert.deepEqual(told([pod('b', 0), pod('b', 30)]), [], 'one was made anew');
  assert.deepEqual(told([pod('b', 30)]), [], 'one alone may have been moved');
  assert.deepEqual(told([pod('b', 31), pod('b', 30)], daemonSet({ generation: 1 })), [], 'it was never edited');
  assert.deepEqual(told([pod('b', 31), pod('b', 30)], daemonSet({ uid: 'u2' })), [], 'it is another one');
  assert.deepEqual(told([pod('b', 31), pod('b', 30)], { ...daemonSet(), kind: 'Job' }), []);
});

test('of two templates the one with the newest Pod came last', () => {
  assert.deepEqual(told([pod('a', 0), pod('b', 30), pod('a', 20)]), ['12:29:59.000']);
});

test('where it is told who wrote the template, its Pods tell no more than that it is through', () => {
  const template = { 'f:spec': { 'f:template': {} } };
  const by = (minutes: number) => daemonSet({ managedFields: [{ time: stamp(minutes), fieldsV1: template }] });
  assert.deepEqual(told([pod('b', 31), pod('b', 30)], by(30)), ['12:30:00.000', '12:30:00.001']);
  assert.deepEqual(
    told([pod('b', 31), pod('b', 30)], by(10)),
    ['12:10:00.000'],
    'they were made anew for another reason',
  );
  assert.deepEqual(told([pod('a', 0), pod('b', 30)], by(30)), ['12:30:00.000'], 'it is under way');
});

test('a Deployment of which half the Pods or more are newer than the others has grown', () => {
  const replica = (minutes: number, hash = 'b'): RawObject => ({
    kind: 'Pod',
    metadata: {
      ...{ name: 'x', namespace: 'shop', creationTimestamp: stamp(minutes), labels: { 'pod-template-hash': hash } },
      ownerReferences: [{ kind: 'ReplicaSet', name: `worker-${hash}` }],
    },
  });
  const deployment = (metadata: object = {}): RawObject => ({
    kind: 'Deployment',
    metadata: { name: 'worker', namespace: 'shop', generation: 2, creationTimestamp: stamp(0), ...metadata },
  });
  const grew = (pods: readonly RawObject[], workload = deployment()): unknown => {
    const growth = new Growth();
    for (const each of pods) growth.note(each);
    const { managedFields } = growth.told(workload).metadata as { managedFields?: readonly { time: string }[] };
    return managedFields?.map(({ time }) => time.slice(11, 19));
  };
  const pods = [replica(31), replica(0), replica(30)];
  assert.deepEqual(grew(pods), ['12:29:59']);
  assert.equal(grew([replica(0), replica(1), replica(30)]), undefined, 'one was moved');
  assert.equal(grew([replica(30), replica(31)]), undefined, 'all are as old');
  assert.equal(grew([...pods, replica(29, 'a')]), undefined, 'they are of another template');
  assert.equal(grew(pods, deployment({ generation: 1 })), undefined);
  assert.equal(grew(pods, deployment({ namespace: 'crm' })), undefined);
  assert.deepEqual(grew(pods, deployment({ managedFields: [] })), [], 'who writes it is told');
});

test('a Pod whose ReplicaSet is not there is one of the Deployment that is named in it', () => {
  const owned = (kind: string, name: string, labels: object = { 'pod-template-hash': '6d7c787699' }): unknown => {
    const metadata = { name: 'x', labels, ownerReferences: [{ kind, name, controller: true }] };
    const { ownerReferences } = ofDeployment({ kind: 'Pod', metadata }).metadata;
    const [owner] = ownerReferences as readonly { kind: string; name: string; controller: boolean }[];
    return owner && `${owner.kind}/${owner.name} ${owner.controller}`;
  };
  assert.equal(owned('ReplicaSet', 'journal-6d7c787699'), 'Deployment/journal true');
  assert.equal(owned('ReplicaSet', 'journal-of-all-things'), 'ReplicaSet/journal-of-all-things true');
  assert.equal(owned('ReplicaSet', 'journal-6d7c787699', {}), 'ReplicaSet/journal-6d7c787699 true');
  assert.equal(owned('ReplicaSet', '-6d7c787699'), 'ReplicaSet/-6d7c787699 true');
  assert.equal(owned('Job', 'journal-6d7c787699'), 'Job/journal-6d7c787699 true');
});
