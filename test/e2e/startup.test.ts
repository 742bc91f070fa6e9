import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OperatorProcess, spawnOperator } from './process.ts';
import { configuration, deployment, ready, type Stage, startStage } from './stage.ts';

/** Long enough for anything that would be told of one by one: the longest settling is 75 s. */
const listenMs = 85_000;
let stage: Stage;
let operator: OperatorProcess | undefined;

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  const broken = ['one', 'two', 'three', 'four', 'five'].map((name) =>
    deployment(name, { replicas: 2, script: { pullError: 'NotFound' }, image: `registry.example/${name}:0` }),
  );
  await stage.apply(deployment('fine', { replicas: 2 }), ...broken);
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', 'deployment/fine', '--timeout=60s']);
  await stage.apply(...configuration(stage.receiver.url));
  // What exists at the start must be mature by then: problems younger than their settling are ordinary news.
  await new Promise((resolve) => setTimeout(resolve, 25_000));
});
after(async () => {
  await operator?.end('SIGKILL');
  await stage?.stop();
});

test('starting with five broken workloads is one summary and nothing else; killed and started again, the same', async () => {
  for (const start of [1, 2]) {
    operator = await spawnOperator(stage);
    await ready(stage, operator, 60);
    const summaries = () => stage.receiver.messages.filter(({ type }) => type === 'message.plain');
    await stage.eventually(30, async () => assert.equal(summaries().length, start));
    await new Promise((resolve) => setTimeout(resolve, listenMs));
    assert.equal(stage.receiver.messages.length, start, stage.receiver.messages.map(({ title }) => title).join('; '));
    const text = summaries().at(-1)?.message ?? '';
    for (const name of ['one', 'two', 'three', 'four', 'five']) assert.match(text, new RegExp(`shop/${name}\\b`));
    assert.doesNotMatch(text, /shop\/fine/);
    if (start === 1) assert.equal(await operator.end('SIGKILL'), null);
  }
});

test('asked to stop, it drains, releases its lock and exits with 0', async () => {
  assert.equal(await operator?.end('SIGTERM'), 0);
  const holder = await stage.kubectl([
    '-n',
    'tocsin',
    'get',
    'lease',
    'tocsin',
    '-o',
    'jsonpath={.spec.holderIdentity}',
  ]);
  assert.equal(holder, '');
});
