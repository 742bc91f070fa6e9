/** Each watched resource is taken away from the running operator in turn and given back: it says so, and tells nobody anything. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sourceOf } from '../../src/model/resource.ts';
import type { Effects } from '../../src/model/turn.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { configurePro } from './pro.ts';
import { deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

/** Looked at again so often, where an installation waits ten minutes. */
const rediscoverMs = 1_000;
const withinSeconds = 20;
const user = 'operator';

let stage: Stage;
let operator: Operator;
const decisions: Effects['save']['audit'][number][] = [];

/** A role of the operator's user, bound to it. */
function role(name: string, rules: readonly object[]): readonly object[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects: [{ kind: 'User', name: user }] },
  ];
}
const roleOf = (source: string): string => `watch-${source}`;
const verbs = ['list', 'watch'];
const grant = ({ group, plural }: { readonly group: string; readonly plural: string }): readonly object[] =>
  role(roleOf(sourceOf({ group, plural })), [{ apiGroups: [group], resources: [plural], verbs }]);

/** All that it does besides watching the cluster. */
const rest = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['get'] },
  { apiGroups: ['tocsin.dev'], resources: ['*'], verbs: [...verbs, 'patch'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'update'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
];

type Health = { coverage: { resources: { resource: string; state: string }[] } };
async function stateOf(source: string): Promise<string | undefined> {
  const health = (await (await fetch(`${operator.url}/health`)).json()) as Health;
  return health.coverage.resources.find(({ resource }) => resource === source)?.state;
}
const becomes = (source: string, state: string): Promise<void> =>
  stage.eventually(withinSeconds, async () => assert.equal(await stateOf(source), state, source));
const readiness = async (): Promise<number> => (await fetch(`${operator.url}/readyz`)).status;

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  await stage.apply(...role('rest', rest), ...watchedKinds.flatMap(grant));
  await stage.apply(deployment('web', { replicas: 3 }));
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', 'deployment', '--timeout=60s']);
  const licenseKeys = await configurePro(stage);
  operator = await stage.startOperator({
    ...{ licenseKeys, rediscoverMs, as: stage.plane.user(user) },
    observe: ({ save }) => decisions.push(...save.audit),
  });
  await ready(stage, operator);
  await stage.apply(deployment('api', { replicas: 1, script: { pullError: 'NotFound' } }));
  await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 120);
});
after(() => stage?.stop());

for (const row of watchedKinds) {
  const source = sourceOf(row);
  test(`${source} denied and given back: coverage and readiness say so; no incident, no clearing, no crash`, async (t) => {
    if ((await stateOf(source)) === 'NotServed') {
      t.diagnostic('not served here');
      return;
    }
    const told = stage.receiver.messages.length;
    await becomes(source, 'Watching');
    const decided = decisions.length;
    await stage.kubectl(['delete', 'clusterrolebinding', roleOf(source)]);
    await becomes(source, 'Denied');
    assert.equal(await readiness(), row.required === true ? 503 : 200);
    await stage.apply(...grant(row));
    await becomes(source, 'Watching');
    assert.equal(await readiness(), 200);
    assert.equal((await fetch(`${operator.url}/healthz`)).status, 200);
    const since = decisions.slice(decided).map(({ action, root, reason }) => `${action} ${root} ${reason}`);
    assert.deepEqual(since, [], 'nothing was decided');
    assert.equal(stage.receiver.messages.length, told, 'nobody was told anything');
  });
}

test('what failed all the time is over once it is mended: nothing was forgotten', async () => {
  await stage.apply(deployment('api', { replicas: 1 }));
  const ended = await stage.receiver.wait('its end', ({ type }) => type === 'incident.resolved', 120);
  assert.equal(ended.incident?.root.name, 'api');
  const types = stage.receiver.messages.map(({ type }) => type).filter((type) => type.startsWith('incident.'));
  assert.deepEqual(
    types.filter((type) => type !== 'incident.updated'),
    ['incident.opened', 'incident.resolved'],
  );
});
