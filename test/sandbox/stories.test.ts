import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createVirtualClock, type VirtualClock } from '../../sandbox/clock.ts';
import { type PodScript, scriptAnnotation } from '../../sandbox/kubelet/pod-script.ts';
import { type Kubelet, startKubelet } from '../../sandbox/kubelet.ts';
import { type Fields, fieldAt } from '../../sandbox/object.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Pod } from '../../sandbox/shapes.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';

/** A cluster whose time goes on only while a test waits for something. */
type Stage = {
  readonly sandbox: Sandbox;
  readonly kubelet: Kubelet;
  readonly clock: VirtualClock;
  readonly api: ReturnType<typeof createApiClient>;
};

async function withStage(
  nodes: readonly string[],
  run: (stage: Stage) => Promise<void>,
  script?: () => PodScript,
): Promise<void> {
  const clock = createVirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const sandbox = await startSandbox({ clock });
  const api = createApiClient(fixedClusterConfig({ server: sandbox.url }), { clock: systemClock, version: '0.0.0' });
  const kubelet = await startKubelet({ api, clock, nodes: nodes.map((name) => ({ name })), ...(script && { script }) });
  try {
    await run({ sandbox, kubelet, clock, api });
  } finally {
    await kubelet.stop();
    await api.close();
    await sandbox.stop();
  }
}

/** Lets requests on loopback be answered, then time go on by half a second, until the answer is there. */
async function passUntil<T>(
  { clock }: Stage,
  what: string,
  look: () => T | undefined,
  withinSeconds: number,
): Promise<T> {
  for (const end = clock.now() + withinSeconds * 1000; clock.now() < end; clock.advance(500)) {
    for (let i = 0; i < 40; i += 1) {
      const found = look();
      if (found !== undefined) return found;
      await turn();
    }
  }
  throw new Error(`after ${withinSeconds} simulated seconds still not: ${what}`);
}

const deployment = (name: string, script: PodScript, spec: Fields = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: { [scriptAnnotation]: JSON.stringify(script) } },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1', ...spec }] },
    },
  },
});
const podsOf = ({ sandbox }: Stage): Pod[] => sandbox.objects.list('pods', 'default') as Pod[];
const conditionOf = (object: unknown, type: string): Fields | undefined =>
  (fieldAt(object, 'status', 'conditions') as Fields[] | undefined)?.find((condition) => condition.type === type);
const eventsOf = ({ sandbox }: Stage, reason: string): Fields[] =>
  sandbox.objects.list('events', 'default').filter((event) => event.reason === reason);

test('a container that never gets ready lets its rollout run into the progress deadline', () =>
  withStage(['n1'], async (stage) => {
    stage.sandbox.objects.create(
      deployment('slow', { readyAfterSeconds: 'never' }, { readinessProbe: { httpGet: { port: 80 } } }),
    );
    const look = (): Fields | undefined =>
      conditionOf(stage.sandbox.objects.get('deployments.apps', 'default', 'slow'), 'Progressing');
    const started = stage.clock.now();
    const failed = await passUntil(
      stage,
      'ProgressDeadlineExceeded',
      () => (look()?.status === 'False' ? look() : undefined),
      700,
    );
    assert.equal(failed.reason, 'ProgressDeadlineExceeded');
    assert.match(String(failed.message), /^ReplicaSet "slow-[a-z]{10}" has timed out progressing\.$/);
    const seconds = (stage.clock.now() - started) / 1000;
    assert.ok(seconds >= 600 && seconds < 610, `${seconds} s`);
    const [pod] = podsOf(stage);
    assert.deepEqual([pod?.status.phase, conditionOf(pod, 'Ready')?.reason], ['Running', 'ContainersNotReady']);
    const [unhealthy] = eventsOf(stage, 'Unhealthy');
    assert.equal(unhealthy?.message, 'Readiness probe failed: HTTP probe failed with statuscode: 503');
    assert.ok(Number(unhealthy?.count) > 10);
  }));

test('a Deployment that is recreated makes its new Pods once the old ones are gone', () =>
  withStage(['n1'], async (stage) => {
    const { sandbox, api } = stage;
    sandbox.objects.create(deployment('whole', {}));
    const runs = (image: string) => (): Pod | undefined =>
      podsOf(stage).find(
        (pod) => pod.spec.containers[0]?.image === image && conditionOf(pod, 'Ready')?.status === 'True',
      );
    const [before, after] = ['registry.example.com/app:1', 'registry.example.com/app:2'];
    const old = await passUntil(stage, 'the first is ready', runs(before), 60);
    const template = { spec: { containers: [{ name: 'main', image: after }] } };
    await api.json({
      ...{ method: 'PATCH', path: '/apis/apps/v1/namespaces/default/deployments/whole' },
      body: { spec: { strategy: { type: 'Recreate', rollingUpdate: null }, template } },
      contentType: 'application/strategic-merge-patch+json',
    });
    await passUntil(stage, 'the second is ready', runs(after), 120);
    assert.ok(podsOf(stage).every(({ metadata }) => metadata.name !== old.metadata.name));
  }));

