/** A step that throws on one thing is set aside there; everything else is told as without it, and nothing is told as over. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { detectors } from '../../src/detect/catalogue.ts';
import { namedDetectors } from '../../src/detect/named.ts';
import { containerPhrases } from '../../src/message/phrases/workloads/container.ts';
import type { FaultStep } from '../../src/model/faults.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { nameOf, type Ref } from '../../src/model/ref.ts';
import { watchedKind } from '../../src/world/kinds/kinds.ts';
import { fc } from '../fast-check.ts';
import { crashing, healthy, instant, life, nextLife, objects, settingsOf } from './lives.ts';

/** Names of objects on which a step throws: the fault that is put into it. */
type Hostile = Map<string, FaultStep>;

/** Puts a fault into projections, detectors, words and the rules of causes, for objects of these names, until the test ends. */
function sabotage(t: Pick<TestContext, 'after'>): Hostile {
  const hostile: Hostile = new Map();
  const hit = (step: FaultStep, name: string): void => {
    if (hostile.get(name) === step) throw new TypeError(`cannot ${step} ${name}`);
  };
  function wrap<T extends object, K extends keyof T>(row: T, method: K, before: (first: unknown) => void): void {
    const original = row[method];
    if (typeof original !== 'function') assert.fail(String(method));
    const wrapped = (...all: readonly unknown[]): unknown => {
      before(all[0]);
      return Reflect.apply(original, row, all);
    };
    Object.assign(row, { [method]: wrapped });
    t.after(() => void Object.assign(row, { [method]: original }));
  }
  const refOf = (thing: unknown): Ref => (thing as { readonly ref: Ref }).ref;
  const pods = watchedKind('Pod') ?? assert.fail();
  wrap(pods, 'project', (raw) => hit('take', (raw as RawObject).metadata.name));
  for (const row of detectors) wrap(row, 'judge', (object) => hit('judge', nameOf(refOf(object))));
  for (const row of namedDetectors) wrap(row, 'judge', (ref) => hit('judge', nameOf(ref as Ref)));
  wrap(containerPhrases.CrashLoopBackOff, 'happens', (about) => hit('tell', nameOf((about as { root: Ref }).root)));
  return hostile;
}

const names = ['a', 'b', 'c', 'd'] as const;
const steps = ['take', 'judge', 'tell'] as const;

/** What happens: at a second after the last, an object is another one, or a fault begins or ends. */
const happening = fc.record({
  after: fc.constantFrom(20, 60, 200, 700),
  name: fc.constantFrom(...names),
  is: fc.constantFrom('crashing', 'crashing', 'healthy', 'gone'),
});
const faulty = fc.record({
  name: fc.constantFrom('a', 'b'),
  step: fc.constantFrom(...steps),
  from: fc.nat(6),
  to: fc.nat(9),
});

type Happening = { readonly after: number; readonly name: string; readonly is: 'crashing' | 'healthy' | 'gone' };
type Faulty = { readonly name: string; readonly step: FaultStep; readonly from: number; readonly to: number };

/** A life in which this happens; each told line with the second when it was. */
function told(hostile: Hostile, story: readonly Happening[], faults: readonly Faulty[]) {
  const one = life(undefined, true);
  hostile.clear();
  one.start(0, settingsOf(), objects('pods', ...names.map((name) => healthy(name, -900))));
  let now = 100;
  const lines: string[] = [];
  const seen = new Set<string>();
  const note = (): void => {
    for (const line of one.told.splice(0)) lines.push(line);
    for (const { step, about } of one.core.view.faults.all()) seen.add(`${step} ${about}`);
  };
  for (const [index, { after, name, is }] of story.entries()) {
    for (const each of faults) {
      if (each.from === index) hostile.set(each.name, each.step);
      if (each.to === index && hostile.get(each.name) === each.step) hostile.delete(each.name);
    }
    one.until(now + after);
    now += after;
    const raw = is === 'crashing' ? crashing(name, now - 1) : healthy(name, now - 1);
    if (is === 'gone') one.turn(now, { kind: 'objects', source: 'pods', events: [{ is: 'gone', raw }] });
    else one.turn(now, objects('pods', raw));
    note();
  }
  one.until(now + 3_000);
  note();
  hostile.clear();
  return { lines, seen, core: one.core };
}

const isOf = (line: string, victims: ReadonlySet<string>): boolean => victims.has(line.slice(-1));

test('whatever throws on whichever object, all others are told as if nothing had, and a second run tells the same', (t) => {
  const hostile = sabotage(t);
  let faults = 0;
  fc.assert(
    fc.property(
      fc.array(happening, { minLength: 4, maxLength: 12, size: 'max' }),
      fc.array(faulty, { minLength: 1, maxLength: 3 }),
      (story, bad) => {
        const victims = new Set(bad.map(({ name }) => name));
        const withFaults = told(hostile, story, bad);
        const without = told(hostile, story, []);
        assert.deepEqual(
          withFaults.lines.filter((line) => !isOf(line, victims)),
          without.lines.filter((line) => !isOf(line, victims)),
        );
        assert.deepEqual(told(hostile, story, bad).lines, withFaults.lines);
        for (const fault of withFaults.seen) assert.ok(isOf(fault, victims), fault);
        assert.equal(without.seen.size, 0);
        faults += withFaults.seen.size;
      },
    ),
    { numRuns: 100 },
  );
  assert.ok(faults > 30, String(faults));
});

/** A life in which `api` crashes and that was told. */
function toldOfApi(setsAside = true) {
  const one = life(undefined, setsAside);
  one.start(0, settingsOf(), objects('pods', healthy('api', -900), healthy('web', -900)));
  one.turn(100, objects('pods', crashing('api', 99)));
  one.until(300);
  assert.deepEqual(one.told, ['open Pod/shop/api']);
  return one;
}

