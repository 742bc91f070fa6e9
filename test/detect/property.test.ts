import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Detection } from '../../src/detect/detection.ts';
import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { LinkType } from '../../src/world/link-type.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import type { WritableWorld } from '../../src/world/world.ts';
import { runs } from '../runs.ts';
import * as objects from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const { at, condition, ended, pod, start, status, waiting } = objects;

/** The states of a container that stories are made of. */
const containerStates = [
  status('api'),
  waiting('api', 'ContainerCreating'),
  waiting('api', 'ErrImagePull', 'dial tcp 10.0.0.1:443: i/o timeout'),
  waiting('api', 'ErrImagePull', 'x: not found'),
  waiting('api', 'ImagePullBackOff', 'Back-off pulling image "x"'),
  waiting('api', 'CreateContainerConfigError', 'configmap "app" not found'),
  waiting('api', 'CreateContainerConfigError', 'secret "db" not found'),
  waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=api', {
    restartCount: 5,
    lastState: ended(at(0), at(1)),
  }),
  status('api', { restartCount: 6, lastState: ended(at(1), at(2), 137, 'OOMKilled') }),
  status('api', { ready: false }),
];

const owners = [
  { kind: 'ReplicaSet', name: 'api-1' },
  { kind: 'ReplicaSet', name: 'api-2' },
  { kind: 'StatefulSet', name: 'web' },
  { kind: 'DaemonSet', name: 'agent' },
  undefined,
];

const pods = fc
  .record({
    name: fc.constantFrom('a-0', 'a-1', 'b-0', 'b-1', 'c'),
    uid: fc.constantFrom('one', 'two'),
    owner: fc.constantFrom(...owners),
    node: fc.constantFrom('n1', 'n2', undefined),
    state: fc.constantFrom(...containerStates),
    ready: fc.constantFrom('True', 'False'),
    going: fc.boolean(),
    claim: fc.constantFrom('data', 'data-a-0', undefined),
    secret: fc.constantFrom('db', undefined),
    minute: fc.nat(20),
  })
  .map(({ name, uid, owner, node, state, ready, going, claim, secret, minute }) =>
    pod(name, {
      uid,
      ...(owner ? { owner } : {}),
      node,
      phase: node === undefined ? 'Pending' : 'Running',
      statuses: node === undefined ? [] : [state],
      ...(going ? { deletionAt: at(minute) } : {}),
      conditions: [
        condition('Ready', ready, at(minute), 'ContainersNotReady'),
        condition('PodScheduled', node === undefined ? 'False' : 'True', start, 'Unschedulable', '0/2 nodes'),
      ],
      spec: {
        volumes: claim === undefined ? [] : [{ name: 'v', persistentVolumeClaim: { claimName: claim } }],
        imagePullSecrets: secret === undefined ? [] : [{ name: secret }],
      },
    }),
  );

const nodes = fc
  .record({
    name: fc.constantFrom('n1', 'n2'),
    ready: fc.constantFrom('True', 'False', 'Unknown'),
    unschedulable: fc.boolean(),
    minute: fc.nat(20),
  })
  .map(({ name, ready, unschedulable, minute }) =>
    objects.node(name, { ready, since: at(minute), spec: { unschedulable } }),
  );

const workloads = fc
  .record({
    kind: fc.constantFrom('Deployment', 'ReplicaSet', 'StatefulSet'),
    second: fc.boolean(),
    ready: fc.constantFrom(0, 2, 3),
    replicas: fc.constantFrom(0, 3),
    progressing: fc.constantFrom('NewReplicaSetAvailable', 'ReplicaSetUpdated'),
    available: fc.constantFrom('True', 'False'),
    revision: fc.constantFrom('x', 'y'),
    minute: fc.nat(20),
  })
  .map(({ kind, second, ready, replicas, progressing, available, revision, minute }) => {
    const name = kind === 'ReplicaSet' ? (second ? 'api-2' : 'api-1') : kind === 'StatefulSet' ? 'web' : 'api';
    return objects.workload(kind, name, {
      replicas,
      createdAt: at(second ? minute : -900),
      annotations: { 'deployment.kubernetes.io/revision': second ? '2' : '1' },
      ...(kind === 'ReplicaSet' ? { owner: { kind: 'Deployment', name: 'api' } } : {}),
      conditions: [
        condition('Progressing', 'True', at(minute), progressing),
        condition('Available', available, at(minute)),
      ],
      status: { readyReplicas: ready, availableReplicas: ready, currentRevision: 'x', updateRevision: revision },
    });
  });

