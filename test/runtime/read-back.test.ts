/**
 * What is acknowledged in Opsgenie, read back through the whole operator: by whom and when, once, also where people took it back here; a
 * product that does not answer hurts no delivery.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAuthority } from '../../sandbox/certificate.ts';
import { type OpsgenieServer, startOpsgenieServer } from './opsgenie-server.ts';
import { broken, hasStarted, hasty, type Stage, startStage } from './stage.ts';

const key = 'CANARY-opsgenie-77aa-AAAAAAAAAAAAAAAA';

let stage: Stage;
let opsgenie: OpsgenieServer;
const trusted = getCACertificates('default');
before(async () => {
  const authority = createAuthority('Of the company', Date.now());
  setDefaultCACertificates([...trusted, authority.certificate]);
  opsgenie = await startOpsgenieServer(authority, key, () => stage.clock.now());
  // The minute between two questions is four seconds.
  stage = await startStage({ speed: 15 });
  await stage.create(
    {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'opsgenie', namespace: 'tocsin' } },
      data: { apiKey: Buffer.from(key).toString('base64') },
    },
    { ...hasty, spec: { ...hasty.spec, app: { proxyURL: opsgenie.proxyURL } } },
    {
      ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name: 'pager', namespace: 'tocsin' } },
      spec: {
        type: 'opsgenie',
        opsgenie: { apiKey: { secretKeyRef: { name: 'opsgenie', key: 'apiKey' } }, actions: { readBack: true } },
      },
    },
  );
  await stage.until('ready', () => hasStarted(stage));
});
after(async () => {
  await stage.stop();
  await opsgenie.stop();
  setDefaultCACertificates(trusted);
});

const config = () => Object(stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default'));
const acknowledged = (): readonly string[] => Object.values<string>(config().metadata.annotations ?? {});
const alertOf = (words: string) => opsgenie.alerts.find(({ message }) => message.includes(words));
async function askedAgain(times = 1): Promise<void> {
  const { asked } = opsgenie.looks;
  await stage.until('it asks again', () => opsgenie.looks.asked >= asked + times);
}

test('while nobody has acknowledged it, nothing is written', async () => {
  await stage.create(broken('cart'));
  await stage.until('it is told', () => alertOf('cart') !== undefined);
  await askedAgain();
  assert.deepEqual(acknowledged(), []);
});

test('a product that refuses is shown by the condition, without its secret, and hurts no delivery', async () => {
  opsgenie.answerLooks(403);
  await stage.until('it is said', () => stage.conditions('alertproviders', 'pager').includes('True/NotReadBack'));
  const { status } = Object(stage.sandbox.objects.get('alertproviders.tocsin.dev', 'tocsin', 'pager'));
  const { message } = status.conditions.find(({ type }: { type: string }) => type === 'Delivering');
  assert.match(
    message,
    /who acknowledges there cannot be read back: HTTP 403: .*give the integration the right to read/,
  );
  await stage.create(broken('pay'));
  await stage.until('it is told', () => alertOf('pay') !== undefined);
  opsgenie.answerLooks(undefined);
  await stage.until('it is well', () =>
    stage.conditions('alertproviders', 'pager').includes('Delivering=True/Delivered'),
  );
});

test('what is acknowledged there is acknowledged here, by whom and when', async () => {
  const alert = alertOf('cart') ?? assert.fail();
  alert.acknowledged = { by: 'ada@example.com', afterMs: 1_500 };
  const at = new Date(Date.parse(alert.createdAt) + 1_500).toISOString();
  await stage.until('it is written', () => acknowledged().length > 0);
  assert.deepEqual(acknowledged(), [`ada@example.com via Opsgenie at ${at}`]);
  await stage.until('it is decided', () =>
    stage.log.some((line) => line.includes('"incident acknowledged"') && line.includes('ada@example.com via Opsgenie')),
  );
  assert.ok(stage.log.some((line) => line.includes('an acknowledgement was read back') && line.includes('ada@')));
});

test('who takes it back here is not overruled by what the product goes on saying; a new acknowledgement counts', async () => {
  await stage.client.json({
    ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
    path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
    body: { metadata: { annotations: null } },
  });
  await stage.until('it is taken back', () => stage.log.some((line) => line.includes('AcknowledgementWithdrawn')));
  await askedAgain(2);
  assert.deepEqual(acknowledged(), []);
  const alert = alertOf('cart') ?? assert.fail();
  alert.acknowledged = { by: 'bob@example.com', afterMs: stage.clock.now() - Date.parse(alert.createdAt) };
  await stage.until('it is written', () => acknowledged().length > 0);
  assert.match(acknowledged()[0] ?? '', /^bob@example\.com via Opsgenie at /);
});

test('no line of the log holds the key', () => {
  assert.equal(
    stage.log.some((line) => line.includes('CANARY')),
    false,
  );
});
