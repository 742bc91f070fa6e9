/** Whatever happens to a cluster, to those who are told and to what is muted: everybody is told once, and of every end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ExplanationPart } from '../../src/model/explanation.ts';
import type { Decision, Incident } from '../../src/model/incident.ts';
import { selectorMatches, selectorMismatch } from '../../src/model/selector.ts';
import { searched } from '../runs.ts';
import { AnyLife, type Happening, type Heard, pods, providerNames, selectors } from './any-life.ts';

const after = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 40, max: 600 }), fc.constant(1_300));
const picked = fc.constantFrom(...(Object.keys(selectors) as (keyof typeof selectors)[]));

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ after, is: fc.constant('pod' as const), name: fc.constantFrom(...pods) },
      health: fc.constantFrom('healthy' as const, 'crashing' as const, 'withoutSecret' as const, 'gone' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      after,
      is: fc.constant('node' as const),
      node: fc.constantFrom('n1' as const, 'n2' as const),
      ready: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      after,
      is: fc.constantFrom('silence' as const, 'window' as const, 'filter' as const),
      of: picked,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      is: fc.constant('severity' as const),
      to: fc.constantFrom('low' as const, 'critical' as const, 'usual' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ after, is: fc.constant('provider' as const), name: fc.constantFrom(...providerNames) },
      fate: fc.constantFrom(...(['works', 'works', 'suspended', 'unusable', 'refuses', 'deleted', 'anew'] as const)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ after, is: fc.constant('restart' as const), saved: fc.constant(true) }) },
);
const lives = fc.array(happening, { minLength: 3, maxLength: 30 });

/** What each provider heard of each incident, in order. Lists are not about one. */
function storiesOf({ heard }: AnyLife): ReadonlyMap<string, readonly Heard[]> {
  return Map.groupBy(
    heard.filter(({ notification }) => notification.incident !== undefined),
    ({ uid, delivery }) => `${uid} ${delivery.stream}`,
  );
}

const isListed = ({ heard }: AnyLife, uid: string): boolean =>
  heard.some(({ uid: who, notification }) => who === uid && notification.list !== undefined);

/** What happens, then everything gets healthy and hours pass. */
function lived(happenings: readonly Happening[]): AnyLife {
  const life = new AnyLife();
  for (const each of happenings) life.happen(each);
  life.recover();
  return life;
}

function assertTold(life: AnyLife): void {
  for (const [key, messages] of storiesOf(life)) {
    const [uid = ''] = key.split(' ');
    const acts = messages.map(({ delivery }) => delivery.act).join(' ');
    const told = `${key}: ${acts}\n${messages.map(({ at, notification }) => `${at} ${notification.title}`).join('\n')}`;
    // A list may have been the opening, and the return.
    const pattern = isListed(life, uid)
      ? /^(?:(?:open|reopen|update)(?: update)*|resolve)(?: (?:reopen|open|update|(?<!resolve )resolve))*$/
      : /^open(?: update)*(?: resolve (?:reopen|open)(?: update)*)*(?: resolve)?$/;
    assert.match(acts, pattern, told);
    assert.doesNotMatch(acts, /open(?: update)* (?:re)?open/, told);
    if (life.uids.has(uid)) assert.match(acts, /resolve$/, told);
  }
}

function assertClosed({ core, uids }: AnyLife): void {
  for (const { state, toldTo, endToldTo = [], explanation } of core.view.incidents()) {
    assert.equal(state, 'Resolved', explanation.root.ref);
    for (const uid of toldTo)
      assert.ok(!uids.has(uid) || endToldTo.includes(uid), `${explanation.root.ref} is open at ${uid}`);
  }
}

test('whatever happens, once everything is healthy whoever heard of an incident has heard of its end, once', () => {
  fc.assert(
    fc.property(lives, (happenings) => {
      const life = lived(happenings);
      assertTold(life);
      assertClosed(life);
    }),
    searched(60),
  );
});

/** What of an incident would be told by itself: its own root, and the share of each workload. */
function sharesOf({ explanation }: Incident): readonly ExplanationPart[] {
  return [explanation, ...(explanation.parts ?? [])];
}

test('whatever is muted, what is not muted is told: a muted cause hides none of what it breaks', () => {
  let shares = 0;
  const assertHeard = (life: AnyLife): void => {
    const { filters, silences, windows } = life.settings();
    for (const incident of life.core.view.incidents()) {
      if (incident.state !== 'Open' || incident.foldedInto !== undefined || incident.baseline) continue;
      const free = sharesOf(incident).filter(({ root, reason, severity, members }) => {
        const affected = members.map(({ subject }) => subject).filter(({ ref }) => ref !== root.ref);
        const face = { root, reason, severity, affected };
        const muted = [...silences, ...windows].some(({ selector }) => selectorMatches(selector, face));
        return !muted && selectorMismatch(filters, face) === undefined;
      });
      if (free.length === 0 || incident.explanation.severity === 'low') continue;
      shares += 1;
      const { disposition } = incident.standings[''] ?? {};
      assert.equal(
        disposition,
        'Delivered',
        `${incident.explanation.root.ref}: ${free.map(({ root }) => root.ref).join()}`,
      );
    }
  };
  fc.assert(
    fc.property(lives, (happenings) => {
      const life = new AnyLife();
      for (const each of happenings) {
        life.happen(each);
        assertHeard(life);
      }
    }),
    searched(40),
  );
  assert.ok(shares > 100, `${shares} times`);
});

/** What is decided anew of what was decided before: a provider that came back, a request. */
const retold = new Set(['ProviderInactive', 'ProviderUsableAgain', 'Redelivered', 'RouteMatched']);
const told = new Set<Decision['action']>(['open', 'update', 'resolve', 'reopen']);

test('every opening, update and resolution has one disposition for each audience, and updates have news', () => {
  fc.assert(
    fc.property(lives, (happenings) => {
      const life = lived(happenings);
      for (const { now, decisions } of life.turns) {
        const own = decisions.filter(({ action, reasonCode }) => told.has(action) && !retold.has(reasonCode));
        const keys = own.map(({ incident, audience }) => `${incident} ${audience}`);
        assert.equal(new Set(keys).size, keys.length, `${now} s: ${JSON.stringify(own)}`);
      }
      for (const messages of storiesOf(life).values())
        messages.forEach(({ delivery: { act }, notification: { severity, note, incident, lead } }, index) => {
          const before = messages[index - 1]?.notification;
          if (act !== 'update' || before?.incident === undefined || note !== undefined) return;
          const grown = (incident?.affected.count ?? 0) >= 10 * before.incident.affected.count;
          const isNews = severity !== before.severity || incident?.root !== before.incident.root || grown;
          assert.ok(isNews, `nothing new: ${lead}`);
        });
      // Each thing that happens may open one incident and end another, for each who is told; the rest is summaries.
      const most = 3 * (2 * happenings.length + 10);
      assert.ok(
        life.heard.length <= most,
        `${life.heard.length} messages of ${happenings.length} things that happened`,
      );
    }),
    searched(60),
  );
});
