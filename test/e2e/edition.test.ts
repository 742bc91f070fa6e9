/** The states of a licence on a real control plane, on one operator that goes on running, and what is there in each. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Edition, type Feature, includes } from '../../src/model/edition.ts';
import type { LicenseState } from '../../src/model/license.ts';
import { issuer } from '../edition/licences.ts';
import { configuration, type Operator, ready, type Stage, startStage } from './stage.ts';

const ours = issuer();
const day = 86_400;
const now = Math.floor(Date.now() / 1000);
const expiring = (inDays: number) => ({ iat: now + (inDays - 100) * day, exp: now + inDays * day });

let stage: Stage;
let operator: Operator;
let clusterId = '';
let licences = 0;

const kubectl = (...args: readonly string[]): Promise<string> => stage.kubectl(['-n', 'tocsin', ...args]);
const condition = async (kind: string, name: string, type: string): Promise<string> =>
  kubectl('get', kind, name, '-o', `jsonpath={.status.conditions[?(@.type=="${type}")].reason}`);

/** What shows, by kubectl, whether a feature is there. */
const shows: Readonly<Partial<Record<Feature, () => Promise<boolean>>>> = {
  manyProviders: async () => (await condition('ap', 'second', 'Active')) === 'Selected',
  maintenance: async () => (await condition('mw', 'works', 'Active')) === 'Open',
  auditLog: async () => (await condition('ac', 'default', 'Auditing')) === 'Writing',
  savedState: async () => (await condition('ac', 'default', 'StateSaved')) !== 'NotLicensed',
};

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  clusterId = await stage.kubectl(['get', 'namespace', 'kube-system', '-o', 'jsonpath={.metadata.uid}']);
  const objects = configuration(stage.receiver.url);
  const provider = objects.find((each) => Object(each).kind === 'AlertProvider');
  await stage.apply(
    ...objects,
    { ...provider, metadata: { name: 'second', namespace: 'tocsin' } },
    {
      ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'MaintenanceWindow' },
      metadata: { name: 'works', namespace: 'tocsin' },
      spec: {
        selector: { namespaces: ['elsewhere'] },
        startsAt: new Date((now - 600) * 1000).toISOString(),
        endsAt: new Date((now + day) * 1000).toISOString(),
      },
    },
  );
  operator = await stage.startOperator({ licenseKeys: ours.keys, stateDirectory: join(stage.folder, 'state') });
  await ready(stage, operator);
});
after(() => stage?.stop());

/** Names a licence in the AlertConfig, in a Secret of its own. */
async function license(token: string | undefined): Promise<void> {
  licences += 1;
  const name = `licence-${licences}`;
  if (token !== undefined) await kubectl('create', 'secret', 'generic', name, `--from-literal=license=${token}`);
  const named = token === undefined ? null : { secretKeyRef: { name, key: 'license' } };
  const spec = { license: named, auditLog: { enabled: true, path: join(stage.folder, 'audit.jsonl') } };
  await kubectl('patch', 'ac', 'default', '--type=merge', '-p', JSON.stringify({ spec }));
}

test('each state of a licence, one after the other on one operator: kubectl shows the edition and what is there', async () => {
  const good = await ours.issue({ ...expiring(30), clusters: [clusterId] });
  const states: readonly (readonly [string | undefined, LicenseState, Edition])[] = [
    [undefined, 'NoLicense', 'Community'],
    [`${good.slice(0, -4)}AAAA`, 'BadSignature', 'Community'],
    [good, 'Valid', 'Pro'],
    [await ours.issue({ ...expiring(30), clusters: ['another'] }), 'WrongCluster', 'Community'],
    [await ours.issue(expiring(-13)), 'GracePeriod', 'Pro'],
    [await ours.issue(expiring(-15)), 'Expired', 'Community'],
    [good, 'Valid', 'Pro'],
    [undefined, 'NoLicense', 'Community'],
  ];
  for (const [token, state, edition] of states) {
    await license(token);
    await stage.eventually(30, async () => {
      assert.equal(await condition('ac', 'default', 'Licensed'), state);
      assert.match(await kubectl('get', 'ac', 'default', '--no-headers'), new RegExp(`^default +${edition} `));
      for (const [feature, isThere] of Object.entries(shows) as [Feature, () => Promise<boolean>][])
        assert.equal(await isThere(), includes(edition, feature), `${feature} when ${state}`);
    });
  }
  const events = await kubectl('get', 'events', '-o', 'jsonpath={.items[*].reason}');
  for (const reason of ['LicenseBadSignature', 'LicenseValid', 'LicenseGracePeriod', 'LicenseRemoved'])
    assert.ok(events.includes(reason), `${reason} in ${events}`);
});

test('a trial gives Pro without a token, and neither a new AlertConfig nor a restart begins it anew', async () => {
  const expires = (): Promise<string> => kubectl('get', 'ac', 'default', '-o', 'jsonpath={.status.expires}');
  const onTrial = (): Promise<string> =>
    stage.eventually(30, async () => {
      assert.equal(await condition('ac', 'default', 'Licensed'), 'Trial');
      assert.match(await kubectl('get', 'ac', 'default', '--no-headers'), /^default +Pro /);
      return expires();
    });
  await kubectl('patch', 'ac', 'default', '--type=merge', '-p', '{"spec":{"trial":true}}');
  const first = await onTrial();
  assert.ok(Math.abs(Date.parse(first) - Date.now() - 30 * day * 1000) < 60_000, first);
  const spec = await kubectl('get', 'ac', 'default', '-o', 'jsonpath={.spec}');
  await kubectl('delete', 'ac', 'default');
  await stage.apply({
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
    spec: JSON.parse(spec),
  });
  assert.equal(await onTrial(), first);
  const lease = await kubectl('get', 'lease', 'tocsin-trial', '-o', 'jsonpath={.metadata.creationTimestamp}');
  assert.equal(Date.parse(first) - Date.parse(lease), 30 * day * 1000);
  await operator.stop();
  operator = await stage.startOperator({ licenseKeys: ours.keys, stateDirectory: join(stage.folder, 'state') });
  await ready(stage, operator);
  assert.equal(await onTrial(), first);
});
