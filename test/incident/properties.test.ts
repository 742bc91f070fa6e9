import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Announcement } from '../../src/model/announcement.ts';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { endedAs, isAbout, provider, settingsWith, silence, simulation, toldTo, window } from './helpers.ts';
import { state } from './states.ts';

const story = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), state), { minLength: 1, maxLength: 25 });

const settings = fc.constantFrom<Partial<Settings>>(
  {},
  { filters: { namespaces: ['!pay'], reasons: [] } },
  { filters: { namespaces: [], reasons: ['!NodeNotReady'] } },
  { silences: [silence('quiet', { namespaces: ['shop'] }, 500, 2000)] },
  { providers: [provider('oncall'), provider('team', { namespace: 'shop' })] },
  { edition: 'Pro', windows: [window('work', { namespaces: ['shop'] }, 500, 2000)] },
  {
    edition: 'Pro',
    providers: [
      provider('pager', { routes: [{ severities: ['critical'] }] }),
      provider('shop', { routes: [{ namespaces: ['shop'] }, { kinds: ['Node'] }] }),
      provider('team', { namespace: 'shop', routes: [{ names: ['a'] }] }),
    ],
    silences: [silence('quiet', { names: ['a'] }, 500, 2000)],
  },
);

function play(timeline: readonly (readonly [number, readonly Explanation[]])[], options: Partial<Settings>) {
  const sim = simulation(settingsWith(options));
  sim.start();
  let now = 0;
  for (const [seconds, explanations] of timeline) {
    now += seconds;
    sim.step(now, explanations);
  }
  // Everything is well from here on; as many steps as the incidents ask for, within reason.
  sim.step(now + 1, []);
  for (let round = 0; round < 20; round += 1) {
    now += 3600;
    sim.step(now, []);
  }
  return sim;
}

test('whatever happens, when everything is well every incident ends, and nobody waits for the end of one', () => {
  fc.assert(
    fc.property(story, settings, (timeline, options) => {
      const sim = play(timeline, options);
      assert.ok(sim.all().every(({ state: is }) => is === 'Resolved'));
      const heard = new Map<string, string[]>();
      for (const announcement of sim.told.filter(isAbout))
        for (const ref of announcement.providers) {
          const key = `${announcement.incident.id} ${ref}`;
          heard.set(key, [...(heard.get(key) ?? []), announcement.act]);
        }
      for (const [key, acts] of heard)
        assert.match(acts.join(' '), /^open( update)* resolve( reopen( update)* resolve)*$/, key);
    }),
    { numRuns: runs(75), seed: 2026 },
  );
});

test('the order of messages of an incident can be told by its revision, for every provider', () => {
  fc.assert(
    fc.property(story, settings, (timeline, options) => {
      const last = new Map<string, number>();
      for (const { incident, providers } of play(timeline, options).told.filter(isAbout))
        for (const ref of providers) {
          const key = `${incident.id} ${ref}`;
          assert.ok(incident.revision > (last.get(key) ?? 0), key);
          last.set(key, incident.revision);
        }
    }),
    { numRuns: runs(30), seed: 2026 },
  );
});

test('the same inputs give the same decisions and messages', () => {
  fc.assert(
    fc.property(story, settings, (timeline, options) => {
      const [one, two] = [play(timeline, options), play(timeline, options)];
      assert.deepEqual(one.told, two.told);
      assert.deepEqual(one.decisions, two.decisions);
      assert.deepEqual(one.all(), two.all());
    }),
    { numRuns: runs(15), seed: 2026 },
  );
});

test('in maintenance nobody hears of anything but ends; when it is over, of all that is still open', () => {
  fc.assert(
    fc.property(state, story, (atStart, timeline) => {
      const sim = simulation(settingsWith({ edition: 'Pro', windows: [window('work', {}, 500, 2000)] }));
      sim.start(atStart);
      let now = 0;
      let wasOpen = false;
      for (const [seconds, explanations] of timeline) {
        now += seconds;
        const told = sim.step(now, explanations);
        const isOpen = now >= 500 && now < 2000;
        if (isOpen)
          assert.ok(
            told.every((each) => each.startsWith('resolve') || each.includes('closing')),
            told.join(),
          );
        if (wasOpen && !isOpen)
          for (const incident of sim.all()) {
            const { state: is, standings, explanation: what } = incident;
            if (is !== 'Open') continue;
            const { listed = [] } = incident.hearings.oncall ?? {};
            const { disposition } = standings[''] ?? {};
            const isLow = what.severity === 'low' && disposition === 'Digested';
            assert.ok(isLow || toldTo(incident).includes('oncall') || listed.length > 0 || disposition === 'Folded');
          }
        wasOpen = isOpen;
      }
    }),
    { numRuns: runs(100), seed: 2026 },
  );
});

