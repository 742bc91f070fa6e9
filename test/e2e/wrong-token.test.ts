import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bears, type Receiver, startReceiver } from './receiver.ts';
import { configuration, deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

/** The promise: what is open is told this soon after the Secret is mended. */
const mendedWithinMs = 90_000;

let stage: Stage;
let operator: Operator;
let product: Receiver;
let open = true;

const inTocsin = ['-n', 'tocsin'];

/** Makes or replaces the Secret of the provider. */
async function secret(token: string): Promise<void> {
  const stringData = { url: product.url, token: `Bearer ${token}` };
  await stage.apply({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: { name: 'oncall', namespace: 'tocsin' },
    stringData,
  });
}

/** A field of the provider as kubectl prints it. */
const fieldOf = (path: string): Promise<string> =>
  stage.kubectl([...inTocsin, 'get', 'ap', 'oncall', '-o', `jsonpath={${path}}`]);
const delivering = (): Promise<string> => fieldOf('.status.conditions[?(@.type=="Delivering")].reason');

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  product = await startReceiver((request) => (open ? (bears(request, 'right') ? 204 : 401) : 404));
  const [config] = configuration(stage.receiver.url).filter((each) => Object(each).kind === 'AlertConfig');
  const from = (key: string) => ({ secretKeyRef: { name: 'oncall', key } });
  await secret('wrong');
  await stage.apply(...(config ? [config] : []), {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name: 'oncall', namespace: 'tocsin' } },
    spec: { type: 'webhook', webhook: { url: from('url'), headers: [{ name: 'Authorization', ...from('token') }] } },
  });
  operator = await stage.startOperator();
  await ready(stage, operator);
});
after(async () => {
  await product?.stop();
  await stage?.stop();
});

test('a wrong token: said on the object and by an Event; the Secret is mended and what is open arrives within 90 s', async () => {
  await stage.apply(deployment('api', { replicas: 1, script: { pullError: 'NotFound' } }));
  await stage.eventually(120, async () => assert.equal(await delivering(), 'AuthFailed'));
  assert.equal(await fieldOf('.status.lastFailure.class'), 'permanent');
  await stage.eventually(10, async () =>
    assert.match(await stage.kubectl([...inTocsin, 'describe', 'ap', 'oncall']), /Warning\s+DeliveryFailed/),
  );
  assert.deepEqual(product.messages, []);
  await secret('right');
  const mendedAt = Date.now();
  const told = await product.wait('what is open', () => true, mendedWithinMs / 1000);
  assert.ok(told.receivedAt - mendedAt <= mendedWithinMs);
  await stage.eventually(10, async () => assert.equal(await delivering(), 'Delivered'));
  await stage.eventually(10, async () =>
    assert.match(await stage.kubectl([...inTocsin, 'describe', 'ap', 'oncall']), /Normal\s+DeliveryRecovered/),
  );
});

test('what the product refused is sent again once somebody annotates the provider, and the status says so', async () => {
  open = false;
  await stage.apply(deployment('cart', { replicas: 1, script: { pullError: 'NotFound' } }));
  await stage.eventually(120, async () => assert.equal(await delivering(), 'Rejected'));
  open = true;
  await stage.kubectl([...inTocsin, 'annotate', 'ap', 'oncall', 'tocsin.dev/redeliver=mended']);
  const told = await product.wait('opening', ({ incident }) => incident?.root.name === 'cart', 30);
  assert.equal(told.type, 'incident.opened');
  await stage.eventually(30, async () =>
    assert.equal(await fieldOf('.status.lastRedelivery.outcome'), 'Delivered', await fieldOf('.status.lastRedelivery')),
  );
  await stage.eventually(10, async () =>
    assert.match(await stage.kubectl([...inTocsin, 'describe', 'ap', 'oncall']), /Normal\s+Redelivered/),
  );
});
