/** Every state of a licence on a running operator, and what of the table of features is there in each. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Edition, type Feature, includes } from '../../src/model/edition.ts';
import { type LicenseState, type LicenseStateRow, licenseStates } from '../../src/model/license.ts';
import { type Receiver, startReceiver } from '../e2e/receiver.ts';
import { issuer } from '../edition/licences.ts';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-edition-'));
after(() => rmSync(folder, { recursive: true }));

const ours = issuer();
const day = 86_400;
const now = Math.floor(Date.now() / 1000);
/** A licence of a hundred days that ends in so many. */
const expiring = (inDays: number) => ({ iat: now + (inDays - 100) * day, exp: now + inDays * day });

/** The stage with a second receiver, that of the second AlertProvider. */
type Scene = Stage & { readonly second: Receiver; readonly auditLog: string };

/** What shows on the running operator whether a feature is there. */
const shows: readonly { readonly feature: Feature; readonly isThere: (scene: Scene) => boolean }[] = [
  {
    feature: 'manyProviders',
    isThere: ({ conditions }) => conditions('alertproviders', 'second').includes('Active=True/Selected'),
  },
  // The route of the first AlertProvider leads elsewhere: it is told only where routes have no effect.
  { feature: 'routes', isThere: ({ receiver }) => openings(receiver).length === 0 },
  {
    feature: 'maintenance',
    isThere: ({ conditions }) => conditions('maintenancewindows', 'works').includes('Active=True/Open'),
  },
  { feature: 'auditLog', isThere: ({ auditLog }) => existsSync(auditLog) },
];

/** Workloads whose opening arrived. */
const openings = ({ messages }: Receiver): readonly string[] =>
  messages.filter(({ type }) => type === 'incident.opened').map(({ incident }) => incident?.root.name ?? '');

const licence = (token: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'licence', namespace: 'tocsin' } },
  data: { license: Buffer.from(token).toString('base64') },
});

/** A window that is open and covers nothing of these tests. */
const window = {
  ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'MaintenanceWindow', metadata: { name: 'works', namespace: 'tocsin' } },
  spec: {
    selector: { namespaces: ['elsewhere'] },
    startsAt: new Date((now - 600) * 1000).toISOString(),
    endsAt: new Date((now + day) * 1000).toISOString(),
  },
};

const config = (
  auditLog: string,
  more: object = { license: { secretKeyRef: { name: 'licence', key: 'license' } } },
) => ({
  ...hasty,
  spec: { ...hasty.spec, incidents: { holdSeconds: 30 }, auditLog: { enabled: true, path: auditLog }, ...more },
});

/** Runs a story on an operator with two AlertProviders, a window, an audit log and this licence. */
async function on(token: string | undefined, story: (scene: Scene) => Promise<void>): Promise<void> {
  const auditLog = join(mkdtempSync(join(folder, 'audit-')), 'audit.jsonl');
  const second = await startReceiver();
  const stage = await startStage({ licenseKeys: ours.keys });
  const { create, receiver, until, get } = stage;
  try {
    const routes = [{ selector: { namespaces: ['elsewhere'] } }];
    const first = webhook('first');
    await create({ ...first, spec: { ...Object(first).spec, routes } }, webhook('second'), window);
    await create(address('first', receiver.url), address('second', second.url));
    await create(...(token === undefined ? [config(auditLog, {})] : [licence(token), config(auditLog)]));
    await until('ready', () => hasStarted({ get }));
    await story({ ...stage, second, auditLog });
  } finally {
    await stage.stop();
    await second.stop();
  }
}

