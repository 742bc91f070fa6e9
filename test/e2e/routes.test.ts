import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issuer } from '../edition/licences.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { configuration, deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

const owner = issuer();
const crashes = { exit: { afterSeconds: 2, code: 1 } };
let stage: Stage;
let operator: Operator;
let team: Receiver;

const tocsin = (...args: readonly string[]): Promise<string> => stage.kubectl(['-n', 'tocsin', ...args]);
const secret = (name: string, stringData: object): object => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' } },
  stringData,
});

/** A webhook with these routes, which takes its address from the Secret of its name. */
const routed = (name: string, ...selectors: readonly object[]): object => ({
  ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name, namespace: 'tocsin' } },
  spec: {
    ...{ type: 'webhook', webhook: { url: { secretKeyRef: { name, key: 'url' } } } },
    routes: selectors.map((selector) => ({ selector })),
  },
});

/** Names of the workloads that a receiver was told of. */
const toldOf = ({ messages }: Receiver): (string | undefined)[] =>
  messages.filter(({ type }) => type === 'incident.opened').map(({ incident }) => incident?.root.name);

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  team = await startReceiver();
  const now = Math.floor(Date.now() / 1000);
  const [address, config] = configuration(stage.receiver.url);
  const license = { secretKeyRef: { name: 'tocsin-license', key: 'license' } };
  await stage.apply(
    secret('tocsin-license', { license: await owner.issue({ iat: now - 60, exp: now + 86_400 }) }),
    secret('team', { url: team.url }),
    { ...config, spec: { ...Object(config).spec, license } },
    Object(address),
    routed('oncall', { kinds: ['Node'] }, { labels: { app: 'checkout' } }),
    routed('team', { names: ['search'] }, { namespaces: ['shop'], names: ['search'], severities: ['high'] }),
  );
  operator = await stage.startOperator({ licenseKeys: owner.keys });
  await ready(stage, operator);
});
after(async () => {
  await stage?.stop();
  await team?.stop();
});

test('each receiver is told what its routes pick, and kubectl shows which route took it', async () => {
  await stage.apply(
    deployment('checkout', { replicas: 1, script: crashes }),
    deployment('search', { replicas: 1, script: crashes }),
  );
  await Promise.all(
    [stage.receiver, team].map((receiver) =>
      receiver.wait('an opening', ({ type }) => type === 'incident.opened', 120),
    ),
  );
  assert.deepEqual([toldOf(stage.receiver), toldOf(team)], [['checkout'], ['search']]);
  await stage.eventually(90, async () =>
    assert.equal(await tocsin('get', 'ap', 'oncall', '-o', 'jsonpath={.status.routes[*].incidents}'), '0 1'),
  );
  const described = await tocsin('describe', 'ap', 'oncall');
  assert.match(described, /Routes:\n\s+Incidents:\s+0\n\s+Index:\s+0\n\s+Selector:\s+kinds Node\n/);
  assert.match(
    described,
    /Incidents:\s+1\n\s+Index:\s+1\n\s+Last Match Time:\s+\S+\n\s+Selector:\s+labels app=checkout\n/,
  );
  assert.match(described, /What its 2 routes pick comes here\./);
  assert.match(await tocsin('describe', 'ap', 'team'), /Problem:\s+`spec\.routes\[1\]` does nothing/);
});

test('what no route picks is said by the AlertConfig', async () => {
  await stage.apply(deployment('orphan', { replicas: 1, script: crashes }));
  const reason = 'jsonpath={.status.conditions[?(@.type=="Delivering")].reason}';
  await stage.eventually(120, async () => assert.equal(await tocsin('get', 'ac', 'default', '-o', reason), 'NoRoute'));
  await stage.eventually(90, async () =>
    assert.match(
      await tocsin('get', 'ac', 'default', '-o', 'jsonpath={.status.incidents[?(@.unrouted==true)].root}'),
      /^Deployment\/shop\/orphan$/,
    ),
  );
});

test('a route that can never match is Stalled, and what is edited to pick what is open is told in one summary', async () => {
  const patch = (routes: readonly object[]): Promise<string> =>
    tocsin('patch', 'ap', 'team', '--type=merge', '-p', JSON.stringify({ spec: { routes } }));
  const stalled = () => tocsin('get', 'ap', 'team', '-o', 'jsonpath={.status.conditions[?(@.type=="Stalled")].reason}');
  await patch([{ selector: { namespaces: ['Shop'] } }]);
  await stage.eventually(30, async () => assert.equal(await stalled(), 'UnreachableRoute'));
  await patch([{ selector: { namespaces: ['shop'] } }]);
  await stage.eventually(30, async () => assert.equal(await stalled(), 'NotStalled'));
  const summary = await team.wait('a summary', ({ incident }) => incident === null, 30);
  assert.match(summary.message, /shop\/orphan/);
  assert.deepEqual(toldOf(team), ['search']);
});
