import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namespaceLimits } from '../../src/api/limits.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { settle } from '../kube/support/virtual-clock.ts';
import { provider, silence } from './objects.ts';
import { burst, kinds, stage } from './stage.ts';

/** The same object in the namespace of a team, made `age` seconds after the others. */
function ofTeam<T extends RawObject>(object: T, age = 0): T {
  const creationTimestamp = new Date(Date.parse('2026-11-20T08:00:00Z') + age * 1000).toISOString();
  return { ...object, metadata: { ...object.metadata, namespace: 'team-a', creationTimestamp } };
}

/** Hands objects over one by one, as a watch does while somebody applies them. */
async function stream(on: Awaited<ReturnType<typeof stage>>, objects: readonly RawObject[]): Promise<void> {
  for (const raw of objects) on.watches.get(raw.kind ?? '')?.onEvents([{ is: 'put', raw }]);
  await settle(10 + Math.ceil(objects.length / 20));
  await on.clock.advance(burst);
  await settle(10 + Math.ceil(objects.length / 5));
}

const teamSilences = (count: number, more: object = {}): readonly RawObject[] =>
  Array.from({ length: count }, (_, index) =>
    ofTeam(silence(`s${index}`, { spec: { durationSeconds: 36_000, ...more } }), index),
  );

test('a thousand objects that come one by one are read once each and make two snapshots, not a thousand', async () => {
  const on = await stage();
  await on.listed(...kinds);
  let reads = 0;
  const objects = Array.from({ length: 1_000 }, (_, index) => {
    const object = silence(`s${index}`);
    return {
      ...object,
      get spec() {
        reads += 1;
        return object.spec;
      },
    };
  });
  const before = on.settings.length;
  await stream(on, objects);
  assert.equal(on.settings.at(-1)?.silences.length, 1_000);
  assert.equal(on.settings.length - before, 2, 'the first at once, the rest together');
  // Its shape, its meaning and its status each look at it a few times; it must not grow with the number of the others.
  assert.ok(reads < 20 * objects.length, `${reads} reads of ${objects.length} objects`);
});

test('a burst of a team does not delay what the operator’s namespace has to show', async () => {
  const on = await stage();
  await on.listed(...kinds);
  for (const raw of [...teamSilences(300), silence('ours')]) on.watches.get('Silence')?.onEvents([{ is: 'put', raw }]);
  await on.clock.advance(burst);
  await settle(100);
  const place = on.writes.findIndex(({ name }) => name === 'ours');
  assert.ok(place >= 0 && place < 10, `written as number ${place + 1} of ${on.writes.length}`);
});

test('of more silences than a team’s namespace may have, the oldest count; the others say so, and step in when there is room', async () => {
  const limit = namespaceLimits.Silence.tenant;
  const on = await stage();
  await on.listed(...kinds);
  const objects = teamSilences(limit + 2);
  await stream(on, objects.toReversed());
  const counted = () => new Set(on.settings.at(-1)?.silences.map(({ ref }) => ref));
  assert.equal(counted().size, limit);
  assert.ok(counted().has('Silence/team-a/s0'));
  assert.ok(!counted().has(`Silence/team-a/s${limit}`));
  assert.deepEqual(on.status(`s${limit}`), [
    'Ready=False/Invalid',
    'Stalled=True/NamespaceLimit',
    'Active=False/NamespaceLimit',
  ]);
  assert.ok(on.status('s0').includes('Active=True/Active'));
  await on.gone(...objects.slice(0, 1));
  await settle(50);
  assert.ok(counted().has(`Silence/team-a/s${limit}`));
  assert.ok(on.status(`s${limit}`).includes('Active=True/Active'));
});

test('silences that are over take no room from new ones', async () => {
  const limit = namespaceLimits.Silence.tenant;
  const on = await stage();
  await on.listed(...kinds);
  const over = { startsAt: '2026-11-01T00:00:00Z', durationSeconds: 60 };
  await stream(on, teamSilences(limit, over));
  await on.put(ofTeam(silence('new'), 3_000));
  await settle(50);
  assert.ok(on.status('new').includes('Active=True/Active'));
  assert.ok(on.status('s0').includes('Active=False/Expired'));
});

