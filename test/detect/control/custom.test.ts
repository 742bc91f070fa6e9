import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyOther, customRow, customRows } from '../../../src/detect/control/custom-conditions.ts';
import { application, custom, gitRepository, kustomization } from '../../world/custom-objects.ts';
import { at, condition, ended, pod, stamp, waiting } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const long = at(-600);
const shop = 'Kustomization.kustomize.toolkit.fluxcd.io/shop/shop';
const failing = `${shop} CustomResourceFailing`;
const ready = condition('Ready', 'True', long, 'ReconciliationSucceeded');
const buildFailed = condition('Ready', 'False', at(1), 'BuildFailed', 'kustomize build failed: missing metadata.name');

test('G3 fires: a Kustomization of Flux that cannot be built for 2 min, in the words of its controller', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), kustomization('shop', { createdAt: long, conditions: [ready] }));
  put(at(1), kustomization('shop', { createdAt: long, conditions: [buildFailed] }));
  wait(at(2.9));
  assert.deepEqual(found(), []);
  wait(at(3));
  assert.deepEqual(found(), [failing]);
  assert.equal(
    says(shop, 'CustomResourceFailing'),
    'Its controller says that it is not healthy (condition Ready, reason BuildFailed): kustomize build failed: missing metadata.name.',
  );
});

test('G3 fires: what cannot pass by itself within 15 s, even at the first reconciliation', () => {
  const { put, finding, found, wait } = story('Pro');
  const stalled = condition('Stalled', 'True', at(1), 'InvalidURL', 'unsupported scheme');
  put(at(1), gitRepository('fleet', { createdAt: at(1), conditions: [stalled] }));
  wait(at(1) + 14_000);
  assert.deepEqual(found(), []);
  wait(at(1) + 15_000);
  assert.equal(finding('GitRepository.source.toolkit.fluxcd.io/shop/fleet', 'CustomResourceFailing').conclusive, true);
});

test('G3 fires: an Argo CD Application that is degraded or was not applied, and one with a condition that has no status', () => {
  const { put, found, says, wait } = story('Pro');
  const degraded = { health: { status: 'Degraded', message: 'Deployment "api" exceeded its progress deadline' } };
  const failed = {
    operationState: { phase: 'Failed', message: 'one or more objects failed', finishedAt: stamp(at(1)) },
  };
  const invalid = { type: 'ComparisonError', message: 'repository not found', lastTransitionTime: stamp(at(1)) };
  put(at(1), application('a', { createdAt: long, status: degraded }));
  put(at(1), application('b', { createdAt: long, status: failed }));
  put(at(1), application('c', { createdAt: long, conditions: [invalid] }));
  wait(at(4));
  const refs = ['a', 'b', 'c'].map((name) => `Application.argoproj.io/argocd/${name}` as const);
  assert.deepEqual(
    found(),
    refs.map((ref) => `${ref} CustomResourceFailing`),
  );
  const [a = refs[0]] = refs;
  assert.ok(a);
  assert.match(says(a, 'CustomResourceFailing'), /\(its health is Degraded\): Deployment "api" exceeded/);
});

test('G3 fires: a Rollout that is degraded, and a resource of an unknown group after 10 min', () => {
  const { put, found, wait } = story('Pro');
  const aborted = { phase: 'Degraded', message: 'RolloutAborted: metric "errors" assessed Failed' };
  put(at(1), custom('argoproj.io/v1alpha1', 'Rollout', 'api', { createdAt: long, status: aborted }));
  const broken = condition('Available', 'False', at(1), 'NoDisk');
  put(at(1), custom('x.dev/v1', 'Widget', 'one', { createdAt: long, conditions: [broken] }));
  wait(at(10));
  assert.deepEqual(found(), ['Rollout.argoproj.io/shop/api CustomResourceFailing']);
  wait(at(11));
  assert.ok(found().includes('Widget.x.dev/shop/one CustomResourceFailing'));
});

