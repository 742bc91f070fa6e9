import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { outlastsOutage } from '../../src/runtime/outage.ts';
import { durabilityNow } from '../../src/runtime/saving/saved-state.ts';
import { issuer } from '../edition/licences.ts';
import { address, broken, hasStarted, hasty, startStage, webhook } from './stage.ts';

test('without the Lease people are told by Pro with a volume, while nobody has answered: nothing else fences', () => {
  const all = { edition: 'Pro', holdsDirectory: true, isUnanswered: true } as const;
  assert.equal(outlastsOutage(all), true);
  for (const one of [{ edition: 'Community' }, { holdsDirectory: false }, { isUnanswered: false }] as const)
    assert.equal(outlastsOutage({ ...all, ...one }), false, JSON.stringify(one));
});

/** Something breaks that is told after 30 s, and the API server goes away meanwhile: whether it is told all the same. */
async function toldDuringOutage(t: TestContext, isLicensed: boolean): Promise<boolean> {
  const ours = issuer();
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-outage-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const stage = await startStage({ stateDirectory: directory, licenseKeys: ours.keys });
  t.after(() => stage.stop());
  const now = Math.floor(Date.now() / 1000);
  const license = Buffer.from(await ours.issue({ iat: now - 3_600, exp: now + 30 * 86_400 })).toString('base64');
  await stage.create(
    {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tocsin-license', namespace: 'tocsin' } },
      data: { license },
    },
    {
      ...hasty,
      spec: {
        detection: { overrides: [{ selector: {}, settleSeconds: 30 }] },
        evidence: { logs: false },
        ...(isLicensed && { license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } } }),
      },
    },
    ...[address('oncall', stage.receiver.url), webhook('oncall')],
  );
  await stage.until('ready', () => hasStarted(stage));
  // Its address has been read before the API server goes.
  await stage.create(broken('first'));
  const told = (name: string): boolean => stage.receiver.messages.some(({ incident }) => incident?.root.name === name);
  await stage.until('the first is told', () => told('first'));
  await stage.create(broken('second'));
  const pods = (): string => JSON.stringify(stage.sandbox.objects.list('pods', 'shop'));
  await stage.until('the second fails', () => /"second-.*ImagePull/s.test(pods()));
  // What is handed on at once has been taken in by the next answer.
  await stage.get('/metrics');
  await stage.sandbox.goDown();
  await stage.until('the lock is lost', async () => /\[-\]StateLock/.test((await stage.get('/readyz')).text));
  assert.equal(told('second'), false, 'it waits for its time');
  const metric = async (): Promise<boolean> => /queue_depth\{[^}]*\} 1/.test((await stage.get('/metrics')).text);
  await stage.until('it is told or waits', async () => told('second') || (await metric()));
  await stage.until('nothing is under way', async () => told('second') || (await metric()));
  return told('second');
}

test('the API server is away: with saved state on a volume what falls due is told, without a licence it waits', async (t) => {
  const isDurable = durabilityNow(tmpdir()).is === 'durable';
  assert.deepEqual(
    await Promise.all([toldDuringOutage(t, true), toldDuringOutage(t, false)]),
    [isDurable, false],
    'an emptyDir or a container of its own fences nothing',
  );
});
