import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation, ExplanationPart } from '../../src/model/explanation.ts';
import type { Incident } from '../../src/model/incident.ts';
import { namespaceOf, type Ref, refOf } from '../../src/model/ref.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { EvidenceRequest } from '../../src/model/turn.ts';
import { Excerpts } from '../../src/turn/excerpts.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { crashOpening, finding } from '../message/announcements.ts';
import { at, ended, node, pod, waiting } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

/** So many are read at once, and one more every half second. */
const burst = 20;

/** Bare Pods that crash, each a workload of its own, by namespace. */
function crashing(counts: Readonly<Record<string, number>>) {
  const world = new WatchedWorld();
  for (const { kind, source } of everyKind)
    world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, 0);
  const pods = Object.entries(counts).flatMap(([namespace, count]) =>
    Array.from({ length: count }, (_, index) => refOf('Pod', namespace, `app-${String(index).padStart(3, '0')}`)),
  );
  const put = (ref: Ref, restartCount: number): void => {
    const last = ended(at(0), at(0, 3), 1);
    const statuses = [waiting('api', 'CrashLoopBackOff', 'back-off', { restartCount, lastState: last })];
    const raw = pod(ref.slice(ref.lastIndexOf('/') + 1), { namespace: namespaceOf(ref), statuses });
    world.apply(sourceOf(raw), [{ is: 'put', raw }], at(0));
  };
  const n1 = node('n1');
  world.apply(sourceOf(n1), [{ is: 'put', raw: n1 }], at(0));
  for (const ref of pods) put(ref, 2);
  return { excerpts: new Excerpts(world), pods, put };
}

const partOf = (ref: Ref): ExplanationPart => {
  const own = finding({ ref, labels: {}, node: 'n1' }, 'CrashLoopBackOff', { container: 'api' });
  return { root: own.subject, reason: 'CrashLoopBackOff', severity: 'high', members: [own] };
};

/** An incident of a Secret that holds some workloads; nobody reads a log of the Secret. */
function holding(pods: readonly Ref[], own: Partial<Incident> = {}, parts = pods.map(partOf)): Incident {
  const { incident } = crashOpening;
  const { samplePod: _, ...rest } = incident.explanation;
  const explanation: Explanation = { ...rest, root: { ref: 'Secret/shop/login', labels: {} }, parts };
  return { ...incident, state: 'Open', ...own, explanation };
}

const podsIn = (requests: readonly EvidenceRequest[]): Ref[] => requests.map((request) => request.pod);
const changed = (excerpts: Excerpts, incidents: readonly Incident[], now = at(1)): Ref[] =>
  podsIn(excerpts.wanted([], incidents, defaultSettings, now));

test('one Pod of each workload that an incident holds is read, whether it settles, is open or was there at the start', () => {
  const { excerpts, pods } = crashing({ shop: 3 });
  const [first, second, third] = pods.map((ref) => [ref]);
  assert.ok(first && second && third);
  assert.deepEqual(podsIn(excerpts.wanted([holding(first, { state: 'Settling' })], [], defaultSettings, at(1))), first);
  assert.deepEqual(changed(excerpts, [holding(second)]), second);
  assert.deepEqual(changed(excerpts, [holding(third, { baseline: true })]), third);
});

test('each run of it is read once, and one that is held later as soon as it is', () => {
  const { excerpts, pods, put } = crashing({ shop: 2 });
  const [first, second] = pods;
  assert.ok(first && second);
  assert.deepEqual(changed(excerpts, [holding([first])]), [first]);
  assert.deepEqual(changed(excerpts, [holding([first])]), []);
  assert.deepEqual(changed(excerpts, [holding([first, second])]), [second]);
  put(first, 3);
  assert.deepEqual(changed(excerpts, [holding([first, second])]), [first]);
});

test('nothing is read of what is over, is part of another incident, or when logs are not to be read', () => {
  const { excerpts, pods } = crashing({ shop: 1 });
  const unread = [holding(pods, { state: 'Resolved' }), holding(pods, { foldedInto: 'another' })];
  assert.deepEqual(changed(excerpts, unread), []);
  const quiet = { ...defaultSettings, evidence: { ...defaultSettings.evidence, logs: false } };
  assert.deepEqual(excerpts.wanted([], [holding(pods)], quiet, at(1)), []);
});

test('many in one namespace keep none of another waiting, and those that are left are read at a rate', () => {
  const { excerpts, pods } = crashing({ loud: 100, quiet: 2 });
  const incident = holding(pods);
  const atOnce = changed(excerpts, [incident]);
  assert.equal(atOnce.length, burst);
  assert.deepEqual(atOnce.filter((ref) => namespaceOf(ref) === 'quiet').length, 2);
  assert.deepEqual(atOnce.slice(0, 4).map(namespaceOf), ['loud', 'quiet', 'loud', 'quiet']);
  const read = new Set(atOnce);
  let [turns, now] = [0, at(1)];
  for (let wakeAt = excerpts.wakeAt(now); wakeAt !== undefined; wakeAt = excerpts.wakeAt(now)) {
    now = wakeAt;
    const more = changed(excerpts, [], now);
    assert.equal(more.length, 1, 'not more than the rate');
    for (const ref of more) read.add(ref);
    turns += 1;
    assert.ok(turns < 200);
  }
  assert.deepEqual([read.size, now], [102, at(1) + 82 * 500]);
});

test('an incident that begins is read before those that another holds', () => {
  const { excerpts, pods } = crashing({ shop: 3 });
  const [first, ...others] = pods;
  assert.ok(first);
  const { incident } = crashOpening;
  const samplePod = { ref: first, container: 'api', previous: true, attempt: 2, ended: true };
  const own: Incident = { ...incident, state: 'Settling', explanation: { ...incident.explanation, samplePod } };
  assert.deepEqual(podsIn(excerpts.wanted([own], [holding(others)], defaultSettings, at(1))), [first, ...others]);
});

test('what was read while another held it is not asked for again once it has an incident of its own', () => {
  const { excerpts, pods } = crashing({ shop: 1 });
  const [request] = excerpts.wanted([], [holding(pods)], defaultSettings, at(1));
  assert.ok(request);
  const { previous, lines: _, ...run } = request;
  excerpts.take({ ...run, source: 'log', lines: ['panic: seat map'] });
  const samplePod = { ref: request.pod, container: 'api', previous, attempt: request.attempt, ended: request.ended };
  const { incident } = crashOpening;
  const own: Incident = { ...incident, state: 'Settling', explanation: { ...incident.explanation, samplePod } };
  assert.deepEqual(excerpts.wanted([own], [], defaultSettings, at(2)), []);
  const found = excerpts.of(samplePod, at(2));
  assert.deepEqual(typeof found === 'object' && found.lines, ['panic: seat map']);
});
