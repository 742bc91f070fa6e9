/**
 * One workload's bad day, as people live it: a release that does not fit on any node, one that crashes, one that takes the last replica
 * down, a Silence, and the way back. Each is told once and for what it is, and what is asked about it meanwhile is answered truly.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runIncidents } from '../../src/cli/running/incidents.ts';
import { runWhy } from '../../src/cli/running/why.ts';
import { runSilenceExpire } from '../../src/cli/silence/expire.ts';
import { printed } from '../cli/streams.ts';
import type { Message } from './receiver.ts';
import { configuration, deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

/** It ends before it is ready, so that a rolling update goes no further. */
const crashes = {
  ...{ exit: { afterSeconds: 2, code: 1 }, readyAfterSeconds: 60 },
  log: ['starting', 'FATAL setting currency is missing'],
};
let stage: Stage;
let operator: Operator;

/** A release of the workload. `spec`: more of its Pods; `strategy`: how its Pods are replaced. */
function release(
  version: string,
  more: { readonly script?: object; readonly spec?: object; readonly strategy?: object },
) {
  const image = `registry.example/cart:${version}`;
  const made = Object(deployment('cart', { replicas: 3, image, ...(more.script && { script: more.script }) }));
  const { template } = made.spec;
  const strategy = more.strategy ?? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const pods = { ...template, spec: { ...template.spec, ...more.spec } };
  return stage.apply({ ...made, spec: { ...made.spec, strategy, template: pods } });
}

const types = (): readonly string[] => stage.receiver.messages.map(({ type }) => type);

/** The message after so many others; there is none yet that comes later. */
async function next(what: string, told: number, seconds: number): Promise<Message> {
  const message = await stage.receiver.wait(what, (each) => stage.receiver.messages.indexOf(each) === told, seconds);
  assert.equal(stage.receiver.messages.length, told + 1, types().join(', '));
  return message;
}

async function why(): Promise<string> {
  const asked = {
    object: 'deployment/shop/cart',
    url: operator.url,
    tocsinNamespace: 'tocsin',
    output: 'text',
  } as const;
  const { out, code } = await printed((streams) => runWhy(asked, streams));
  assert.equal(code, 0);
  return out;
}

async function incidents(): Promise<string> {
  const asked = { url: operator.url, tocsinNamespace: 'tocsin', output: 'text' } as const;
  return (await printed((streams) => runIncidents(asked, streams, Date.now()))).out;
}

/** The status page and the report of what was, as a browser shows their words. */
async function pages(): Promise<readonly string[]> {
  const texts = ['/status', '/status/report'].map(async (path) => {
    const answer = await fetch(`${operator.url}${path}`, { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 200, path);
    return (await answer.text())
      .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  });
  return Promise.all(texts);
}

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2', 'n3'], speed: 10 });
  await release('1.0', {});
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', 'deployment/cart', '--timeout=60s']);
  await stage.apply(...configuration(stage.receiver.url), {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
    spec: {
      ...{ app: { clusterName: 'test' }, incidents: { holdSeconds: 20 }, statusEndpoint: { enabled: true } },
      detection: { overrides: [{ selector: {}, settleSeconds: 0 }] },
    },
  });
  operator = await stage.startOperator();
  await ready(stage, operator);
});
after(async () => {
  await stage?.stop();
});

test('a release that fits on no node is told', async (context) => {
  await release('2.0', { spec: { nodeSelector: { disk: 'ssd' } } });
  const told = await next('opening', 0, 60);
  context.diagnostic(`${told.title}\n${told.message}`);
  assert.deepEqual([told.type, told.incident?.reason], ['incident.opened', 'Unschedulable']);
});

