/** What causes cannot be looked for is told all the same; the other parts are explained as without it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Explainer } from '../../src/explain/explainer.ts';
import { scorers } from '../../src/explain/scores/scorers.ts';
import { Faults } from '../../src/model/faults.ts';
import type { Ref } from '../../src/model/ref.ts';
import { at, cluster, inShort } from './helpers.ts';

/** Two stories: a Node that is down with three Pods on it, and a Deployment that lacks a Secret. */
function twoStories() {
  const k8s = cluster();
  const node = k8s.node('n1');
  k8s.find(node, 'NodeNotReady', { since: 0 });
  k8s.deployment('shop/api');
  const pods = k8s.pods('shop/api', 4, { nodes: ['n1'], ready: false });
  for (const pod of pods.slice(0, 3)) k8s.find(pod, 'PodNotReady', { since: 60 });
  k8s.deployment('shop/web');
  for (const pod of k8s.pods('shop/web', 2, { nodes: ['n2'] }))
    k8s.find(pod, 'CrashLoopBackOff', { since: 60, scope: 'app' });
  const faults = new Faults();
  faults.setAside();
  const explainer = new Explainer(k8s.world, k8s.source, { faults });
  const explain = (seconds: number, ...changed: readonly Ref[]): string[] => {
    for (const ref of faults.begin(at(seconds))) changed = [...changed, ref];
    const { explanations } = explainer.explain(new Set(changed), at(seconds), []);
    return inShort(explanations, ({ confidence }) => ` ${confidence}`);
  };
  return { k8s, node, pods, faults, explain };
}

/** Makes every scorer throw for effects on a Node, for as long as it is on. */
function breakScorers(t: Pick<TestContext, 'after'>): { on: boolean } {
  const fault = { on: false };
  for (const row of scorers) {
    const { judge } = row;
    const broken: typeof judge = (pair, ...rest) => {
      if (fault.on && pair.effect.subject.node === 'n1') throw new TypeError('broken scorer');
      return judge(pair, ...rest);
    };
    Object.assign(row, { judge: broken });
    t.after(() => void Object.assign(row, { judge }));
  }
  return fault;
}

test('a part that cannot be solved keeps what was known of it, tells what is new as it is, and is solved again later', (t) => {
  const fault = breakScorers(t);
  const { k8s, pods, faults, explain } = twoStories();
  const [, , third = assert.fail(), fourth = assert.fail()] = pods;
  const web = 'Deployment/shop/web CrashLoopBackOff 2 unknown';
  assert.deepEqual(explain(600), [web, 'Node//n1 NodeNotReady 4 likely'].sort());

  fault.on = true;
  k8s.find(fourth, 'PodNotReady', { since: 610 });
  assert.deepEqual(
    explain(620, fourth),
    [web, 'Node//n1 NodeNotReady 4 likely', `${fourth} PodNotReady 1 unknown`].sort(),
  );
  assert.deepEqual(
    Array.from(faults.all(), ({ step, about }) => `${step} ${about}`),
    ['explain Deployment/shop/api'],
  );
  k8s.clear(third);
  assert.deepEqual(
    explain(630, third),
    [web, 'Node//n1 NodeNotReady 3 likely', `${fourth} PodNotReady 1 unknown`].sort(),
  );

  fault.on = false;
  assert.equal(explain(900).length, 3, 'nothing has changed');
  const retry = (faults.wakeAt() ?? 0) - at(0);
  assert.equal(retry, 1_230_000);
  assert.deepEqual(explain(1_230), [web, 'Node//n1 NodeNotReady 4 likely'].sort());
  assert.deepEqual([...faults.all()], []);
});

test('where nothing was known before, workloads are told as they are', (t) => {
  const fault = breakScorers(t);
  fault.on = true;
  const { explain } = twoStories();
  assert.deepEqual(
    explain(600),
    [
      'Deployment/shop/web CrashLoopBackOff 2 unknown',
      'Node//n1 NodeNotReady 1 unknown',
      'Deployment/shop/api PodNotReady 3 unknown',
    ].sort(),
  );
});

test('a finding for which no cause can be looked for is told without one, and the other story as always', () => {
  const { k8s, faults, explain, pods } = twoStories();
  const [first = assert.fail()] = pods;
  const finding = k8s.find(first, 'PodNotReady', { since: 60 });
  Object.defineProperty(finding, 'names', { get: () => assert.fail('broken finding') });
  const told = explain(600);
  assert.ok(told.includes('Deployment/shop/web CrashLoopBackOff 2 unknown'), told.join());
  assert.equal(
    told.reduce((sum, line) => sum + Number(line.split(' ')[2]), 0),
    6,
    'nothing is left out',
  );
  assert.ok([...faults.all()].some(({ about, by }) => about === first && by === 'PodNotReady'));
});
