import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../e2e/receiver.ts';
import { issuer, second } from '../edition/licences.ts';
import { address, broken, hasStarted, hasty, startStage, webhook } from './stage.ts';

const ours = issuer();
const year = { iat: second('2026-01-01T00:00:00Z'), exp: second('2099-01-01T00:00:00Z') };

/** A webhook whose routes are these. */
function routed(name: string, ...routes: readonly object[]): object {
  const object = webhook(name) as { readonly spec: object };
  return { ...object, spec: { ...object.spec, routes: routes.map((selector) => ({ selector })) } };
}

type Status = { readonly routes?: readonly { readonly incidents: number; readonly selector: string }[] };

test('with a licence each receiver gets what its routes pick, the status counts it, and what falls through is said', async () => {
  const stage = await startStage({ licenseKeys: ours.keys });
  const team = await startReceiver();
  try {
    const { create, until, sandbox, receiver, conditions } = stage;
    const license = { ...address('license', ''), data: { license: btoa(await ours.issue(year)) } };
    const spec = { ...hasty.spec, license: { secretKeyRef: { name: 'license', key: 'license' } } };
    await create(license, { ...hasty, spec }, address('team', team.url), address('web', receiver.url));
    await create(routed('team', { names: ['api-*'] }, { names: ['cart*'] }), routed('web', { names: ['web*'] }));
    await until('ready', () => hasStarted(stage));
    await until('licensed', () => conditions('alertconfigs', 'default').includes('Licensed=True/Valid'));
    await create(broken('cart'), broken('web'));
    await until('both are told', () => team.messages.length > 0 && receiver.messages.length > 0);
    const told = [team, receiver].map(({ messages }) =>
      messages.map(({ incident }) => incident?.root.name.split('-')[0]),
    );
    assert.deepEqual(told, [['cart'], ['web']]);

    const rows = () => {
      const object = sandbox.objects.get('alertproviders.tocsin.dev', 'tocsin', 'team') as { status?: Status };
      return object.status?.routes?.map(({ incidents, selector }) => `${selector}: ${incidents}`);
    };
    await until('counted', () => rows()?.join('; ') === 'names api-*: 0; names cart*: 1', rows);
    await create(broken('search'));
    await until(
      'what falls through is said',
      () => conditions('alertconfigs', 'default').includes('Delivering=False/NoRoute'),
      () => conditions('alertconfigs', 'default'),
    );
  } finally {
    await stage.stop();
    await team.stop();
  }
});
