/** A step that throws on what many read, or on what one provider is owed: everybody else is told as without it, and nothing is swallowed. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Throttles } from '../../src/incident/throttle.ts';
import { Faults } from '../../src/model/faults.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { at, explanation, finding, provider, settingsWith, simulation } from './helpers.ts';

const crash = explanation('Deployment/shop/api');
const minor = explanation('Deployment/shop/old', { severity: 'low', members: [finding('Pod/shop/old-1')] });

/** A simulation in which what a step throws on is set aside. */
function guarded(...providers: readonly ProviderSettings[]) {
  const faults = new Faults();
  faults.setAside();
  const sim = simulation(settingsWith({ providers }), new Map(), faults);
  const step: typeof sim.step = (seconds, ...more) => {
    faults.begin(at(seconds));
    return sim.step(seconds, ...more);
  };
  return { ...sim, step, aside: () => [...faults.all()].map(({ step: of, about, by }) => `${of} ${about} ${by}`) };
}

/** An AlertProvider whose `active` throws for whoever reads it from one file, while `isHostile`. */
function throwsFor(file: string, name: string, isHostile: () => boolean): ProviderSettings {
  const plain = provider(name);
  return Object.defineProperty({ ...plain }, 'active', {
    enumerable: true,
    get() {
      if (isHostile() && new Error().stack?.includes(`/${file}:`)) throw new TypeError(`cannot read ${name}`);
      return plain.active;
    },
  });
}

const told = (announcements: readonly { readonly act: string; readonly providers: readonly Ref[] }[]): string[] =>
  announcements.flatMap(({ act, providers }) => providers.map((ref) => `${act} ${ref}`)).sort();

test('who cannot be given a digest is left out, the others read theirs, and it comes once that works', () => {
  let isHostile = true;
  const sim = guarded(
    throwsFor('digest.ts', 'broken', () => isHostile),
    provider('other'),
  );
  sim.start();
  sim.step(15, [minor]);
  sim.told.length = 0;
  sim.step(3 * 3600, [minor, crash]);
  sim.step(3 * 3600 + 60, [minor, crash]);
  const first = told(sim.told);
  assert.ok(first.includes('digest AlertProvider/tocsin/other'), first.join());
  assert.ok(first.includes('open AlertProvider/tocsin/broken'), 'what is no digest reaches it');
  assert.ok(!first.includes('digest AlertProvider/tocsin/broken'));
  assert.deepEqual(sim.aside(), ['list AlertProvider/tocsin/broken digest']);
  isHostile = false;
  sim.told.length = 0;
  sim.step(6 * 3600, [minor, crash]);
  assert.deepEqual(told(sim.told), ['digest AlertProvider/tocsin/broken']);
  assert.deepEqual(sim.aside(), []);
});

test('where it cannot be gathered what a provider is owed, the others are paid', () => {
  const broken = throwsFor('debts.ts', 'broken', () => true);
  const sim = guarded();
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [broken, provider('other')] });
  sim.told.length = 0;
  sim.step(60, [crash]);
  assert.deepEqual(told(sim.told), ['startup AlertProvider/tocsin/other']);
  assert.deepEqual(sim.aside(), ['list AlertProvider/tocsin/broken debts']);
});

const fails = (t: TestContext, method: 'sift' | 'overviews'): void => {
  t.mock.method(Throttles.prototype, method, () => {
    throw new TypeError('no throttle');
  });
};

test('where a storm cannot be weighed, each of its messages goes out by itself', (t) => {
  fails(t, 'sift');
  const sim = guarded(provider('oncall'));
  sim.start();
  const many = Array.from({ length: 30 }, (_, index) =>
    explanation(`Deployment/shop/d${index}`, { members: [finding(`Pod/shop/d${index}-1`)] }),
  );
  sim.step(15, many);
  assert.equal(told(sim.told).filter((line) => line.startsWith('open ')).length, 30);
  assert.deepEqual(sim.aside().sort(), ['list Message//debts debts', 'list Message//messages messages']);
});

test('where overviews cannot be made, everything else is told', (t) => {
  fails(t, 'overviews');
  const sim = guarded(provider('oncall'));
  sim.start();
  assert.equal(sim.step(15, [crash]).length, 1);
  assert.deepEqual(sim.aside(), ['list Message//overviews overviews']);
});