test('G3 is quiet: a type that is not in the table, a status of an older spec, what is suspended, deleted or only waits', () => {
  const { put, found, wait } = story('Pro');
  const put1 = (name: string, parts: Parameters<typeof kustomization>[1]): void =>
    put(at(1), kustomization(name, { createdAt: long, ...parts }));
  put1('evidence', { conditions: [ready, condition('Excited', 'False', at(1)), condition('Paused', 'False', at(1))] });
  put1('behind', { generation: 3, status: { observedGeneration: 2 }, conditions: [buildFailed] });
  put1('older', { generation: 3, conditions: [{ ...buildFailed, observedGeneration: 2 }] });
  put1('suspended', { spec: { suspend: true }, conditions: [buildFailed] });
  put1('deleted', { deletionAt: at(1), conditions: [buildFailed] });
  put1('waits', { conditions: [condition('Ready', 'False', at(1), 'DependencyNotReady', 'dependency not ready')] });
  const canary = [condition('Healthy', 'False', at(1)), condition('Completed', 'False', at(1))];
  put(at(1), custom('argoproj.io/v1alpha1', 'Rollout', 'api', { createdAt: long, conditions: canary }));
  const idle = [condition('Active', 'False', at(1), 'ScalerNotActive'), condition('Ready', 'True', long)];
  put(at(1), custom('keda.sh/v1alpha1', 'ScaledObject', 'api', { createdAt: long, conditions: idle }));
  put(at(1), application('manual', { createdAt: long, status: { sync: { status: 'OutOfSync' } } }));
  const paused = [condition('Paused', 'True', at(1)), condition('Ready', 'False', at(1))];
  put(at(1), custom('cluster.x-k8s.io/v1beta1', 'Cluster', 'c', { createdAt: long, conditions: paused }));
  wait(at(120));
  assert.deepEqual(found(), []);
});