test('of more providers than a team’s namespace may have, only the oldest are judged, and no Secret is read for the others', async () => {
  const limit = namespaceLimits.AlertProvider.tenant;
  const on = await stage();
  await on.listed(...kinds);
  const objects = Array.from({ length: 4 * limit }, (_, index) => ofTeam(provider(`p${index}`), index));
  await stream(on, objects);
  assert.equal(on.settings.at(-1)?.providers.length, limit);
  assert.equal(new Set(on.opened).size, limit);
  assert.ok(on.status(`p${limit}`).includes('Stalled=True/NamespaceLimit'));
  assert.ok(on.status('p0').includes('Ready=True/Accepted'));
});

test('the operator’s own namespace is not held to the limit of a team', async () => {
  const on = await stage();
  await on.listed(...kinds);
  const count = namespaceLimits.Silence.tenant + 50;
  await stream(
    on,
    Array.from({ length: count }, (_, index) => silence(`s${index}`)),
  );
  assert.equal(on.settings.at(-1)?.silences.length, count);
});

test('the echo of a status that was written is not judged again', async () => {
  const on = await stage();
  await on.put(provider('oncall'));
  await on.listed(...kinds);
  const before = on.opened.length;
  await on.put(provider('oncall', { status: { delivered: 1 } }));
  assert.equal(on.opened.length, before);
});

/** Every way in which one field of an object may be of another type than the schema says. */
function malformed(sample: RawObject): readonly RawObject[] {
  const object = ofTeam(sample, 1);

  const wrong: readonly unknown[] = [null, 5, 'text', [], [5], {}, true];
  const spec: Readonly<Record<string, unknown>> = { ...Object(object.spec) };
  const variants = [
    ...wrong.map((value) => ({ ...object, spec: value })),
    ...wrong.map((value) => ({ ...object, status: value })),
    ...wrong.map((value) => ({ ...object, status: { conditions: value } })),
    ...['annotations', 'generation', 'creationTimestamp'].flatMap((field) =>
      wrong.map((value) => ({ ...object, metadata: { ...object.metadata, [field]: value } })),
    ),
    ...[
      ...Object.keys(spec),
      'retry',
      'routes',
      'fallback',
      'app',
      'filters',
      'detection',
      'startsAt',
      'endsAt',
    ].flatMap((field) => wrong.map((value) => ({ ...object, spec: { ...spec, [field]: value } }))),
  ];
  return variants.map((variant, index) => ({
    ...variant,
    // In the operator's namespace all of them count.
    metadata: { ...variant.metadata, namespace: 'tocsin', name: `bad${index}`, uid: `bad${index}` },
  }));
}

test('an object that an older schema let in ends nothing: the others go on, and it says why it does not count', async () => {
  const on = await stage();
  await on.put(provider('oncall'), silence('quiet'));
  await on.listed(...kinds);
  const samples: readonly RawObject[] = [
    provider('x'),
    silence('x'),
    { ...silence('x'), kind: 'MaintenanceWindow', spec: { schedule: '0 2 * * 6' } },
    { ...silence('x'), kind: 'AlertConfig', spec: {} },
  ];
  const bad = samples.flatMap(malformed);
  for (const raw of bad) await on.put(raw);
  await on.clock.advance(70_000);
  assert.equal(on.settings.at(-1)?.providers.find(({ ref }) => ref.endsWith('/oncall'))?.active.is, true);
  assert.ok(on.settings.at(-1)?.silences.some(({ ref }) => ref.endsWith('/quiet')));
  await on.put({ ...silence('broken'), spec: 5 });
  assert.deepEqual(on.status('broken'), ['Ready=False/Invalid', 'Stalled=True/InvalidSpec', 'Active=False/Invalid']);
  await on.operator.stop();
});