test('Pods of a lost node are evicted after five minutes and replaced elsewhere, and wait for their kubelet', () =>
  withStage(['n1', 'n2'], async (stage) => {
    stage.sandbox.objects.create(deployment('web', {}));
    const ready = await passUntil(
      stage,
      'ready',
      () => podsOf(stage).find((pod) => conditionOf(pod, 'Ready')?.status === 'True'),
      30,
    );
    const lost = ready.spec.nodeName ?? '';
    const started = stage.clock.now();
    stage.kubelet.nodes.get(lost)?.stop();
    const unknown = await passUntil(
      stage,
      'Unknown',
      () => {
        const condition = conditionOf(stage.sandbox.objects.get('nodes', undefined, lost), 'Ready');
        return condition?.status === 'Unknown' ? condition : undefined;
      },
      90,
    );
    assert.equal(unknown.reason, 'NodeStatusUnknown');
    const after = (stage.clock.now() - started) / 1000;
    assert.ok(after > 40 && after <= 66, `${after} s`);
    const moved = await passUntil(
      stage,
      'replaced',
      () => podsOf(stage).find((pod) => pod.spec.nodeName !== lost && conditionOf(pod, 'Ready')?.status === 'True'),
      400,
    );
    assert.notEqual(moved.metadata.name, ready.metadata.name);
    assert.ok((stage.clock.now() - started) / 1000 > after + 299);
    const old = podsOf(stage).find((pod) => pod.metadata.name === ready.metadata.name);
    assert.ok(old?.metadata.deletionTimestamp, 'the old Pod is terminating');
    assert.equal(conditionOf(old, 'DisruptionTarget')?.reason, 'DeletionByTaintManager');
    await stage.kubelet.nodes.get(lost)?.start();
    await passUntil(stage, 'the old Pod is gone', () => (podsOf(stage).length === 1 ? true : undefined), 30);
  }));

test('a container that is killed for its memory says so, with the exit code', () =>
  withStage(['n1'], async (stage) => {
    stage.sandbox.objects.create(deployment('hungry', { exit: { afterSeconds: 3, code: 137, oom: true } }));
    const pod = await passUntil(
      stage,
      'restarted',
      () => podsOf(stage).find((p) => (p.status.containerStatuses?.[0]?.restartCount ?? 0) > 0),
      60,
    );
    const { reason, exitCode } = pod.status.containerStatuses?.[0]?.lastState.terminated ?? {};
    assert.deepEqual([reason, exitCode], ['OOMKilled', 137]);
  }));

test('what runs does what its script says anew when it is told so: it gets unready, ready again, and ends', () => {
  let script: PodScript = { log: ['listening'] };
  return withStage(
    ['n1'],
    async (stage) => {
      stage.sandbox.objects.create(deployment('api', {}, { readinessProbe: { httpGet: { port: 80 } } }));
      const until = (what: string, status: string, seconds: number): Promise<Pod> =>
        passUntil(
          stage,
          what,
          () => podsOf(stage).find((pod) => conditionOf(pod, 'Ready')?.status === status),
          seconds,
        );
      await until('ready', 'True', 10);
      script = { readyAfterSeconds: 'never', readinessSays: 'HTTP probe failed with statuscode: 500' };
      const began = stage.clock.now();
      await passUntil(stage, 'half a minute', () => (stage.clock.now() - began >= 30_000 ? true : undefined), 31);
      assert.deepEqual(eventsOf(stage, 'Unhealthy'), [], 'a script alone changes nothing that runs');
      stage.kubelet.reread(() => true);
      const said = stage.clock.now();
      const unready = await until('unready', 'False', 60);
      assert.equal((stage.clock.now() - said) / 1000, 30, 'three failures, ten seconds apart');
      assert.equal(unready.status.containerStatuses?.[0]?.restartCount, 0);
      assert.match(String(eventsOf(stage, 'Unhealthy')[0]?.message), /statuscode: 500$/);
      script = {};
      stage.kubelet.reread(() => true);
      await until('ready again', 'True', 5);
      script = { exit: { afterSeconds: 2, code: 3 } };
      stage.kubelet.reread(({ metadata }) => metadata.name === 'another');
      stage.kubelet.reread(({ metadata }) => metadata.name.startsWith('api-'));
      const ended = await passUntil(
        stage,
        'ended',
        () => podsOf(stage)[0]?.status.containerStatuses?.find(({ lastState }) => lastState.terminated),
        10,
      );
      assert.deepEqual([ended.lastState.terminated?.exitCode, ended.restartCount > 0], [3, true]);
    },
    () => script,
  );
});