test('G3 is quiet: the first reconciliation, for as long as it may take', () => {
  const { put, found, wait } = story('Pro');
  put(at(1), kustomization('shop', { createdAt: at(0), conditions: [buildFailed] }));
  wait(at(9));
  assert.deepEqual(found(), []);
  put(at(9), kustomization('shop', { createdAt: at(0), conditions: [{ ...ready, lastTransitionTime: stamp(at(9)) }] }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('G3 is quiet: without a licence', () => {
  const { put, found, wait } = story('Community');
  put(at(1), kustomization('shop', { createdAt: long, conditions: [buildFailed] }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('G3 clears: the controller says that it is good; a newer spec that it has not seen yet clears nothing', () => {
  const { put, found, wait } = story('Pro');
  put(at(1), kustomization('shop', { createdAt: long, conditions: [buildFailed], status: { observedGeneration: 1 } }));
  wait(at(5));
  assert.deepEqual(found(), [failing]);
  put(at(5), kustomization('shop', { createdAt: long, generation: 2, status: { observedGeneration: 1 } }));
  wait(at(6));
  assert.deepEqual(found(), [failing]);
  put(at(6), kustomization('shop', { createdAt: long, generation: 2, conditions: [ready] }));
  wait(at(7));
  assert.deepEqual(found(), []);
});

test('what a kind means by its conditions is asked of its own row first, then of its group, then of the general one', () => {
  assert.equal(customRow('x.dev/v1', 'Widget'), anyOther);
  assert.equal(customRow('serving.knative.dev/v1', 'Service'), customRow('eventing.knative.dev/v1', 'Broker'));
  assert.notEqual(customRow('karpenter.sh/v1', 'NodeClaim'), customRow('karpenter.sh/v1', 'NodePool'));
  for (const { conditions } of customRows)
    assert.equal(new Set(conditions.map(({ type }) => type)).size, conditions.length);
});

test('an object that holds the Pods that fail is named by them; nothing of it is lost when its kind goes out of sight', () => {
  const { put, world, detection } = story('Pro');
  const crash = ended(at(0), at(1));
  put(
    at(0),
    custom('kafka.strimzi.io/v1', 'Kafka', 'k', { createdAt: long, conditions: [condition('Ready', 'True')] }),
  );
  const owner = { kind: 'Kafka', name: 'k', apiVersion: 'kafka.strimzi.io/v1' };
  put(
    at(1),
    pod('k-0', { owner, statuses: [waiting('api', 'CrashLoopBackOff', '', { restartCount: 5, lastState: crash })] }),
  );
  const ref = 'Kafka.kafka.strimzi.io/shop/k';
  assert.equal(world.topOwner('Pod/shop/k-0'), ref);
  assert.equal(typeof world.get(ref), 'object');
  const row = { source: 'kafkas.kafka.strimzi.io', kind: 'Kafka', reason: 'NotServed', required: false } as const;
  detection.evaluate(world.see({ ...row, state: 'Watching', since: at(1) }, at(1)), at(1));
  assert.equal(world.get('Kafka.kafka.strimzi.io/shop/other'), 'absent');
  detection.evaluate(world.see({ ...row, state: 'NotServed', since: at(2) }, at(2)), at(2));
  assert.equal(world.get(ref), 'unknown');
  assert.equal(world.isInSight('Kafka.kafka.strimzi.io'), false);
  assert.ok([...world.everything()].includes(ref));
});

test('G3 fires and is quiet: a phase says that what is to be there for good is not; of a run a phase is its end', () => {
  const { put, found, says, wait } = story('Pro');
  const phased = (apiVersion: string, kind: string, phase: string) => {
    const { status: _, ...place } = custom(apiVersion, kind, 'a', { createdAt: long });
    return { ...place, status: { phase, message: 'access denied' } };
  };
  put(
    at(0),
    phased('velero.io/v1', 'BackupStorageLocation', 'Available'),
    phased('tekton.dev/v1', 'TaskRun', 'Running'),
  );
  put(
    at(1),
    phased('velero.io/v1', 'BackupStorageLocation', 'Unavailable'),
    phased('tekton.dev/v1', 'TaskRun', 'Failed'),
  );
  wait(at(9));
  const place = 'BackupStorageLocation.velero.io/shop/a';
  assert.deepEqual(found(), [`${place} CustomResourceFailing`]);
  assert.match(says(place, 'CustomResourceFailing'), /phase is Unavailable.*access denied/);
});

test('G3 fires: a maker of Secrets at its first reconciliation, as soon as a Pod cannot begin for want of what it makes', () => {
  const failed = condition('Ready', 'False', at(1), 'SecretSyncedError', 'could not get secret data from provider');
  const external = (name: string, spec: Readonly<Record<string, unknown>>) =>
    custom('external-secrets.io/v1', 'ExternalSecret', name, { createdAt: at(1), conditions: [failed], spec });
  const stories = [
    { name: 'db', spec: {}, says: 'secret "db" not found', isFound: true },
    { name: 'db-of-shop', spec: { target: { name: 'db' } }, says: 'secret "db" not found', isFound: true },
    // It makes another one, or what the Pod waits for is another.
    { name: 'db', spec: { target: { name: 'other' } }, says: 'secret "db" not found', isFound: false },
    { name: 'db', spec: {}, says: 'secret "db-2" not found', isFound: false },
  ];
  for (const { name, spec, says, isFound } of stories) {
    const { put, found, wait } = story('Pro');
    put(at(1), external(name, spec));
    put(
      at(1.5),
      pod('api', {
        ...{ node: 'n1', createdAt: at(1.5), phase: 'Pending' },
        containers: [{ name: 'api', image: 'x/api:1', envFrom: [{ secretRef: { name: 'db' } }] }],
        statuses: [waiting('api', 'CreateContainerConfigError', says)],
      }),
    );
    wait(at(1.5) + 30_000);
    const maker = `ExternalSecret.external-secrets.io/shop/${name} CustomResourceFailing`;
    assert.equal(found().includes(maker), isFound, `${name} ${JSON.stringify(spec)} ${says}`);
    wait(at(12));
    assert.ok(found().includes(maker), 'its first reconciliation has had ten minutes');
  }
});

test('G3 fires: a store, as soon as a Pod cannot begin for want of a Secret that is made from it', () => {
  const failed = condition('Ready', 'False', at(1), 'InvalidProviderConfig', 'invalid vault credentials');
  const of = (kind: string, name: string, more: object) =>
    custom('external-secrets.io/v1', kind, name, { createdAt: at(1), ...more });
  for (const [used, isFound] of [
    ['vault', true],
    ['another', false],
  ] as const) {
    const { put, found, wait } = story('Pro');
    put(at(1), of('SecretStore', 'vault', { conditions: [failed] }));
    put(at(1), of('ExternalSecret', 'db', { spec: { secretStoreRef: { kind: 'SecretStore', name: used } } }));
    put(
      at(1.5),
      pod('api', {
        ...{ node: 'n1', createdAt: at(1.5), phase: 'Pending' },
        containers: [{ name: 'api', image: 'x/api:1', envFrom: [{ secretRef: { name: 'db' } }] }],
        statuses: [waiting('api', 'CreateContainerConfigError', 'secret "db" not found')],
      }),
    );
    wait(at(1.5) + 30_000);
    const store = 'SecretStore.external-secrets.io/shop/vault CustomResourceFailing';
    assert.equal(found().includes(store), isFound, used);
  }
});

test('G3: a maker of Secrets that fails is not looked at again and again while nobody begins that needs it', () => {
  const { put, detection, wait } = story('Pro');
  const failed = condition('Ready', 'False', at(1), 'SecretSyncedError', 'could not get secret data from provider');
  put(at(1), custom('external-secrets.io/v1', 'ExternalSecret', 'db', { createdAt: at(1), conditions: [failed] }));
  wait(at(2));
  assert.ok((detection.dueAt ?? Number.POSITIVE_INFINITY) > at(3));
  wait(at(12));
  assert.ok((detection.dueAt ?? Number.POSITIVE_INFINITY) > at(13));
});