test('two open incidents never share a key', () => {
  fc.assert(
    fc.property(story, (timeline) => {
      const sim = simulation();
      sim.start();
      let now = 0;
      for (const [seconds, explanations] of timeline) {
        now += seconds;
        sim.step(now, explanations);
        const open = sim.all().filter(({ state: is }) => is === 'Open' || is === 'Recovering');
        assert.equal(new Set(open.map(({ alertKey }) => alertKey)).size, open.length);
      }
    }),
    { numRuns: runs(30), seed: 2026 },
  );
});

test('as long as a step is run whenever one is asked for, no step in between changes anything', () => {
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 6 }), (states) => {
      const sim = simulation();
      sim.start();
      let now = 0;
      for (const explanations of states) {
        now += 10;
        sim.step(now, explanations);
        const { wakeAt } = sim.last();
        const before = sim.all();
        if (wakeAt === undefined || wakeAt <= Date.parse('2026-11-20T08:00:00Z') + (now + 2) * 1000) continue;
        assert.deepEqual(sim.step(now + 1, explanations), []);
        assert.deepEqual(sim.all(), before);
      }
    }),
    { numRuns: runs(30), seed: 2026 },
  );
});

/** What becomes of one of two providers: it is suspended, broken, passed over, edited, made anew under its name, or deleted. */
const fate = fc.constantFrom(
  'active',
  'Suspended',
  'Invalid',
  'CommunityLimit',
  'edited',
  'anew',
  'deleted',
  'refuses',
);

test('whatever becomes of a provider, whoever heard of an incident hears of its end once it can, and none twice', () => {
  const chapters = fc.array(fc.tuple(fc.integer({ min: 1, max: 600 }), state, fate), { minLength: 3, maxLength: 25 });
  const kinds: Traits = new Map([['pagerduty', { plain: 'alert', family: 'pager', closesByKey: false }]]);
  fc.assert(
    fc.property(chapters, fc.constantFrom('pagerduty', 'webhook'), (timeline, type) => {
      const sim = simulation(settingsWith({ providers: [provider('oncall', { type })] }), kinds);
      sim.start();
      const heard = new Map<string, string[]>();
      let uid = 'first';
      let generation = 1;
      let now = 0;
      let answers: DeliveryReport[] = [];
      const step = (seconds: number, explanations: readonly Explanation[], refuses: boolean): void => {
        now += seconds;
        const reports = answers;
        answers = [];
        sim.told.length = 0;
        sim.step(now, explanations, { reports });
        for (const announcement of sim.told) {
          if (refuses) {
            answers.push(...refusalsOf(announcement, uid));
            continue;
          }
          answers.push(...refusalsOf(announcement, uid).map((report) => ({ ...report, ended: 'delivered' as const })));
          if (isAbout(announcement)) note(heard, `${announcement.incident.id} ${uid}`, announcement.act);
          else if (announcement.act === 'startup' && announcement.phase === 'opening')
            for (const { id, hearings } of sim.all())
              if (hearings[uid]?.sending?.some(({ summary }) => summary === announcement.id))
                note(heard, `${id} ${uid}`, heard.get(`${id} ${uid}`)?.at(-1) === 'resolve' ? 'reopen' : 'open');
        }
      };
      for (const [index, [seconds, explanations, becomes]] of timeline.entries()) {
        if (becomes === 'anew' || becomes === 'deleted') uid = `again-${index}`;
        if (becomes === 'edited') generation += 1;
        const inactive = becomes === 'Suspended' || becomes === 'Invalid' || becomes === 'CommunityLimit';
        const active = inactive ? ({ is: false, reason: becomes } as const) : undefined;
        const one = provider('oncall', { type, uid, generation, ...(active && { active }) });
        sim.set({ providers: becomes === 'deleted' ? [] : [one] });
        step(seconds, explanations, becomes === 'refuses');
      }
      sim.set({ providers: [provider('oncall', { type, uid, generation: generation + 1 })] });
      for (let round = 0; round < 20; round += 1) step(round === 0 ? 1 : 3600, [], false);
      for (const [key, acts] of heard) {
        assert.match(acts.join(' '), /^(open|update)( update)*( resolve (reopen|open)( update)*)*( resolve)?$/, key);
        if (key.endsWith(` ${uid}`)) assert.equal(acts.at(-1), 'resolve', `${key}: ${acts.join(' ')}`);
      }
    }),
    { numRuns: runs(150), seed: 2026 },
  );
});

function note(heard: Map<string, string[]>, key: string, act: string): void {
  heard.set(key, [...(heard.get(key) ?? []), act]);
}

/** The product refuses it for good. */
function refusalsOf(announcement: Announcement, uid: string): DeliveryReport[] {
  const stream = isAbout(announcement) ? announcement.incident.id : announcement.id;
  const sequence = isAbout(announcement) ? announcement.incident.revision : 1;
  return announcement.providers.map((ref) => endedAs({ ref, uid }, stream, announcement.act, { sequence, at: 0 }));
}