test('pulls that fail wait longer each time, and the Pod comes up when the image does', () =>
  withStage(['n1'], async (stage) => {
    stage.sandbox.objects.create(deployment('pull', { pullError: 'NotFound', failedPulls: 3 }));
    const started = stage.clock.now();
    const ready = await passUntil(
      stage,
      'ready',
      () => podsOf(stage).find((pod) => conditionOf(pod, 'Ready')?.status === 'True'),
      200,
    );
    // 10 + 20 + 40 s of waiting, and the pulls themselves.
    const seconds = (stage.clock.now() - started) / 1000;
    assert.ok(seconds >= 70 && seconds < 85, `${seconds} s`);
    assert.equal(ready.status.containerStatuses?.[0]?.restartCount, 0);
    const texts = eventsOf(stage, 'Failed').map((event) => String(event.message));
    assert.ok(
      texts.some((text) =>
        /^Failed to pull image "registry\.example\.com\/app:1": rpc error: code = NotFound desc = /.test(text),
      ),
      texts.join('\n'),
    );
    assert.ok(texts.includes('Error: ErrImagePull') && texts.includes('Error: ImagePullBackOff'));
  }));

test('a missing ConfigMap volume holds the Pod in ContainerCreating, told by FailedMount', () =>
  withStage(['n1'], async (stage) => {
    const manifest = deployment('mount', {});
    const spec = fieldAt(manifest, 'spec', 'template', 'spec') as Fields;
    spec.volumes = [{ name: 'settings', configMap: { name: 'settings' } }];
    stage.sandbox.objects.create(manifest);
    const [event] = await passUntil(
      stage,
      'FailedMount',
      () => (eventsOf(stage, 'FailedMount').length > 0 ? eventsOf(stage, 'FailedMount') : undefined),
      30,
    );
    assert.equal(event?.message, 'MountVolume.SetUp failed for volume "settings" : configmap "settings" not found');
    assert.equal(podsOf(stage)[0]?.status.containerStatuses?.[0]?.state.waiting?.reason, 'ContainerCreating');
    stage.sandbox.objects.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
    });
    await passUntil(
      stage,
      'ready',
      () => podsOf(stage).find((pod) => conditionOf(pod, 'Ready')?.status === 'True'),
      60,
    );
  }));

test('init containers run one after the other before the others', () =>
  withStage(['n1'], async (stage) => {
    const script: PodScript = {
      containers: { first: { exit: { afterSeconds: 2, code: 0 } }, second: { exit: { afterSeconds: 2, code: 0 } } },
    };
    const manifest = deployment('init', script);
    const spec = fieldAt(manifest, 'spec', 'template', 'spec') as Fields;
    spec.initContainers = ['first', 'second'].map((name) => ({ name, image: 'registry.example.com/init:1' }));
    stage.sandbox.objects.create(manifest);
    const initializing = await passUntil(
      stage,
      'the first runs',
      () => podsOf(stage).find((pod) => pod.status.initContainerStatuses?.[0]?.state.running),
      30,
    );
    assert.deepEqual(
      [initializing.status.phase, conditionOf(initializing, 'Initialized')?.message],
      ['Pending', 'containers with incomplete status: [first second]'],
    );
    assert.equal(initializing.status.initContainerStatuses?.[1]?.state.waiting?.reason, 'PodInitializing');
    const ready = await passUntil(
      stage,
      'ready',
      () => podsOf(stage).find((pod) => conditionOf(pod, 'Ready')?.status === 'True'),
      30,
    );
    assert.deepEqual(
      ready.status.initContainerStatuses?.map((status) => status.state.terminated?.reason),
      ['Completed', 'Completed'],
    );
  }));

test('a Namespace takes everything in it along', () =>
  withStage(['n1'], async (stage) => {
    stage.sandbox.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    stage.sandbox.objects.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' } });
    const answer = await fetch(`${stage.sandbox.url}/api/v1/namespaces/shop`, { method: 'DELETE' });
    assert.equal(answer.status, 200);
    await passUntil(
      stage,
      'gone',
      () => (stage.sandbox.objects.get('namespaces', undefined, 'shop') ? undefined : true),
      30,
    );
    assert.deepEqual(stage.sandbox.objects.list('secrets', 'shop'), []);
  }));