const daemonSets = fc
  .constantFrom(0, 1, 2)
  .map((ready) => objects.daemonSet('agent', { status: { numberReady: ready, numberAvailable: ready } }));
const configMaps = fc.constant(objects.configMap('app'));

const events: fc.Arbitrary<ObjectEvent> = fc.record({
  is: fc.constantFrom('put', 'put', 'put', 'gone'),
  raw: fc.oneof({ weight: 4, arbitrary: pods }, nodes, workloads, daemonSets, configMaps),
});
/** A step of a story: what happens, and how many seconds after the step before. */
const stories = fc.array(fc.record({ event: events, seconds: fc.nat(400) }), { minLength: 1, maxLength: 30 });

const linkTypes: readonly LinkType[] = ['owned-by', 'runs-on', 'uses', 'mounts', 'pulls'];

/** Everything a world says that does not depend on how it came to be so. */
function portrait(world: WritableWorld, targets: Iterable<Ref>): unknown {
  const views = everyKind.flatMap(({ kind }) => [...world.all(kind)]).sort((a, b) => (a.ref < b.ref ? -1 : 1));
  const refs = [...new Set([...targets, ...views.map(({ ref }) => ref)])].sort();
  return {
    views,
    counts: everyKind.map(({ kind }) => world.count(kind)),
    keys: everyKind.map(({ kind }) => [...world.keys(kind)].map((key) => JSON.stringify(key)).sort()),
    tops: refs.map((ref) => world.topOwner(ref)),
    subjects: refs.map((ref) => world.subject(ref)),
    links: refs.map((ref) =>
      linkTypes.flatMap((type) => [
        [...world.linked(ref, type, 'out')].sort(),
        [...world.linked(ref, type, 'in')].sort(),
      ]),
    ),
  };
}

const targets: readonly Ref[] = [
  'Node//n1',
  'Node//n2',
  'Secret/shop/db',
  'PersistentVolumeClaim/shop/data',
  'PersistentVolumeClaim/shop/data-a-0',
  'Registry//registry.example',
  'Deployment/shop/api',
  'DaemonSet/shop/agent',
];
const uidOf = (raw: RawObject): string => `${sourceOf(raw)}/${raw.metadata.name}`;

test('a world after any history equals one built from what is left of it', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const lived = new WatchedWorld();
      const left = new Map<string, RawObject>();
      for (const [index, { event }] of steps.entries()) {
        const { is, raw } = event;
        lived.apply(sourceOf(raw), [event], at(30 + index));
        const known = left.get(uidOf(raw));
        if (is === 'put') left.set(uidOf(raw), raw);
        else if (known?.metadata.uid === raw.metadata.uid) left.delete(uidOf(raw));
      }
      const built = new WatchedWorld();
      for (const raw of left.values()) built.apply(sourceOf(raw), [{ is: 'put', raw }], at(99));
      assert.deepEqual(portrait(lived, targets), portrait(built, targets));
    }),
    { numRuns: runs(75) },
  );
});

test('judging only what became dirty finds the same as judging everything', () => {
  fc.assert(
    fc.property(stories, fc.boolean(), (steps, watched) => {
      const world = new WatchedWorld();
      const lazy = new Detection(world, { edition: 'Community' });
      const eager = new Detection(world, { edition: 'Community' });
      const seen = new Set<Ref>();
      if (watched)
        for (const { kind, source } of everyKind)
          world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, start);
      let now = start;
      for (const { event, seconds } of steps) {
        now += seconds * 1000;
        const dirty = world.apply(sourceOf(event.raw), [event], now);
        for (const ref of dirty) seen.add(ref);
        lazy.evaluate(dirty, now);
        eager.evaluate(seen, now);
        assert.deepEqual([...lazy.all()], [...eager.all()]);
      }
    }),
    { numRuns: runs(75) },
  );
});
