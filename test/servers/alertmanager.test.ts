import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from '../runtime/stage.ts';
import { type Monitoring, type Rule, startMonitoring } from './alertmanager.ts';

const token = 'a-token-of-tests';
const config = {
  ...hasty,
  spec: {
    ...hasty.spec,
    incidents: { holdSeconds: 5 },
    alertsIn: { enabled: true, token: { secretKeyRef: { name: 'alerts', key: 'token' } } },
  },
};
const tokenSecret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'alerts', namespace: 'tocsin' } },
  data: { token: Buffer.from(token).toString('base64') },
};

/** A Deployment whose Pod runs. */
function healthy(name: string): object {
  const { metadata, spec, ...rest } = broken(name) as { metadata: object; spec: { template: { metadata: object } } };
  return { ...rest, metadata, spec: { ...spec, template: { ...spec.template, metadata: { labels: { app: name } } } } };
}

const of = (alert: string, deployment: string): Rule => ({
  ...{ alert, labels: { namespace: 'shop', deployment, severity: 'critical' }, summary: `${alert} of ${deployment}` },
});

/** The operator against the sandbox, and both servers beside it, which send it their alerts. */
async function withBoth(
  use: (stage: Stage, monitoring: Monitoring) => Promise<void>,
  options: Parameters<typeof startStage>[0] = {},
): Promise<void> {
  const stage = await startStage(options);
  try {
    await stage.create(tokenSecret, config, webhook('hook'), address('hook', stage.receiver.url), healthy('web'));
    await stage.until('ready', () => hasStarted(stage));
    await using monitoring = await startMonitoring(`http://127.0.0.1:${stage.runtime.port}/alerts`, token);
    await use(stage, monitoring);
  } finally {
    await stage.stop();
  }
}

/** What was told, but for what is told at the start. */
const told = ({ receiver }: Stage): readonly string[] =>
  receiver.messages.flatMap(({ status, incident }) =>
    incident ? [`${incident.root.name} ${incident.reason} ${status}`] : [],
  );

test('what Prometheus fires is told once, however often Alertmanager repeats it, and ends when it ends there', async () => {
  await withBoth(async (stage, { fire, amtool }) => {
    await fire(of('RequestsAreSlow', 'web'));
    await stage.until('it is told', () => told(stage).length > 0);
    assert.deepEqual(
      amtool().map(({ labels }) => labels.alertname),
      ['RequestsAreSlow'],
    );
    const taken = async (): Promise<number> =>
      Number(/tocsin_alerts_in_total\{outcome="taken"\} (\d+)/.exec((await stage.get('/metrics')).text)?.[1] ?? 0);
    await stage.until('it has been repeated', async () => (await taken()) >= 3);
    assert.deepEqual(told(stage), ['web ExternalAlert open']);
    await fire();
    await stage.until(
      'it is over',
      () => told(stage).length > 1,
      () => told(stage),
    );
    assert.deepEqual(told(stage), ['web ExternalAlert open', 'web ExternalAlert resolved']);
  });
});

test('what Prometheus fires about what fails is told with that, and by itself to nobody', async () => {
  await withBoth(async (stage, { fire }) => {
    await stage.create(broken('api'));
    await fire(of('KubeDeploymentReplicasMismatch', 'api'), { ...of('Watchdog', 'api'), labels: { severity: 'none' } });
    await stage.until('it is told', () => told(stage).some((one) => one.startsWith('api Image')));
    const page = async () => (await stage.get('/metrics')).text;
    await stage.until('it has been repeated', async () => /outcome="taken"\} [3-9]/.test(await page()));
    assert.ok(
      told(stage).every((one) => !one.startsWith('api ExternalAlert')),
      told(stage).join(),
    );
  });
});

test('incidents that Alertmanager is told of are there by amtool, end there, and do not come back', async () => {
  await withBoth(
    async (stage, { url, amtool }) => {
      const recipe = parse(readFileSync(join(import.meta.dirname, '../../config/recipes/alertmanager.yaml'), 'utf8'));
      await stage.create(address('alertmanager', `${url}/api/v2/alerts`));
      await stage.remove('/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertproviders/hook');
      await stage.create(recipe);
      // What fails before anybody can be told stands in the summary of the start.
      const conditions = () => stage.conditions('alertproviders', 'alertmanager');
      await stage.until('it can be told', () => /Ready=True/.test(conditions()), conditions);
      await stage.create(broken('api'));
      const here = () => amtool().filter(({ labels }) => labels.name === 'api');
      await stage.until('it is there', () => here().length === 1, amtool);
      const [alert] = here();
      assert.deepEqual([alert?.labels.kind, alert?.labels.namespace], ['Deployment', 'shop']);
      assert.match(alert?.annotations.summary ?? '', /api/);
      await stage.until('it has come back', async () =>
        /outcome="ignored"\} [1-9]/.test((await stage.get('/metrics')).text),
      );
      await stage.remove('/apis/apps/v1/namespaces/shop/deployments/api');
      await stage.until('it is over there', () => here().length === 0, amtool);
    },
    { speed: 1 },
  );
});
