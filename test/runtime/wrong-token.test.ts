import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRedeliver } from '../../src/cli/provider/redeliver.ts';
import { printed } from '../cli/streams.ts';
import { bears, type Receiver, startReceiver } from '../e2e/receiver.ts';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from './stage.ts';

/** A product that knows one token and wants it in each request; `open` is whether it takes anything at all. */
type Product = { readonly receiver: Receiver; open: boolean };

/** Runs a story with a product beside the stage; both are taken down whatever happens. */
async function withProduct(story: (stage: Stage, product: Product) => Promise<void>): Promise<void> {
  const product: { receiver?: Receiver; open: boolean } = { open: true };
  const receiver = await startReceiver((request) => (product.open ? (bears(request, 'right') ? 204 : 401) : 404));
  const stage = await startStage({});
  try {
    await story(stage, Object.assign(product, { receiver }));
  } finally {
    await stage.stop();
    await receiver.stop();
  }
}

/** A webhook whose token comes from the Secret of the same name, as the address does. */
function withToken(name: string, more: object = {}): object {
  const from = (key: string) => ({ secretKeyRef: { name, key } });
  const block = { url: from('url'), headers: [{ name: 'Authorization', ...from('token') }] };
  return { ...webhook(name), spec: { type: 'webhook', webhook: block, ...more } };
}

function secretOf(name: string, url: string, token: string): object {
  const data = {
    url: Buffer.from(url).toString('base64'),
    token: Buffer.from(`Bearer ${token}`).toString('base64'),
  };
  return { ...address(name, url), data };
}

/** Replaces the token in the Secret of a provider. */
const rotate = (stage: Stage, name: string, url: string, token: string) =>
  stage.client.json({
    ...{ method: 'PATCH', path: `/api/v1/namespaces/tocsin/secrets/${name}` },
    ...{ contentType: 'application/merge-patch+json', body: secretOf(name, url, token) },
  });

async function reasonsOf({ client }: Stage): Promise<string[]> {
  const list = await client.json<{ items: { reason: string }[] }>({ path: '/api/v1/namespaces/tocsin/events' });
  return list.items.map(({ reason }) => reason);
}

const opened = (receiver: Receiver) => receiver.messages.filter(({ type }) => type === 'incident.opened');
const ready = (stage: Stage) => stage.until('ready', () => hasStarted(stage));

test('a wrong token is told on the object and by an Event at once; the Secret is mended and what is open arrives within 90 s', async () => {
  await withProduct(async (stage, { receiver }) => {
    const { conditions, create, until, clock } = stage;
    await create(hasty, secretOf('oncall', receiver.url, 'wrong'), withToken('oncall'));
    await ready(stage);
    await create(broken('cart'));
    await until('it says so', () => conditions('alertproviders', 'oncall').includes('Delivering=False/AuthFailed'));
    await until('so does an Event', async () => (await reasonsOf(stage)).includes('DeliveryFailed'));
    const { status } = Object(stage.sandbox.objects.get('alertproviders.tocsin.dev', 'tocsin', 'oncall'));
    assert.equal(status.lastFailure.class, 'permanent');
    assert.deepEqual(receiver.messages, []);

    await rotate(stage, 'oncall', receiver.url, 'right');
    const mendedAt = clock.now();
    await until('what is open arrives', () => receiver.messages.length > 0);
    assert.ok(clock.now() - mendedAt <= 90_000, `after ${clock.now() - mendedAt} ms`);
    await until('the object says so', () =>
      conditions('alertproviders', 'oncall').includes('Delivering=True/Delivered'),
    );
    await until('so does an Event', async () => (await reasonsOf(stage)).includes('DeliveryRecovered'));
  });
});

test('with a fallback a wrong token loses no time: it tells, says for whom, and is told the end', async () => {
  await withProduct(async (stage, { receiver }) => {
    const { conditions, create, until } = stage;
    const impatient = { ...hasty, spec: { ...hasty.spec, incidents: { holdSeconds: 5 } } };
    const mail = { secret: address('mail', stage.receiver.url), object: webhook('mail') };
    await create(impatient, mail.secret, mail.object, secretOf('oncall', receiver.url, 'wrong'));
    await create(withToken('oncall', { fallback: 'mail' }));
    await ready(stage);
    await create(broken('cart'));
    await stage.receiver.wait('opening at the fallback', ({ type }) => type === 'incident.opened', 20);
    assert.deepEqual(receiver.messages, []);
    await until('it says so', () => conditions('alertproviders', 'oncall').includes('Delivering=False/FallbackInUse'));
    await until('so does an Event', async () => (await reasonsOf(stage)).includes('FallbackUsed'));
    await rotate(stage, 'oncall', receiver.url, 'right');
    await stage.remove('/apis/apps/v1/namespaces/shop/deployments/cart');
    await stage.receiver.wait('the end at the fallback', ({ type }) => type === 'incident.resolved', 20);
  });
});

test('what a product refused is sent again by the command once it takes it, and by nothing else', async () => {
  await withProduct(async (stage, product) => {
    const { receiver } = product;
    const { conditions, create, until, client } = stage;
    const ask = (more: object = {}) =>
      printed((streams) => {
        const asked = {
          provider: 'oncall',
          namespace: 'tocsin',
          all: false,
          output: 'text',
          timeoutSeconds: 15,
        } as const;
        return runRedeliver({ ...asked, ...more }, streams, client);
      });
    product.open = false;
    await create(hasty, secretOf('oncall', receiver.url, 'right'), withToken('oncall'));
    await ready(stage);
    await create(broken('cart'));
    await until('it says so', () => conditions('alertproviders', 'oncall').includes('Delivering=False/Rejected'));
    const early = await ask();
    assert.deepEqual([early.code, early.err], [1, '']);
    assert.match(early.out, /^tocsin\/oncall: 0 of 1 arrived, 1 failed again \(.*404.*\)/);

    product.open = true;
    const mended = await ask({ output: 'json' });
    assert.deepEqual(
      [mended.code, JSON.parse(mended.out)],
      [0, { provider: 'oncall', namespace: 'tocsin', outcome: 'Delivered', sent: 1, message: '1 of 1 arrived.' }],
    );
    assert.equal(opened(receiver).length, 1);
    await until('so does an Event', async () => (await reasonsOf(stage)).includes('Redelivered'));
    const again = await ask();
    assert.deepEqual([again.code, again.out], [0, 'tocsin/oncall: Nothing is left to send again.\n']);
    assert.equal(opened(receiver).length, 1);
    const unknown = await ask({ provider: 'nobody' });
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /there is no AlertProvider "nobody" in the namespace "tocsin"/);
  });
});

test('where nothing acts on the annotation the command says so, and what to look at', async () => {
  const stage = await startStage({});
  try {
    await stage.create(hasty, address('oncall', stage.receiver.url), webhook('oncall'));
    await ready(stage);
    await stage.runtime.stop();
    const asked = { provider: 'oncall', namespace: 'tocsin', all: true, output: 'text', timeoutSeconds: 1 } as const;
    const { code, out } = await printed((streams) => runRedeliver(asked, streams, stage.client));
    assert.equal(code, 1);
    assert.match(out, /has not acted on it within 1 s: does it run/);
  } finally {
    await stage.stop();
  }
});