/** Asserts that everything that shows the edition shows this one. */
async function assertEdition(scene: Scene, edition: Edition, state: LicenseState): Promise<void> {
  const { get, conditions, until, receiver, second, create, sandbox } = scene;
  await until(`Licensed is ${state}`, () => conditions('alertconfigs', 'default').includes(`/${state} `));
  assert.match(conditions('alertconfigs', 'default'), new RegExp(`Licensed=${licenseStates[state].licensed}/${state}`));
  const { status } = Object(sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default'));
  assert.equal(status.edition, edition);
  await create(broken('cart'));
  await until('somebody is told', () => [receiver, second].some((each) => openings(each).length > 0));
  for (const { feature, isThere } of shows)
    await until(`${feature} on ${edition}`, () => isThere(scene) === includes(edition, feature));
  const health = JSON.parse((await get('/health')).text);
  assert.equal(health.edition, edition);
  const row: LicenseStateRow = licenseStates[state];
  assert.equal(
    health.reasons.find((reason: string) => reason.startsWith('License')),
    row.health,
  );
  assert.match((await get('/metrics')).text, new RegExp(`tocsin_build_info\\{[^}]*edition="${edition}"\\} 1`));
  assert.ok(scene.log.some((line) => line.includes(`"edition":"${edition}"`) && line.includes(`"license":"${state}"`)));
}

const states: readonly (readonly [string, string | undefined, LicenseState, Edition])[] = [
  ['none', undefined, 'NoLicense', 'Community'],
  ['valid', await ours.issue(expiring(30)), 'Valid', 'Pro'],
  ['expired in its grace', await ours.issue(expiring(-13)), 'GracePeriod', 'Pro'],
  ['expired', await ours.issue(expiring(-15)), 'Expired', 'Community'],
  ['tampered with', `${(await ours.issue(expiring(30))).slice(0, -4)}AAAA`, 'BadSignature', 'Community'],
  ['for another cluster', await ours.issue({ ...expiring(30), clusters: ['another'] }), 'WrongCluster', 'Community'],
  ['signed by another key', await issuer('theirs').issue(expiring(30)), 'UnknownKey', 'Community'],
];

for (const [what, token, state, edition] of states)
  test(`a licence: ${what}: everything that shows the edition says ${edition}`, async () => {
    await on(token, (scene) => assertEdition(scene, edition, state));
  });

const path = {
  config: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
  secret: '/api/v1/namespaces/tocsin/secrets/licence',
  workload: (name: string) => `/apis/apps/v1/namespaces/shop/deployments/${name}`,
};
const put = ({ client }: Stage, to: string, body: object) =>
  client.json({ method: 'PATCH', path: to, body, contentType: 'application/merge-patch+json' });

/** What a receiver was told of a workload, in order. */
const toldOf = ({ messages }: Receiver, name: string): readonly string[] =>
  messages.filter(({ incident }) => incident?.root.name === name).map(({ type }) => type.replace('incident.', ''));

/** All texts that arrived. */
const reads = ({ messages }: Receiver): string => messages.map(({ message }) => message).join('\n');

test('the edition changes while incidents are open, both ways: no end is lost and nothing is told twice', async () => {
  await on(await ours.issue(expiring(30)), async (scene) => {
    const { create, conditions, remove, until, receiver: one, second: two } = scene;
    const isPro = (pro: boolean) => () =>
      conditions('alertproviders', 'second').includes(pro ? 'Active=True/Selected' : 'Active=False/CommunityLimit');
    await until('Pro', isPro(true));
    await create(broken('cart'), broken('card'));
    await until('the second is told', () => ['cart', 'card'].every((name) => toldOf(two, name).length > 0));
    assert.deepEqual(openings(one), []);

    await put(scene, path.config, { spec: { license: null } });
    await until('Community', isPro(false));
    // Nobody who is told anything knew of them.
    await until('the first is told what is open', () => ['cart', 'card'].every((name) => reads(one).includes(name)));
    await remove(path.workload('card'));
    await until('the first is told the end', () => toldOf(one, 'card').includes('resolved'));
    await create(broken('shelf'));
    await until('the first is told what is new', () => toldOf(one, 'shelf').length > 0);
    // Who was told of something hears its end, though it is told nothing new.
    await until('the second is told the end', () => toldOf(two, 'card').includes('resolved'));
    assert.deepEqual([toldOf(two, 'cart'), toldOf(two, 'card')], [['opened'], ['opened', 'resolved']]);
    assert.ok(!reads(two).includes('shelf'));
    const before = one.messages.length;

    await put(scene, path.config, { spec: { license: { secretKeyRef: { name: 'licence', key: 'license' } } } });
    await until('Pro again', isPro(true));
    await until('the second is told what is new', () => reads(two).includes('shelf'));
    assert.deepEqual([toldOf(two, 'cart'), toldOf(two, 'card')], [['opened'], ['opened', 'resolved']]);
    assert.equal(one.messages.length, before, 'the first has known all of that');
  });
});

test('a licence that is put into its Secret, or renewed there, counts within a minute', async () => {
  await on(await ours.issue(expiring(-15)), async (scene) => {
    const { conditions, until, client } = scene;
    await until('Community', () => conditions('alertproviders', 'second').includes('CommunityLimit'));
    await put(scene, path.secret, licence(await ours.issue(expiring(30))));
    await until('renewed', () => conditions('alertconfigs', 'default').includes('Licensed=True/Valid'));
    await until('Pro', () => conditions('alertproviders', 'second').includes('Active=True/Selected'));
    const { items } = await client.json<{ items: readonly { reason: string; type: string }[] }>({
      path: '/api/v1/namespaces/tocsin/events',
    });
    const events = items.filter(({ reason }) => reason.startsWith('License'));
    assert.deepEqual(
      // Listed by name, which says nothing of when.
      events.map(({ reason, type }) => `${type} ${reason}`).sort(),
      ['Normal LicenseValid', 'Warning LicenseExpired'],
    );
  });
});
