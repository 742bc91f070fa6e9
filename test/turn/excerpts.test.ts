import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SamplePod } from '../../src/model/explanation.ts';
import type { Incident } from '../../src/model/incident.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { Excerpts } from '../../src/turn/excerpts.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { crashOpening } from '../message/announcements.ts';
import { at, node, pod } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

/** Nodes n1, which is ready, and n2, of which nothing is heard; a Pod on each. */
function excerpts(): Excerpts {
  const world = new WatchedWorld();
  for (const { kind, source } of everyKind)
    world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, 0);
  const lost = node('n2', { ready: 'Unknown' });
  for (const raw of [node('n1'), lost, pod('api-1'), pod('api-2', { node: 'n2' })])
    world.apply(sourceOf(raw), [{ is: 'put', raw }], at(0));
  return new Excerpts(world);
}

const sample: SamplePod = { ref: 'Pod/shop/api-1', container: 'api', previous: true, attempt: 4, ended: true };

/** An incident that settles and whose log would explain it. */
function settling(samplePod: SamplePod = sample, own: Partial<Incident> = {}): Incident {
  const { incident } = crashOpening;
  return { ...incident, state: 'Settling', ...own, explanation: { ...incident.explanation, samplePod } };
}

test('each run of a container is asked for once, a later one anew', () => {
  const asked = excerpts();
  const wanted = (one: SamplePod): number => asked.wanted([settling(one)], [], defaultSettings, at(1)).length;
  assert.deepEqual([wanted(sample), wanted(sample)], [1, 0]);
  assert.deepEqual([wanted({ ...sample, attempt: 5 }), wanted({ ...sample, attempt: 5 })], [1, 0]);
  assert.equal(wanted({ ...sample, attempt: 6, previous: false, ended: false }), 1);
});

test('a hundred incidents of one Pod are one request, and what is part of another incident is none', () => {
  const many = Array.from({ length: 100 }, () => settling());
  assert.equal(excerpts().wanted(many, [], defaultSettings, at(1)).length, 1);
  const folded = Array.from({ length: 100 }, () => settling(sample, { foldedInto: 'another' }));
  assert.deepEqual(excerpts().wanted(folded, [], defaultSettings, at(1)), []);
});

test('nothing is asked of a Node that does not answer, of a Pod that is gone, or when logs are not to be quoted', () => {
  const of = (ref: SamplePod['ref']): Incident => settling({ ...sample, ref });
  assert.deepEqual(excerpts().wanted([of('Pod/shop/api-2'), of('Pod/shop/gone')], [], defaultSettings, at(1)), []);
  const quiet = { ...defaultSettings, evidence: { ...defaultSettings.evidence, logs: false } };
  assert.deepEqual(excerpts().wanted([settling()], [], quiet, at(1)), []);
});

test('lines are kept for the message while the incident lasts, no more of them than it can use', () => {
  const asked = excerpts();
  const [request] = asked.wanted([settling()], [], defaultSettings, at(1));
  assert.ok(request);
  assert.equal(asked.of(sample, at(1)), 'awaited');
  const { previous: _, lines: __, ...run } = request;
  asked.take({
    ...run,
    source: 'log',
    lines: Array.from({ length: 200 }, (___, index) => `${index} ${'x'.repeat(100)}`),
  });
  const found = asked.of(sample, at(1));
  assert.ok(typeof found === 'object' && found.lines.length < 100);
  assert.match(found.lines.at(-1) ?? '', /^199 /);
  const next = asked.of({ ...sample, attempt: 5 }, at(1));
  assert.equal(next, found, 'a container that crashes on and on says the same');
  asked.forget([settling(sample, { state: 'Resolved' })]);
  assert.notEqual(asked.of(sample, at(1)), found);
});

test("one namespace's logs push out its own, not those of another", () => {
  const asked = excerpts();
  const [request] = asked.wanted([settling()], [], defaultSettings, at(1));
  assert.ok(request);
  const { previous: _, lines: __, ...run } = request;
  asked.take({ ...run, source: 'log', lines: ['FATAL: no database'] });
  for (let index = 0; index < 2_000; index += 1)
    asked.take({ ...run, pod: `Pod/flood/noise-${index}`, uid: `${index}`, source: 'log', lines: ['noise'] });
  const found = asked.of(sample, at(1));
  assert.deepEqual(typeof found === 'object' && found.lines, ['FATAL: no database']);
});
