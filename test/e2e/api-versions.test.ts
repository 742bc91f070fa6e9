/**
 * From the definitions that know `v1alpha1` alone to those that serve `v1beta1` beside it, and back, with open incidents: first the
 * definitions, then the program, as an upgrade does it. Nothing is lost, and nothing is told twice.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { crdOf } from '../../src/api/crd.ts';
import { group, kindNames, storedVersion, version } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { configurePro } from './pro.ts';
import { deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

const missing = { pullError: 'NotFound' };
let stage: Stage;
let operator: Operator;
let start: () => Promise<Operator>;

const newer = kindNames.map((kind) => crdOf(resources[kind]));
const older = newer.map((crd) => ({
  ...crd,
  spec: { ...crd.spec, versions: crd.spec.versions.filter(({ name }) => name === storedVersion) },
}));

/** Gives the cluster these definitions, and waits until it serves `v1beta1`, or serves it no more. */
async function define(crds: readonly object[], isNewer: boolean): Promise<void> {
  await stage.kubectl(['replace', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: crds }));
  await stage.eventually(60, async () => {
    const groups: { readonly groups: readonly { readonly name: string; readonly versions: readonly object[] }[] } =
      JSON.parse(await stage.kubectl(['get', '--raw', '/apis']));
    const served = groups.groups.find(({ name }) => name === group)?.versions;
    assert.equal(served?.length, isNewer ? 2 : 1, 'versions that are served');
    const path = `/apis/${group}/${isNewer ? version : storedVersion}/alertproviders`;
    await stage.kubectl(['get', '--raw', path]);
  });
}

const told = (): string[] =>
  stage.receiver.messages.flatMap(({ type, incident }) =>
    incident && type !== 'incident.updated' ? [`${type.replace('incident.', '')} ${incident.root.name}`] : [],
  );
const heard = (what: string, name: string) =>
  stage.receiver.wait(
    `${what} of ${name}`,
    ({ type, incident }) => type === `incident.${what}` && incident?.root.name === name,
    120,
  );
const fail = (name: string) => stage.apply(deployment(name, { replicas: 1, script: missing }));
const remove = (name: string) => stage.kubectl(['-n', 'shop', 'delete', 'deployment', name, '--wait=true']);

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  await define(older, false);
  const licenseKeys = await configurePro(stage);
  start = () => stage.startOperator({ licenseKeys, stateDirectory: join(stage.folder, 'state') });
  operator = await start();
  await ready(stage, operator);
});
after(async () => {
  await stage?.stop();
});

test('before: a failure is told', async () => {
  await fail('before');
  await heard('opened', 'before');
});

test('up: the definitions are replaced under a running program, then the program; manifests of both versions are read', async () => {
  await define(newer, true);
  await fail('between');
  await heard('opened', 'between');
  await operator.stop();
  operator = await start();
  await ready(stage, operator);
  await stage.apply({
    apiVersion: `${group}/${version}`,
    kind: 'Silence',
    metadata: { name: 'move', namespace: 'tocsin' },
    spec: { selector: { names: ['muted'] }, durationSeconds: 3600 },
  });
  await stage.kubectl(['-n', 'tocsin', 'wait', '--for=condition=Active', '--timeout=30s', 'silence/move']);
  await fail('muted');
  await stage.eventually(90, async () => {
    assert.match(await stage.kubectl(['-n', 'tocsin', 'get', 'silences']), /move\s+True\s+True\s+\S+\s+1/);
  });
  for (const served of [version, storedVersion]) {
    const shown = await stage.kubectl([
      '-n',
      'tocsin',
      'get',
      `alertproviders.${served}.${group}`,
      'oncall',
      '-o=json',
    ]);
    const { spec, status, apiVersion } = JSON.parse(shown);
    assert.equal(apiVersion, `${group}/${served}`);
    assert.equal(spec.type, 'webhook');
    assert.ok(status.lastDelivery.time);
  }
  await assert.rejects(
    stage.apply({
      apiVersion: `${group}/${version}`,
      kind: 'AlertProvider',
      metadata: { name: 'wrong', namespace: 'tocsin' },
      spec: { type: 'webhook' },
    }),
    /set the block named by `type`/,
  );
});

test('back: the older definitions are given again; what was made with the newer ones stays in force', async () => {
  await define(older, false);
  await operator.stop();
  operator = await start();
  await ready(stage, operator);
  await fail('after');
  await heard('opened', 'after');
  for (const name of ['before', 'between', 'after']) await remove(name);
  for (const name of ['before', 'between', 'after']) await heard('resolved', name);
  // kubectl remembers for ten minutes which versions there are.
  assert.match(await stage.kubectl(['-n', 'tocsin', 'get', `silences.${storedVersion}.${group}`]), /move\s+True/);
});

test('each was told once', () => {
  assert.deepEqual(
    told().toSorted(),
    ['before', 'between', 'after'].flatMap((name) => [`opened ${name}`, `resolved ${name}`]).toSorted(),
  );
});
