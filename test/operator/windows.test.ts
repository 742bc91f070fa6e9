import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuer, second } from '../edition/licences.ts';
import { eventually } from '../kube/support/eventually.ts';
import { config, window } from './objects.ts';
import { kinds, stage } from './stage.ts';

const hour = 3_600_000;
/** On the stage it is Friday, 09:00 UTC. */
const daily = { selector: { names: ['api'] }, schedule: '0 10 * * *', durationSeconds: 7200 };
const once = {
  ...{ selector: { names: ['api'] }, schedule: undefined, durationSeconds: undefined },
  ...{ startsAt: '2026-11-20T08:00:00Z', endsAt: '2026-11-20T09:30:00Z' },
};

test('the settings hold each window with its current or next opening, and are made anew when it is over', async () => {
  const on = await stage();
  await on.put(window('daily', daily));
  await on.listed(...kinds);
  const openings = () =>
    on.settings.flatMap(({ windows }) =>
      windows.map(({ opening }) => opening && new Date(opening.startsAt).toISOString().slice(0, 13)),
    );
  assert.deepEqual(openings(), ['2026-11-20T10']);
  await on.clock.advance(2 * hour);
  assert.deepEqual(openings(), ['2026-11-20T10'], 'that it has opened is nothing new');
  await on.clock.advance(hour);
  assert.deepEqual(openings(), ['2026-11-20T10', '2026-11-21T10']);
});

test('a clock that jumps over openings is noticed, and the next one is known', async () => {
  const on = await stage();
  await on.put(window('daily', daily));
  await on.listed(...kinds);
  on.clock.step(75 * hour);
  await on.clock.advance(11_000);
  const opening = on.settings.at(-1)?.windows[0]?.opening;
  assert.equal(opening && new Date(opening.startsAt).toISOString(), '2026-11-24T10:00:00.000Z');
});

test('the status follows the window as it opens and closes', async () => {
  const on = await stage();
  await on.put(window('daily', daily), window('once', once));
  await on.listed(...kinds);
  assert.ok(on.status('daily').includes('Active=False/NotLicensed'));
  const nextStarts = () =>
    on.writes.filter(({ name }) => name === 'daily').map(({ status }) => String(status.nextStartTime).slice(0, 13));
  await on.clock.advance(4 * hour);
  assert.deepEqual(nextStarts().at(-1), '2026-11-21T10');
  assert.equal(on.settings.at(-1)?.windows.length, 2, 'one that is over stays among the settings, without an opening');
  assert.equal(on.settings.at(-1)?.windows[1]?.opening, undefined);
});

test('with a licence a window opens and closes in time; without it, it says so at once', async () => {
  const ours = issuer();
  const on = await stage({ licenseKeys: ours.keys });
  const year = { iat: second('2026-01-01T00:00:00Z'), exp: second('2027-01-01T00:00:00Z') };
  on.licenses.set('tocsin-license', await ours.issue(year));
  const licensed = config({ license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } } });
  await on.put(window('daily', daily), licensed);
  await on.listed(...kinds);
  await eventually('settings are published', () => on.settings.at(-1)?.edition === 'Pro');
  await on.clock.advance(1_000);
  assert.ok(on.status('daily').includes('Active=False/Closed'), on.status('daily').join());
  await on.clock.advance(hour);
  assert.ok(on.status('daily').includes('Active=True/Open'));
  assert.equal(on.writes.findLast(({ name }) => name === 'daily')?.status.currentEndTime, '2026-11-20T12:00:00Z');
  await on.put(config({}, { generation: 2 }));
  await eventually('the licence is gone', () => on.settings.at(-1)?.edition === 'Community');
  await on.clock.advance(1_000);
  assert.ok(on.status('daily').includes('Active=False/NotLicensed'));
  await on.put({ ...licensed, metadata: { ...licensed.metadata, generation: 3 } });
  await eventually('the licence is back', () => on.settings.at(-1)?.edition === 'Pro');
  await on.clock.advance(2 * hour);
  assert.ok(on.status('daily').includes('Active=False/Closed'));
});

test('windows that are over take no room from those to come, and are not told off', async () => {
  const on = await stage();
  const old = Array.from({ length: 205 }, (_, index) => {
    const { metadata, ...rest } = window(`old${index}`, once);
    return { ...rest, metadata: { ...metadata, namespace: 'shop', uid: `old${index}` } };
  });
  const { metadata, ...rest } = window('new', daily);
  const young = {
    ...rest,
    metadata: { ...metadata, namespace: 'shop', uid: 'new', creationTimestamp: '2026-11-20T08:30:00Z' },
  };
  await on.put(...old, young);
  await on.listed(...kinds);
  assert.ok(on.status('new').includes('Stalled=True/NamespaceLimit'));
  await on.clock.advance(hour);
  assert.ok(!on.status('new').includes('Stalled=True/NamespaceLimit'));
  assert.ok(on.settings.at(-1)?.windows.some(({ ref }) => ref === 'MaintenanceWindow/shop/new'));
  assert.ok(!on.status('old204').includes('Stalled=True/NamespaceLimit'));
});
