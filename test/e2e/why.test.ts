/** What became of seven incidents of a running cluster, as `tocsin why` tells it: each for another reason told, or not told. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runWhy } from '../../src/cli/running/why.ts';
import { printed } from '../cli/streams.ts';
import { configurePro } from './pro.ts';
import { deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

/** Each ends with words of its own: what ends alike in several namespaces is one incident. */
const crashes = (log: string) => ({ exit: { afterSeconds: 2, code: 1 }, log: [log] });
const lastWords = {
  payments: 'FATAL ledger is out of balance',
  lab: 'FATAL no experiment was chosen',
  search: 'FATAL stop words are empty',
  upgrade: 'FATAL this release has expired',
  batch: 'FATAL quota of rows used up',
};
const unknownTag = { pullError: 'manifest unknown' };
const noAnswer = { pullError: 'dial tcp 203.0.113.7:443: i/o timeout' };
const namespaces = [...Object.keys(lastWords), 'stock'];
let stage: Stage;
let operator: Operator;

const own = (kind: string, name: string, spec: object): object => ({
  ...{ apiVersion: 'tocsin.dev/v1alpha1', kind, metadata: { name, namespace: 'tocsin' }, spec },
});
const within = (namespace: string, name: string, script: object): object => {
  const made = deployment(name, { replicas: 1, image: `registry.example/${name}:1`, script });
  return { ...made, metadata: { name, namespace } };
};

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  const licenseKeys = await configurePro(stage);
  await stage.apply(
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    own('AlertConfig', 'default', {
      license: { secretKeyRef: { name: 'licence', key: 'license' } },
      filters: { namespaces: ['!lab'] },
      detection: { overrides: [{ selector: { namespaces: ['batch'] }, severity: 'low' }] },
      statusEndpoint: { enabled: true },
    }),
    own('AlertProvider', 'team', {
      ...{ type: 'webhook', webhook: { url: { secretKeyRef: { name: 'oncall', key: 'url' } } } },
      routes: [{ selector: { namespaces: ['payments'] } }],
    }),
    own('Silence', 'move', { selector: { namespaces: ['search'] }, durationSeconds: 3600 }),
    own('MaintenanceWindow', 'upgrade', {
      selector: { namespaces: ['upgrade'] },
      startsAt: new Date(Date.now() - 60_000).toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  );
  operator = await stage.startOperator({ licenseKeys });
  await ready(stage, operator);
  await stage.apply(
    within('shop', 'web', crashes('FATAL cannot read its settings')),
    ...Object.entries(lastWords).map(([namespace, log]) => within(namespace, `${namespace}-api`, crashes(log))),
    within('stock', 'front', unknownTag),
    within('stock', 'back', noAnswer),
  );
});
after(async () => {
  await stage?.stop();
});

async function why(object: string): Promise<string> {
  const { url } = operator;
  const { out, code } = await printed((streams) =>
    runWhy({ object, url, tocsinNamespace: 'tocsin', output: 'text' }, streams),
  );
  assert.equal(code, 0);
  return out;
}

/** Fate, object, and what a newcomer must be able to read. */
const fates: readonly (readonly [fate: string, object: string, ...says: readonly RegExp[]])[] = [
  [
    'delivered',
    'deployment/shop/web',
    /✓ tocsin\/oncall: Notified of CrashLoopBackOff at /,
    /✗ tocsin\/team: Its route does not pick it/,
  ],
  [
    'routed',
    'deployment/payments/payments-api',
    /✓ tocsin\/team: Notified of CrashLoopBackOff at .*Its route picks it/,
  ],
  ['filtered', 'deployment/lab/lab-api', /It is filtered out by the AlertConfig \(spec\.filters\.namespaces\)/],
  ['silenced', 'deployment/search/search-api', /It is silenced until .* by Silence tocsin\/move/],
  [
    'maintained',
    'deployment/upgrade/upgrade-api',
    /It is held back during maintenance until .*MaintenanceWindow tocsin\/upgrade/,
  ],
  ['digested', 'deployment/batch/batch-api', /Its severity is low: it is told in the next digest/],
];

for (const [fate, object, ...says] of fates)
  test(`why explains an incident of a running cluster that was ${fate}`, async (context) => {
    const said = await stage.eventually(150, async () => {
      const text = await why(object);
      for (const each of says) assert.match(text, each);
      return text;
    });
    context.diagnostic(said);
    assert.match(said, /^(?:critical|high|medium|low) CrashLoopBackOff/m);
  });

test('why explains an incident of a running cluster that became part of another', async (context) => {
  for (const name of ['front', 'back'])
    await stage.eventually(150, async () =>
      assert.match(await why(`deployment/stock/${name}`), /✓ tocsin\/oncall: Notified/),
    );
  const script = `sandbox.tocsin.dev/script=${JSON.stringify(noAnswer)}`;
  await stage.kubectl(['-n', 'stock', 'annotate', '--overwrite', 'pod', '-l', 'app=front', script]);
  const folded =
    /It is part of the incident on Registry registry\.example, whose message counts it\. Its own message of .* went out before that was known\./;
  const said = await stage.eventually(240, async () => {
    const both = `${await why('deployment/stock/front')}\n${await why('deployment/stock/back')}`;
    assert.match(both, folded);
    return both;
  });
  context.diagnostic(said);
});