test('the next one crashes: told as another failure of the same incident once it has held', async (context) => {
  await release('2.1', { script: crashes });
  await stage.eventually(60, async () =>
    assert.match(await why(), /Notified of Unschedulable at .* Since then .*it is CrashLoopBackOff/),
  );
  const told = await next('update', 1, 120);
  context.diagnostic(`${told.title}\n${told.message}`);
  assert.deepEqual([told.type, told.incident?.reason], ['incident.updated', 'CrashLoopBackOff']);
  assert.equal(told.incident?.id, stage.receiver.messages[0]?.incident?.id);
  assert.match(told.message, /cart:2\.1/);
  assert.match(told.message, /FATAL setting currency is missing/);
});

test('a release that takes the last replica down is told at once, though an update has just been', async (context) => {
  await release('2.2', { script: crashes, strategy: { type: 'Recreate', rollingUpdate: null } });
  const told = await next('that all is down', 2, 60);
  context.diagnostic(`${told.title}\n${told.message}`);
  assert.equal(told.type, 'incident.updated');
  assert.match(told.title, /^Nothing serves any more — /);
  assert.match(told.title, /image 2\.1 → 2\.2/);
});

test('a Silence on what was told shows in why, incidents, on the page and in its own status at once', async () => {
  await stage.apply({
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'Silence', metadata: { name: 'repair', namespace: 'tocsin' } },
    spec: { selector: { names: ['cart'] }, durationSeconds: 3600, comment: 'being repaired' },
  });
  await stage.kubectl(['-n', 'tocsin', 'wait', '--for=condition=Active', '--timeout=20s', 'silence/repair']);
  const said = await why();
  assert.match(said, /It is silenced until .* by Silence tocsin\/repair\. It was announced at/);
  assert.match(await incidents(), /Silenced until .* by Silence tocsin\/repair/);
  const [page = ''] = await pages();
  assert.match(page, /It is silenced until .* by Silence tocsin\/repair\. It was announced at/);
  assert.doesNotMatch(page, /Nothing is open/);
  const suppressed = ['-n', 'tocsin', 'get', 'silence', 'repair', '-o', 'jsonpath={.status.suppressed}'];
  await stage.eventually(75, async () => assert.equal(await stage.kubectl(suppressed), '1'));
});

test('the end of the Silence tells what is still broken', async (context) => {
  const asked = { name: 'repair', namespace: 'tocsin', output: 'text' } as const;
  await printed((streams) => runSilenceExpire(asked, streams, stage.client));
  const told = await next('what is still broken', 3, 30);
  context.diagnostic(`${told.title}\n${told.message}`);
  assert.equal(told.type, 'incident.updated');
  assert.match(told.message, /Muted until .* by Silence tocsin\/repair/);
  assert.match(`${told.title}\n${told.message}`, /nothing serves|All 3 replicas are down/);
  assert.doesNotMatch(await why(), /It is silenced/);
});

test('after the rollback its end, why, the page and the report name the cause that was told', async (context) => {
  const cause = /image (?:(?:of Deployment shop\/cart )?changed from 2\.1 to|2\.1 →) 2\.2/;
  assert.match(await why(), cause);
  await stage.kubectl(['-n', 'shop', 'rollout', 'undo', 'deployment/cart', '--to-revision=1']);
  const told = await next('end', 4, 90);
  context.diagnostic(`${told.title}\n${told.message}`);
  assert.equal(told.type, 'incident.resolved');
  assert.equal(told.incident?.id, stage.receiver.messages[0]?.incident?.id);
  assert.match(told.title, /is running again: image .*1\.0/);
  assert.match(told.incident?.cause ?? '', cause);
  const said = await why();
  assert.match(
    said,
    /Why this is the cause:\n[\s\S]*Deployment shop\/cart is blamed, with \d+ of 100 points, by rule release/,
  );
  for (const page of await pages()) {
    assert.match(page, cause);
    assert.doesNotMatch(page, /cause is not known/i);
  }
  assert.deepEqual(types(), [
    'incident.opened',
    ...['incident.updated', 'incident.updated', 'incident.updated'],
    'incident.resolved',
  ]);
});
