/** Custom resources on a real API server: their definitions come, are not served for a while, and go. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configurePro } from './pro.ts';
import { definition } from './produced/definition.ts';
import { type Operator, ready, type Stage, startStage } from './stage.ts';

const withinSeconds = 10;
const source = 'kustomizations.kustomize.toolkit.fluxcd.io';
const define = (served: boolean) => definition('kustomize.toolkit.fluxcd.io', 'Kustomization', { served });

let stage: Stage;
let operator: Operator;

type Health = { coverage: { resources: { resource: string; state: string }[] } };
const becomes = (state: string): Promise<void> =>
  stage.eventually(withinSeconds, async () => {
    const health = (await (await fetch(`${operator.url}/health`)).json()) as Health;
    assert.equal(health.coverage.resources.find(({ resource }) => resource === source)?.state, state);
  });

const told = (): number => stage.receiver.messages.filter(({ type }) => type.startsWith('incident.')).length;

/** Writes a condition as its controller does. */
async function says(type: string, status: string, reason: string, message: string): Promise<void> {
  const lastTransitionTime = new Date().toISOString();
  const body = { status: { conditions: [{ type, status, reason, message, lastTransitionTime }] } };
  const args = ['-n', 'shop', 'patch', source, 'web', '--subresource=status', '--type=merge'];
  await stage.kubectl([...args, '-p', JSON.stringify(body)]);
}

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  const licenseKeys = await configurePro(stage);
  operator = await stage.startOperator({ licenseKeys });
  await ready(stage, operator);
});
after(() => stage?.stop());

test('a definition that is installed is watched within 10 s, and what fails of it is told in the words of its controller', async () => {
  await stage.apply(define(true));
  await becomes('Watching');
  const metadata = { name: 'web', namespace: 'shop' };
  await stage.eventually(withinSeconds, () =>
    stage.apply({ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata, spec: {} }),
  );
  await says('Stalled', 'True', 'InvalidPath', 'path ./web does not exist');
  const opened = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 90);
  assert.equal(opened.incident?.reason, 'CustomResourceFailing');
  assert.match(opened.message, /path \.\/web does not exist/);
});

test('a definition that is not served for a while resolves nothing and tells nobody; it goes on where it was', async () => {
  const before = told();
  await stage.apply(define(false));
  await becomes('NotServed');
  await stage.apply(define(true));
  await becomes('Watching');
  assert.equal(told(), before);
  await says('Ready', 'True', 'ReconciliationSucceeded', 'applied');
  const resolved = await stage.receiver.wait('its end', ({ type }) => type === 'incident.resolved', 120);
  assert.equal(resolved.incident?.root.name, 'web');
});

test('a definition that is deleted is dropped within 10 s, and nobody is told', async () => {
  const before = told();
  await stage.kubectl(['delete', 'crd', source]);
  await becomes('NotServed');
  assert.equal((await fetch(`${operator.url}/readyz`)).status, 200);
  assert.equal(told(), before);
});