for (const step of ['take', 'judge'] as const)
  test(`an incident whose object cannot be ${step === 'take' ? 'read' : 'judged'} is not over, and is once that works again`, (t) => {
    const hostile = sabotage(t);
    const one = toldOfApi();
    hostile.set('api', step);
    one.turn(400, objects('pods', healthy('api', 399)));
    one.until(4_000);
    assert.deepEqual([one.told, one.incidents()], [['open Pod/shop/api'], ['Open Pod/shop/api']]);
    assert.ok([...one.core.view.faults.all()].every((fault) => fault.step === step && fault.about === 'Pod/shop/api'));
    hostile.clear();
    // What only could not be judged is tried again by itself.
    if (step === 'take') one.turn(4_100, objects('pods', healthy('api', 399)));
    one.until(7_000);
    assert.deepEqual(one.told, ['open Pod/shop/api', 'resolve Pod/shop/api']);
    assert.deepEqual([...one.core.view.faults.all()], []);
  });

for (const step of ['take', 'judge'] as const)
  test(`after a restart, too, what cannot be ${step === 'take' ? 'read' : 'judged'} is not over`, (t) => {
    const hostile = sabotage(t);
    const saved = toldOfApi().kill();
    hostile.set('api', step);
    const after = nextLife(saved, 600, true);
    after.start(600, settingsOf(), objects('pods', healthy('api', 590), healthy('web', -900)));
    after.until(4_000);
    assert.deepEqual([after.told, after.incidents()], [[], ['Open Pod/shop/api']]);
  });

test('an object that cannot be read is not taken for one that is missing, and its end is heard of', (t) => {
  const hostile = sabotage(t);
  const one = life(undefined, true);
  hostile.set('new', 'take');
  one.start(0, settingsOf(), objects('pods', healthy('web', -900)));
  one.turn(10, objects('pods', healthy('new', 5)));
  assert.equal(one.core.view.world.get('Pod/shop/new'), 'unknown');
  assert.deepEqual(
    [...one.core.view.world.keys('Pod')].map(({ name, uid }) => [name, uid]),
    [
      ['web', 'web'],
      ['new', 'new'],
    ],
  );
  one.turn(20, { kind: 'objects', source: 'pods', events: [{ is: 'gone', raw: healthy('new', 5) }] });
  assert.equal(one.core.view.world.get('Pod/shop/new'), 'absent');
  assert.deepEqual([...one.core.view.faults.all()], []);
});

test('a message without words is told in plain ones', (t) => {
  const hostile = sabotage(t);
  const one = life(undefined, true);
  hostile.set('api', 'tell');
  one.start(0, settingsOf(), objects('pods', healthy('api', -900)));
  one.turn(100, objects('pods', crashing('api', 99)));
  one.until(300);
  assert.deepEqual(one.told, ['open Pod/shop/api']);
  const [waiting] = one.store.outbox();
  assert.equal(waiting?.delivery.notification.title, 'Pod shop/api: CrashLoopBackOff');
  assert.match(one.leads[0] ?? '', /^This fails\. Tocsin could not find better words/);
});

test('who asks why is not told that nothing is wrong with what could not be judged', (t) => {
  const hostile = sabotage(t);
  const one = life(undefined, true);
  one.start(0, settingsOf(), objects('pods', healthy('api', -900)));
  const says = (): readonly string[] | undefined => {
    const why = one.core.view.why({ object: 'pod/shop/api' }, instant(20), instant(20));
    return 'says' in why ? why.says : undefined;
  };
  for (const [step, second] of [['judge', 10] as const, ['take', 15] as const]) {
    hostile.set('api', step);
    one.turn(second, objects('pods', { ...healthy('api', second) }));
    assert.match(says()?.join(' ') ?? '', /^Tocsin could not judge all of it/);
  }
  hostile.clear();
  one.turn(18, objects('pods', healthy('api', 16)));
  assert.deepEqual(says(), ['Nothing is wrong with it, as far as Tocsin can see.']);
});

test('each is said once, however often it is tried again', (t) => {
  const hostile = sabotage(t);
  const one = toldOfApi();
  hostile.set('api', 'judge');
  one.turn(400, objects('pods', crashing('api', 399)));
  const fresh = one.core.view.faults.takeFresh();
  assert.ok(fresh.length > 10, 'one for each detector of Pods');
  one.until(8_000);
  one.turn(8_000, objects('pods', crashing('api', 7_999)));
  assert.deepEqual(one.core.view.faults.takeFresh(), []);
  hostile.clear();
  one.until(9_000);
  assert.deepEqual([...one.core.view.faults.all()], []);
});

test('detectors that throw leave what another one finds of the same object', (t) => {
  const broken = detectors.filter(
    ({ judges, reasons }) => judges === 'Pod' && !reasons.some(({ reason }) => reason === 'CrashLoopBackOff'),
  );
  for (const row of broken) {
    const { judge } = row;
    Object.assign(row, { judge: () => assert.fail('broken') });
    t.after(() => void Object.assign(row, { judge }));
  }
  const one = toldOfApi();
  const set = new Set(Array.from(one.core.view.faults.all(), ({ by }) => by));
  assert.deepEqual(set, new Set(broken.map(({ id }) => id)));
});

test('where nobody asks for it, an exception is thrown on', (t) => {
  const hostile = sabotage(t);
  const one = toldOfApi(false);
  hostile.set('api', 'judge');
  assert.throws(() => one.turn(400, objects('pods', crashing('api', 399))), /cannot judge api/);
});
