/** What a dump tells of before it was written: recorded clusters whose root nobody finds who takes things to have begun when they are read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { formats, type Holding } from './formats.ts';
import { askedAt, linesOf, type Moment, momentOf } from './holding.ts';
import { looked, rootsOf } from './looked.ts';

async function look(format: string, holding: Holding, now: number) {
  const write = formats[format];
  assert.ok(write, format);
  const diagnosis = await looked(write(holding), now);
  return { limits: diagnosis.limits, roots: rootsOf(diagnosis) };
}

function recorded(name: string): Moment {
  const lines = linesOf(`labelled/${name}`);
  return momentOf(lines, askedAt(lines));
}

const told = [
  ['how often a kubelet says that it started a container', 'slow-crash', 'must-gather'],
  ['a third crash, between two runs', 'release-fills-its-metaspace', 'must-gather'],
  ['who scaled a workload to zero', 'mesh-control-plane-scaled-to-nothing', 'must-gather'],
  ['who edited a selector', 'service-selects-nobody-any-more', 'Troubleshoot support bundle'],
  ['which labels the revisions of a workload gave', 'release-drops-the-label-that-is-selected', 'must-gather'],
  ['when all was started anew', 'object-store-does-not-know-the-access-key', 'must-gather'],
  ['which settings were written after the others', 'dns-config-broken', 'OpenShift Insights archive'],
  ['which Service was', 'service-selects-nobody-any-more', 'kubectl cluster-info dump'],
  ['which policy was', 'policy-of-the-database-names-another-team', 'must-gather'],
  ['which template all Pods got at once', 'cache-of-names-is-released', 'must-gather'],
  ['that it is through', 'object-store-answers-without-quorum', 'Troubleshoot support bundle'],
  ['who edited an alias', 'alias-points-to-the-wrong-host', 'Troubleshoot support bundle'],
  ['how many Pods are newer than others', 'cache-has-no-room-for-another-client', 'must-gather'],
  ['that some Pods are newer than others', 'cache-has-no-room-for-another-client', 'Troubleshoot support bundle'],
  ['when a status was written', 'produced-w11-daemonsetrolloutstuck-0', 'must-gather'],
  ['when what a Service is for went', 'name-service-scaled-to-nothing', 'kubectl cluster-info dump'],
  ['of what there is none', 'produced-g4-webhookbackendmissing-0', 'must-gather'],
  ['Pods of a namespace that is called like a kind', 'peers-cannot-find-each-other', 'OpenShift Insights archive'],
] as const;

for (const [what, name, format] of told)
  test(`${what}: ${name}`, async () => {
    const moment = recorded(name);
    const { roots } = await look(format, moment, moment.now);
    assert.deepEqual(
      moment.roots.filter((root) => !roots.includes(root)),
      [],
    );
  });

test('a workload whose Pods are all as old has not grown, whoever wrote its number', async () => {
  const moment = recorded('cache-has-no-room-for-another-client');
  const objects = moment.objects.map((raw) => {
    const creationTimestamp = raw.kind === 'Pod' ? '2026-11-01T00:00:00Z' : raw.metadata.creationTimestamp;
    return { ...raw, metadata: { ...raw.metadata, creationTimestamp } };
  });
  const { roots } = await look('Troubleshoot support bundle', { ...moment, objects }, moment.now);
  assert.deepEqual(roots, ['StatefulSet/jobs/redis']);
});

test('without the Events a count of restarts may be old', async () => {
  const moment = recorded('slow-crash');
  const objects = moment.objects.filter(({ kind }) => kind !== 'Event');
  assert.deepEqual((await look('must-gather', { ...moment, objects }, moment.now)).roots, []);
});

const now = Date.parse('2026-11-20T10:00:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString().replace('.000Z', 'Z');

/** A webhook whose Service is not there, made so many seconds ago. */
function webhook(seconds: number): readonly RawObject[] {
  const made = (kind: string, name: string, at: string) => ({ name, uid: `${kind}-${name}`, creationTimestamp: at });
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: ago(9_000), lastHeartbeatTime: ago(30) };
  const clientConfig = { service: { namespace: 'guard', name: 'policy' } };
  return [
    { apiVersion: 'v1', kind: 'Node', metadata: made('Node', 'n1', ago(9_000)), status: { conditions: [ready] } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: made('Namespace', 'guard', ago(9_000)) },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: made('ValidatingWebhookConfiguration', 'policy', ago(seconds)),
      webhooks: [{ name: 'policy.example', failurePolicy: 'Fail', clientConfig, rules: [{ operations: ['CREATE'] }] }],
    },
  ] as readonly RawObject[];
}

test('what was made a moment ago is not surely broken; what was made long ago is', async () => {
  const root = 'ValidatingWebhookConfiguration//policy';
  assert.deepEqual((await look('must-gather', { objects: webhook(5), logs: [] }, now)).roots, []);
  assert.deepEqual((await look('must-gather', { objects: webhook(3_000), logs: [] }, now)).roots, [root]);
});

test('where objects do not tell who wrote them, the answer says what that means', async () => {
  const moment = recorded('mesh-control-plane-scaled-to-nothing');
  const says = /do not tell who wrote them/;
  assert.match((await look('OpenShift Insights archive', moment, moment.now)).limits.join(' '), says);
  assert.doesNotMatch((await look('Troubleshoot support bundle', moment, moment.now)).limits.join(' '), says);
});
