import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  condition,
  configMap,
  ended,
  job,
  node,
  pod,
  start,
  status,
  waiting,
  workload,
} from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Pod/shop/api-1';
const backOff = (duration: string) => `back-off ${duration} restarting failed container=api pod=api-1_shop(uid)`;

/** A container as a kubelet shows it in its back-off after a short run. */
const crashed = (restarts: number, endedAt: number, duration: string, own: Record<string, unknown> = {}) =>
  waiting('api', 'CrashLoopBackOff', backOff(duration), {
    restartCount: restarts,
    lastState: ended(endedAt - 2000, endedAt, 1, 'Error', 'panic: no database\n'),
    ...own,
  });
const running = (restarts: number, from: number, endedAt: number, ranMs = 2000) =>
  status('api', {
    restartCount: restarts,
    state: { running: { startedAt: `${new Date(from).toISOString()}` } },
    lastState: ended(endedAt - ranMs, endedAt),
  });

test('P1 fires: a crash loop is found at the fourth crash, not at the first, and says how it ends', () => {
  const { put, found, finding, says } = story();
  put(at(0), pod('api-1'));
  put(at(0, 4), pod('api-1', { statuses: [crashed(0, at(0, 3), '10s')] }));
  put(at(0, 16), pod('api-1', { statuses: [crashed(1, at(0, 15), '10s')] }));
  put(at(0, 30), pod('api-1', { statuses: [crashed(2, at(0, 29), '20s')] }));
  assert.deepEqual(found(), []);
  put(at(0, 55), pod('api-1', { statuses: [crashed(3, at(0, 54), '40s')] }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
  const { since, facts, severity, conclusive, scope, subject } = finding(ref, 'CrashLoopBackOff');
  assert.equal(since, at(0, 3), 'since the first crash');
  assert.deepEqual([severity, conclusive, scope], ['high', true, 'api']);
  assert.equal(subject.node, 'n1');
  assert.equal(facts.exitCode, 1);
  assert.equal(facts.backOffSeconds, 40);
  assert.equal(facts.terminationMessage, 'panic: no database');
  assert.equal(
    says(ref, 'CrashLoopBackOff'),
    'Container api keeps crashing with exit code 1 (an application error), 3 restarts so far.',
  );
});

/** The only Pod of a Deployment that has served for long, with this state of its container; nothing serves since it first ended. */
function onlyPod(isOut = true) {
  const telling = story();
  const owner = { kind: 'ReplicaSet', name: 'api-r1' };
  const createdAt = at(-900);
  const deployment = (ready: number) =>
    workload('Deployment', 'api', {
      createdAt,
      spec: { replicas: 1 },
      status: { readyReplicas: ready, availableReplicas: ready },
      conditions: [condition('Available', ready > 0 ? 'True' : 'False', ready > 0 ? createdAt : at(0, 3))],
    });
  const set = workload('ReplicaSet', 'api-r1', { createdAt, owner: { kind: 'Deployment', name: 'api' } });
  telling.put(at(0), node('n1'), deployment(1), set, pod('api-1', { owner, createdAt }));
  return {
    ...telling,
    deployment,
    /** Whether its crash loop is found. */
    isFound: () => telling.found().includes(`${ref} CrashLoopBackOff`),
    is(when: number, state: ReturnType<typeof status>) {
      telling.put(when, deployment(isOut ? 0 : 1), pod('api-1', { owner, createdAt, statuses: [state] }));
    },
  };
}

test('P1 fires: where nothing else serves it is found 35 s after the first of two crashes, and stands through the next run', () => {
  const { is, isFound, wait, put, deployment } = onlyPod();
  is(at(0, 4), crashed(0, at(0, 3), '10s'));
  is(at(0, 10), crashed(1, at(0, 9), '10s'));
  is(at(0, 26), crashed(2, at(0, 25), '20s'));
  wait(at(0, 37));
  assert.equal(isFound(), false);
  wait(at(0, 38));
  assert.equal(isFound(), true);
  is(at(0, 46), running(3, at(0, 46), at(0, 25)));
  put(at(0, 47), deployment(1));
  assert.equal(isFound(), true);
  is(at(0, 52), crashed(3, at(0, 51), '40s'));
  assert.equal(isFound(), true);
});

test('P1 fires: an only replica that has crashed twice is found in its third run, while that gets no further than the second', () => {
  const slow = onlyPod();
  slow.is(at(0, 4), crashed(0, at(0, 3), '10s'));
  slow.is(at(0, 25), crashed(1, at(0, 24), '10s', { lastState: ended(at(0, 4), at(0, 24), 1) }));
  slow.is(at(0, 34), running(2, at(0, 34), at(0, 24), 20_000));
  slow.wait(at(0, 38));
  assert.equal(slow.isFound(), false);
  slow.wait(at(0, 39));
  assert.equal(slow.isFound(), true);
});

test('P1 is quiet: crashes of an only replica whose next run gets further, and of one of several', () => {
  const quick = onlyPod();
  quick.is(at(0, 4), crashed(0, at(0, 3), '10s'));
  quick.is(at(0, 6), crashed(1, at(0, 5), '10s'));
  quick.is(at(0, 18), crashed(2, at(0, 17), '20s'));
  quick.is(at(0, 37), running(3, at(0, 37), at(0, 17)));
  for (let second = 38; second < 60; second += 1) {
    quick.wait(at(0, second));
    assert.equal(quick.isFound(), false, `${second} s`);
  }
  const oneOfTwo = onlyPod(false);
  oneOfTwo.is(at(0, 4), crashed(0, at(0, 3), '10s'));
  oneOfTwo.is(at(0, 26), crashed(2, at(0, 25), '20s'));
  oneOfTwo.wait(at(0, 45));
  assert.equal(oneOfTwo.isFound(), false);
});

test('P1 clears: a third crash of an only replica is over once its fourth run has lasted for 7 minutes', () => {
  const { is, isFound, wait } = onlyPod();
  is(at(0, 4), crashed(0, at(0, 3), '10s'));
  is(at(0, 40), crashed(2, at(0, 39), '20s'));
  assert.equal(isFound(), true);
  is(at(1), running(3, at(1), at(0, 39)));
  wait(at(7, 59));
  assert.equal(isFound(), true);
  wait(at(8));
  assert.equal(isFound(), false);
});

test('P1 fires: it says which probe a kubelet may have killed the container for, not for memory or an exit of its own', () => {
  const killer = (exitCode: number, reason: string, probes: object): unknown => {
    const { put, finding } = story();
    const containers = [{ name: 'api', image: 'x', ...probes }];
    const lastState = ended(at(0), at(1), exitCode, reason);
    put(at(1), pod('api-1', { containers, statuses: [crashed(5, at(1), '2m40s', { lastState })] }));
    return finding(ref, reason === 'OOMKilled' ? 'OOMKilled' : 'CrashLoopBackOff').facts.killingProbe;
  };
  const liveness = { livenessProbe: { httpGet: { path: '/live', port: 8080 } } };
  assert.equal(killer(137, 'Error', liveness), 'liveness');
  assert.equal(killer(143, 'Error', { startupProbe: {} }), 'startup');
  assert.equal(killer(1, 'Error', liveness), undefined);
  assert.equal(killer(137, 'OOMKilled', liveness), undefined);
  assert.equal(killer(137, 'Error', {}), undefined);
});

test('P1 fires and clears: it stands while the container runs between crashes, and clears after 7 minutes of running', () => {
  const { put, found, wait } = story();
  put(at(0), pod('api-1'));
  put(at(9), pod('api-1', { statuses: [crashed(6, at(9), '5m0s')] }));
  put(at(14, 1), pod('api-1', { statuses: [running(7, at(14, 1), at(9))] }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
  wait(at(21));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
  wait(at(21, 1));
  assert.deepEqual(found(), []);
});

test('P1 fires: it is found between crashes after a restart of ours: the wait before this run tells it', () => {
  const { put, found } = story();
  put(at(60), pod('api-1', { createdAt: at(-900), statuses: [running(40, at(59), at(54))] }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
});

test('P1 is quiet: an old count of restarts, a few crashes at the start, or a reboot of the node', () => {
  const { put, found } = story();
  put(at(60), pod('old', { createdAt: at(-900), statuses: [crashed(40, at(59, 50), '10s')] }));
  put(at(0, 20), pod('early', { statuses: [running(3, at(0, 19), at(0, 18))] }));
  const longRun = status('api', {
    restartCount: 5,
    state: { running: { startedAt: '2026-06-01T12:59:00Z' } },
    lastState: ended(at(0), at(55), 255, 'Unknown'),
  });
  put(at(60), pod('rebooted', { createdAt: at(-900), statuses: [longRun] }));
  assert.deepEqual(found(), []);
});

test('P1 fires: it counts three restarts in 15 minutes where the kubelet waits less', () => {
  const { put, found } = story();
  put(at(0), pod('api-1', { createdAt: at(-900), statuses: [status('api', { restartCount: 7 })] }));
  for (const minute of [1, 2, 3])
    put(at(minute), pod('api-1', { createdAt: at(-900), statuses: [crashed(7 + minute, at(minute), '1s')] }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
});

test('P1 is quiet: crash loops of Pods that go, were disrupted, or belong to a Job are left alone', () => {
  const { put, found } = story();
  const statuses = [crashed(6, at(1), '2m40s')];
  put(at(2), pod('going', { statuses, deletionAt: at(2) }));
  put(at(2), pod('disrupted', { statuses, conditions: [condition('DisruptionTarget', 'True')] }));
  put(at(2), pod('batch', { statuses, owner: { kind: 'Job', name: 'nightly' } }));
  assert.deepEqual(found(), []);
});

test('the crash loop of a Pod whose workload was deleted is over: it is about to be deleted too', () => {
  const { put, gone, see, found } = story();
  const deployment = workload('Deployment', 'api');
  const replicas = workload('ReplicaSet', 'api-1', { owner: { kind: 'Deployment', name: 'api' } });
  const crashing = pod('api-1', {
    statuses: [crashed(6, at(1), '2m40s')],
    owner: { kind: 'ReplicaSet', name: 'api-1' },
  });
  const loop = `${ref} CrashLoopBackOff`;
  put(at(2), deployment, replicas, crashing);
  assert.ok(found().includes(loop));
  gone(at(3), deployment);
  assert.ok(!found().includes(loop), 'two owners up');
  put(at(4), deployment);
  assert.ok(found().includes(loop), 'its owner is there after all: events of kinds come in any order');
  gone(at(5), deployment);
  see('Deployment', 'Denied', at(6));
  assert.ok(found().includes(loop), 'what is not seen decides nothing');
});

test('nothing is found and nothing clears on a Node that nothing is heard of', () => {
  const { put, found } = story();
  put(at(0), node('n1'), pod('api-1', { statuses: [crashed(6, at(0), '2m40s')] }));
  assert.ok(found().includes(`${ref} CrashLoopBackOff`));
  put(at(5), node('n1', { ready: 'Unknown', since: at(5) }));
  put(at(6), pod('api-1'), pod('api-2', { statuses: [crashed(6, at(6), '2m40s')] }));
  assert.ok(found().includes(`${ref} CrashLoopBackOff`));
  assert.ok(!found().includes('Pod/shop/api-2 CrashLoopBackOff'));
});

const oom = (own: Record<string, unknown>) =>
  status('api', { restartCount: 1, lastState: ended(at(0), at(1), 137, 'OOMKilled'), ...own });

test('P2 fires and clears: an OOM kill is found by its reason, names the limit, and clears after 7 minutes of running', () => {
  const { put, found, finding, wait, says } = story();
  const containers = [{ name: 'api', image: 'shop/api:1', resources: { limits: { memory: '256Mi' } } }];
  put(
    at(1, 1),
    pod('api-1', { containers, statuses: [oom({ state: { running: { startedAt: '2026-06-01T12:01:01Z' } } })] }),
  );
  assert.deepEqual(found(), [`${ref} OOMKilled`]);
  assert.equal(finding(ref, 'OOMKilled').facts.memoryLimit, '256Mi');
  assert.match(says(ref, 'OOMKilled'), /used more than its limit of 256Mi/);
  wait(at(8, 1));
  assert.deepEqual(found(), []);
});

test('P2 is quiet: exit code 137 alone is any kill', () => {
  const { put, found } = story();
  put(
    at(1),
    pod('api-1', { statuses: [status('api', { restartCount: 1, lastState: ended(at(0), at(1), 137, 'Error') })] }),
  );
  assert.deepEqual(found(), []);
});

test('P2 fires: a loop of OOM kills is one finding, with the first kill as its beginning', () => {
  const { put, found, finding } = story();
  put(at(0), pod('api-1'));
  put(at(1), pod('api-1', { statuses: [oom({})] }));
  const loop = waiting('api', 'CrashLoopBackOff', backOff('40s'), {
    restartCount: 4,
    lastState: ended(at(2), at(3), 137, 'OOMKilled'),
  });
  put(at(3), pod('api-1', { statuses: [loop] }));
  assert.deepEqual(found(), [`${ref} OOMKilled`]);
  assert.equal(finding(ref, 'OOMKilled').since, at(1));
});

test('P5 fires and clears: a command that cannot be started is told with the part of the sentence that matters', () => {
  const { put, found, wait, says } = story();
  const text =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown';
  const failing = waiting('api', 'CrashLoopBackOff', backOff('40s'), {
    restartCount: 3,
    lastState: ended(at(1), at(1), 128, 'StartError', text),
  });
  put(at(1), pod('api-1', { statuses: [failing] }));
  assert.deepEqual(found(), [`${ref} StartError`], 'and no crash loop besides');
  assert.equal(
    says(ref, 'StartError'),
    'Container api cannot be started: exec: "serve": executable file not found in $PATH.',
  );
  put(
    at(2),
    pod('api-1', {
      statuses: [
        status('api', {
          restartCount: 4,
          state: { running: { startedAt: '2026-06-01T12:02:00Z' } },
          lastState: failing.lastState,
        }),
      ],
    }),
  );
  wait(at(3, 59));
  assert.deepEqual(found(), [`${ref} StartError`]);
  wait(at(4));
  assert.deepEqual(found(), []);
});

test('P6 fires and clears: the reason of a failing pull follows from its cause and stays while the kubelet backs off', () => {
  const { put, found, finding } = story();
  put(at(0), pod('api-1', { statuses: [waiting('api', 'ContainerCreating')] }));
  put(
    at(1),
    pod('api-1', {
      statuses: [
        waiting(
          'api',
          'ErrImagePull',
          'rpc error: code = NotFound desc = failed to resolve reference "registry.example/shop/api:1.0": not found',
        ),
      ],
    }),
  );
  const first = finding(ref, 'ImageNotFound');
  put(
    at(1, 10),
    pod('api-1', {
      statuses: [waiting('api', 'ImagePullBackOff', 'Back-off pulling image "registry.example/shop/api:1.0"')],
    }),
  );
  assert.equal(finding(ref, 'ImageNotFound'), first, 'the same object, because nothing about it changed');
  assert.equal(first.since, at(1));
  assert.equal(first.conclusive, true);
  assert.deepEqual(first.names, []);
  put(at(2), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P7 fires and clears: an image name that is none is found at once', () => {
  const { put, found, finding } = story();
  put(at(0), pod('api-1', { statuses: [waiting('api', 'InvalidImageName', 'couldn\'t parse image name "a b"')] }));
  assert.equal(finding(ref, 'InvalidImageName').conclusive, true);
  put(at(1), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P7 is quiet: an image that is being pulled', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1'), pod('api-1', { phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] }));
  wait(at(5));
  assert.deepEqual(found(), []);
});

test('P8 fires and clears: a missing Secret is named, and found on the Secret too; one made just after the Pod is no fault', () => {
  const { put, found, finding, wait, says } = story();
  const failing = [waiting('api', 'CreateContainerConfigError', 'secret "db" not found')];
  put(at(0), pod('api-1', { statuses: failing }), pod('api-2', { statuses: failing }));
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  assert.deepEqual(found(), [
    `${ref} CreateContainerConfigError`,
    'Pod/shop/api-2 CreateContainerConfigError',
    'Secret/shop/db SecretMissing',
  ]);
  const { names, facts } = finding(ref, 'CreateContainerConfigError');
  assert.deepEqual(names, ['Secret/shop/db']);
  assert.equal(facts.missing, 'Secret shop/db');
  assert.equal(
    says(ref, 'CreateContainerConfigError'),
    'Container api cannot be created: Secret shop/db does not exist.',
  );
  assert.equal(finding('Secret/shop/db', 'SecretMissing').since, at(0));
  put(at(5), pod('api-1'), pod('api-2'));
  assert.deepEqual(found(), []);
});

test('P8 fires: of a missing Secret the Pods that ask for it are counted, once each, since the first that still asks', () => {
  const { put, finding, wait } = story();
  const asks = (container: string) => waiting(container, 'CreateContainerConfigError', 'secret "db" not found');
  put(at(0), pod('api-1', { statuses: [asks('api')] }));
  put(at(1), pod('api-2', { createdAt: at(1), statuses: [asks('api'), asks('proxy')] }));
  wait(at(2));
  const of = () => finding('Secret/shop/db', 'SecretMissing');
  const first = of();
  assert.equal(first.facts.pods, 2);
  put(at(3), pod('api-1'));
  assert.equal(of().facts.pods, 1);
  assert.equal(of().since, finding('Pod/shop/api-2', 'CreateContainerConfigError').since);
  assert.ok(of().since > first.since);
});

test('P8 fires: a missing key is named, and no object is called missing for it', () => {
  const { put, found, finding, wait } = story();
  const text = "couldn't find key url in ConfigMap shop/app";
  put(at(0), pod('api-1', { statuses: [waiting('api', 'CreateContainerConfigError', text)] }));
  wait(at(1));
  assert.deepEqual(found(), [`${ref} CreateContainerConfigError`]);
  assert.equal(finding(ref, 'CreateContainerConfigError').facts.missingKey, 'url');
});

test('P8 clears: a ConfigMap that is seen to be there is not missing any more', () => {
  const { put, found, wait } = story();
  put(at(0), pod('api-1', { statuses: [waiting('api', 'CreateContainerConfigError', 'configmap "app" not found')] }));
  wait(at(1));
  assert.ok(found().includes('ConfigMap/shop/app ConfigMapMissing'));
  put(at(2), configMap('app'));
  assert.ok(!found().includes('ConfigMap/shop/app ConfigMapMissing'));
});

test('P8 fires: caches that were not filled in time may pass', () => {
  const { put, finding, wait } = story();
  const text = 'failed to sync secret cache: timed out waiting for the condition';
  put(at(0), pod('api-1', { statuses: [waiting('api', 'CreateContainerConfigError', text)] }));
  wait(at(1));
  assert.equal(finding(ref, 'CreateContainerConfigError').conclusive, false);
});

test('P9 fires and clears: a container that cannot be created is found after a minute', () => {
  const { put, found, wait } = story();
  put(at(0), pod('api-1', { statuses: [waiting('api', 'CreateContainerError', 'name is reserved')] }));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found(), [`${ref} CreateContainerError`]);
  put(at(2), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P9 is quiet: a name that is in use for a moment after the runtime was restarted', () => {
  const { put, found, wait } = story();
  put(at(0), pod('api-1', { statuses: [waiting('api', 'CreateContainerError', 'name is reserved')] }));
  put(at(0, 50), pod('api-1'));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('P12 fires: a container that is being created for 10 minutes is found, a Pod that initializes is not', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1'), pod('api-1', { phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] }));
  put(at(0), pod('api-2', { phase: 'Pending', statuses: [waiting('api', 'PodInitializing')] }));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), [`${ref} ContainerCreating`]);
});

const withInit = (init: Record<string, unknown>, restartPolicy?: string) => ({
  phase: 'Pending',
  spec: { initContainers: [{ name: 'init', image: 'busybox', ...(restartPolicy ? { restartPolicy } : {}) }] },
  initStatuses: [init],
  statuses: [waiting('api', 'PodInitializing')],
});

test('P13 fires and clears: an init container that crashes again and again is told as such', () => {
  const { put, found } = story();
  const failing = waiting('init', 'CrashLoopBackOff', backOff('40s'), {
    restartCount: 3,
    lastState: ended(at(0), at(1)),
  });
  put(at(1), pod('api-1', withInit(failing)));
  assert.deepEqual(found(), [`${ref} InitContainerError`]);
  const succeeded = { state: ended(at(1), at(2), 0, 'Completed'), lastState: ended(at(0), at(0, 5)), restartCount: 7 };
  put(at(2), pod('api-1', { ...withInit(status('init', succeeded)) }));
  assert.deepEqual(found(), [], 'its last run succeeded, whatever the ones before it did');
});

const mounting = (own: Parameters<typeof pod>[1] = {}) =>
  pod('api-1', {
    phase: 'Pending',
    spec: { volumes: [{ name: 'c', configMap: { name: 'settings' } }], ...own.spec },
    statuses: [waiting('api', 'ContainerCreating')],
    ...own,
  });

test('P12 fires and clears: a volume of a ConfigMap that does not exist is found after 30 s and names it', () => {
  const { put, found, finding, wait } = story();
  put(start, node('n1'), mounting());
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  assert.deepEqual(found(), ['ConfigMap/shop/settings ConfigMapMissing', `${ref} ContainerCreating`]);
  const { names, conclusive, severity } = finding(ref, 'ContainerCreating');
  assert.deepEqual([names, conclusive, severity], [['ConfigMap/shop/settings'], true, 'high']);
  put(at(1), configMap('settings'));
  assert.deepEqual(found(), [], 'it was made: the Pod is looked at again at once');
});

test('P12 fires and clears: a ConfigMap that goes before the Pod could start is found too, also behind init containers', () => {
  const { put, gone, found, wait } = story();
  const spec = {
    initContainers: [{ name: 'init', image: 'x' }],
    volumes: [{ name: 'c', configMap: { name: 'settings' } }],
  };
  const held = [waiting('api', 'PodInitializing')];
  put(start, node('n1'), configMap('settings'));
  put(start, mounting({ spec, initStatuses: [waiting('init', 'PodInitializing')], statuses: held }));
  wait(at(1));
  assert.deepEqual(found(), []);
  gone(at(1), configMap('settings'));
  assert.deepEqual([...new Set(found())], ['ConfigMap/shop/settings ConfigMapMissing', `${ref} ContainerCreating`]);
  const migrating = status('init', { ready: false, started: true });
  put(at(2), mounting({ spec, initStatuses: [migrating], statuses: held }));
  assert.deepEqual(found(), [], 'it has its volumes');
});

test('P12 is quiet: a ConfigMap that is optional, or that nobody may see, is not missing', () => {
  const { put, see, found, wait } = story();
  const volumes = [{ name: 'c', configMap: { name: 'settings', optional: true } }];
  put(start, node('n1'), mounting({ spec: { volumes } }));
  wait(at(9));
  assert.deepEqual(found(), []);
  see('ConfigMap', 'Denied', at(9));
  put(at(9), mounting({ uid: 'another' }));
  wait(at(9, 50));
  assert.deepEqual(found(), []);
});

test('P13 fires: under restartPolicy Never one failure is for good', () => {
  const { put, found } = story();
  const parts = withInit(status('init', { ready: false, state: ended(at(0), at(1), 3) }));
  put(at(1), pod('api-1', { ...parts, phase: 'Failed', spec: { ...parts.spec, restartPolicy: 'Never' } }));
  assert.deepEqual(found(), [`${ref} InitContainerError`]);
});

test('P14 fires, is quiet and clears: an init container that runs for 15 minutes is found, a sidecar is meant to run', () => {
  const { put, found, wait } = story();
  const run = status('init', {
    ready: false,
    started: true,
    state: { running: { startedAt: '2026-06-01T12:00:00Z' } },
  });
  const ofJob = pod('import-1', { ...withInit(run), owner: { kind: 'Job', name: 'import', apiVersion: 'batch/v1' } });
  put(start, job('import'), pod('api-1', withInit(run)), pod('api-2', withInit(run, 'Always')), ofJob);
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), [`${ref} InitContainerWaiting`, 'Pod/shop/import-1 InitContainerWaiting']);
  put(at(16), pod('api-1'), pod('import-1'));
  assert.deepEqual(found(), []);
});

test('P13 is quiet: an init container that fails twice until what it waits for is there', () => {
  const { put, found, wait } = story();
  const once = (count: number, backoff: string, end: number) =>
    waiting('init', 'CrashLoopBackOff', backOff(backoff), { restartCount: count, lastState: ended(start, end) });
  put(at(0, 5), pod('api-1', withInit(once(0, '10s', at(0, 5)))));
  put(at(0, 20), pod('api-1', withInit(once(1, '20s', at(0, 20)))));
  put(at(0, 50), pod('api-1'));
  wait(at(20));
  assert.deepEqual(found(), []);
});

test('P21 fires and clears: a container that does not start within its startup probe is found when the time is up', () => {
  const { put, found, wait } = story();
  const containers = [{ name: 'api', image: 'shop/api:1', startupProbe: { periodSeconds: 5, failureThreshold: 30 } }];
  put(start, pod('api-1', { containers, statuses: [status('api', { ready: false, started: false })] }));
  wait(at(2, 29));
  assert.deepEqual(found(), []);
  wait(at(2, 30));
  assert.deepEqual(found(), [`${ref} StartupProbeFailed`]);
  put(at(3), pod('api-1', { containers }));
  assert.deepEqual(found(), []);
});

test('P21 is quiet: a container that starts slowly, within the time it asked for', () => {
  const { put, found, wait } = story();
  const containers = [{ name: 'api', image: 'shop/api:1', startupProbe: { periodSeconds: 5, failureThreshold: 30 } }];
  put(start, pod('api-1', { containers, statuses: [status('api', { ready: false, started: false })] }));
  put(at(2, 20), pod('api-1', { containers }));
  wait(at(20));
  assert.deepEqual(found(), []);
});

test('P5 is quiet: a script that ran for a while and then misses a command', () => {
  const { put, found } = story();
  const lastState = ended(at(0), at(1), 127, 'Error');
  put(at(1), pod('api-1', { statuses: [status('api', { restartCount: 1, lastState })] }));
  assert.deepEqual(found(), []);
});

test('P8 is quiet: a Secret that is made just after the Pod', () => {
  const { put, found, wait } = story();
  put(at(0), pod('api-1', { statuses: [waiting('api', 'CreateContainerConfigError', 'secret "db" not found')] }));
  put(at(0, 25), pod('api-1'));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('X9 how a sidecar ends does not matter once the main container has ended', () => {
  const { put, found } = story();
  const sidecar = waiting('init', 'CrashLoopBackOff', backOff('40s'), {
    restartCount: 4,
    lastState: ended(at(0), at(1), 143),
  });
  const parts = withInit(sidecar, 'Always');
  put(at(1), pod('api-1', { ...parts, phase: 'Running', statuses: [status('api')] }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
  const done = status('api', { ready: false, state: ended(at(0), at(1), 0, 'Completed') });
  put(
    at(2),
    pod('api-1', { ...parts, phase: 'Running', spec: { ...parts.spec, restartPolicy: 'Never' }, statuses: [done] }),
  );
  assert.deepEqual(found(), []);
});
