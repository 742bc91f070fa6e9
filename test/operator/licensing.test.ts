import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuer, second } from '../edition/licences.ts';
import { eventually } from '../kube/support/eventually.ts';
import { config, provider } from './objects.ts';
import { kinds, stage } from './stage.ts';

const ours = issuer();
const year = { iat: second('2026-01-01T00:00:00Z'), exp: second('2027-01-01T00:00:00Z') };
const licensed = config({ license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } } });

test('a licence switches what is active and says so everywhere, without a restart, and back', async () => {
  const { put, listed, settings, licenses, operator, happened, lines, status, clock, writes } = await stage({
    licenseKeys: ours.keys,
  });
  licenses.set('tocsin-license', await ours.issue(year));
  await put(provider('a'), provider('b'), licensed);
  await listed(...kinds);
  await eventually('settings are published', () => settings.length > 0);
  const active = () => settings.at(-1)?.providers.map(({ active: { is } }) => is);
  assert.equal(settings.at(-1)?.edition, 'Pro');
  assert.deepEqual(active(), [true, true]);
  await clock.advance(1_000);
  assert.ok(status('default').includes('Licensed=True/Valid'), status('default').join());
  const shown = () => writes.findLast(({ name }) => name === 'default')?.status;
  assert.equal(shown()?.edition, 'Pro');
  assert.equal(shown()?.licensee, 'Example Ltd');
  assert.equal(shown()?.expires, '2027-01-01T00:00:00Z');
  assert.deepEqual(
    happened.filter((what) => what.startsWith('event')),
    ['event LicenseValid default'],
  );
  assert.match(lines.join(''), /"edition":"Pro","license":"Valid","licensee":"Example Ltd","expires":"2027-01-01/);

  licenses.delete('tocsin-license');
  await clock.advance(60_000);
  await eventually('the Secret is missed', () => operator.license().state === 'SecretNotFound');
  await clock.advance(1_000);
  assert.deepEqual([settings.at(-1)?.edition, settings.at(-1)?.editionIsKnown], ['Pro', false]);
  assert.ok(status('default').includes('Licensed=False/SecretNotFound'));
  assert.ok(status('default').includes('Stalled=True/InvalidLicense'));

  for (let each = 0; each < 61; each += 1) await clock.advance(10_000);
  await eventually('it is Community', () => settings.at(-1)?.edition === 'Community');
  await clock.advance(1_000);
  assert.deepEqual(active(), [true, false]);
  assert.equal(settings.at(-1)?.editionIsKnown, true);
  assert.ok(status('b').includes('Active=False/CommunityLimit'));
  assert.match(lines.join(''), /Inactive: more than one active AlertProvider, routes, maintenance windows/);
});

test('without a licence one log line says what is inactive, and no Event tells it', async () => {
  const { put, listed, lines, happened, settings } = await stage();
  await put(provider('a'), config({}));
  await listed(...kinds);
  await eventually('settings are published', () => settings.length > 0);
  assert.equal(lines.filter((line) => line.includes('"license":"NoLicense"')).length, 1);
  assert.match(lines.join(''), /No licence is configured: Tocsin runs as Community\. Inactive: more than one active/);
  assert.deepEqual(
    happened.filter((what) => what.startsWith('event')),
    [],
  );
});

test('nothing is configured before the licence is known, which is waited for 30 s', async () => {
  const { put, listed, licenses, settings, clock, status } = await stage({ licenseKeys: ours.keys });
  licenses.set('tocsin-license', new Error('no answer'));
  await put(provider('a'), licensed);
  await listed(...kinds);
  await clock.advance(20_000);
  assert.equal(settings.length, 0);
  await clock.advance(10_000);
  await eventually('the start goes on', () => settings.length > 0);
  assert.deepEqual([settings[0]?.edition, settings[0]?.editionIsKnown], ['Community', false]);
  await clock.advance(1_000);
  assert.ok(status('default').includes('Licensed=Unknown/Unread'));
  licenses.set('tocsin-license', await ours.issue(year));
  await clock.advance(2_000);
  await eventually('it is read', () => settings.at(-1)?.edition === 'Pro');
});

test('the status of an earlier process is what was known last, and its state is not told again', async () => {
  const { put, listed, licenses, settings, happened } = await stage({ licenseKeys: ours.keys });
  licenses.set('tocsin-license', await ours.issue(year));
  const condition = {
    type: 'Licensed',
    status: 'True',
    reason: 'Valid',
    message: '',
    lastTransitionTime: '2026-11-01T00:00:00Z',
  };
  await put({ ...licensed, status: { edition: 'Pro', expires: '2027-01-01T00:00:00Z', conditions: [condition] } });
  await listed(...kinds);
  await eventually('settings are published', () => settings.length > 0);
  assert.deepEqual(
    happened.filter((what) => what.startsWith('event')),
    [],
  );
});
