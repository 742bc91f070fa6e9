/** Whatever happens to a cluster, to those who are told and to what is muted: everybody is told once, and of every end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplanationPart } from '../../src/model/explanation.ts';
import { shortHash } from '../../src/model/hash.ts';
import { awaitsEnd } from '../../src/model/hearing.ts';
import type { Decision, Incident } from '../../src/model/incident.ts';
import { selectorMatches, selectorMismatch } from '../../src/model/selector.ts';
import type { Input } from '../../src/model/turn.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import {
  AnyLife,
  type Happening,
  type Heard,
  type ProviderName,
  pods,
  providerNames,
  routes,
  selectors,
} from './any-life.ts';

const after = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 40, max: 600 }), fc.constant(1_300));
const picked = fc.constantFrom(...(Object.keys(selectors) as (keyof typeof selectors)[]));

const ofCluster: readonly fc.WeightedArbitrary<Happening>[] = [
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
      ...{ after, is: fc.constant('node' as const), node: fc.constantFrom('n1' as const, 'n2' as const) },
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
      ...{ after, is: fc.constant('severity' as const) },
      to: fc.constantFrom('low' as const, 'critical' as const, 'usual' as const),
    }),
  },
];
const ofProviders: readonly fc.WeightedArbitrary<Happening>[] = [
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ after, is: fc.constant('provider' as const), name: fc.constantFrom(...providerNames) },
      fate: fc.constantFrom(
        ...(['works', 'works', 'suspended', 'unusable', 'refuses', 'silent', 'deleted', 'anew'] as const),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ after, is: fc.constant('routes' as const), name: fc.constantFrom(...providerNames) },
      to: fc.constantFrom(...(Object.keys(routes) as (keyof typeof routes)[])),
    }),
  },
];
/** A stop and a start; saved state may be gone then. */
const restart = (...saved: readonly boolean[]): fc.WeightedArbitrary<Happening> => {
  return { weight: 2, arbitrary: fc.record({ after, is: fc.constant('restart'), saved: fc.constantFrom(...saved) }) };
};
const happening = fc.oneof(...ofCluster, ...ofProviders, restart(true, true, false));
const lives = fc.array(happening, { minLength: 3, maxLength: 30 });

/** What each provider heard of each incident, in order. Lists are not about one. */
function storiesOf({ heard }: AnyLife): ReadonlyMap<string, readonly Heard[]> {
  return Map.groupBy(
    heard.filter(({ notification }) => notification.incident !== undefined),
    ({ uid, delivery, life }) => `${uid} ${life} ${delivery.stream}`,
  );
}

/** Whether a list told somebody of something, by the process that ran then. */
const isListed = ({ heard }: AnyLife, uid: string, life: number): boolean =>
  heard.some((each) => each.uid === uid && each.life === life && each.notification.list !== undefined);

/** What happens, then everything gets healthy and hours pass. */
function lived(happenings: readonly Happening[]): AnyLife {
  const life = new AnyLife();
  for (const each of happenings) life.happen(each);
  life.recover();
  return life;
}

function assertTold(life: AnyLife): void {
  for (const [key, messages] of storiesOf(life)) {
    const [uid = '', process = ''] = key.split(' ');
    const acts = messages.map(({ delivery }) => delivery.act).join(' ');
    const told = `${key}: ${acts}\n${messages.map(({ at, notification }) => `${at} ${notification.title}`).join('\n')}`;
    // A list may have been the opening, and the return. What an earlier process opened at a pager is closed by its key, unknown as it is.
    // A fallback may be told of an end alone.
    const mayHold = (uid.startsWith('uid-pager') && process !== '0') || uid.startsWith('uid-spare');
    const pattern =
      mayHold || isListed(life, uid, Number(process))
        ? /^(?:(?:open|reopen|update)(?: update)*|resolve)(?: (?:reopen|open|update|(?<!resolve )resolve))*$/
        : /^open(?: update)*(?: resolve (?:reopen|open)(?: update)*)*(?: resolve)?$/;
    assert.match(acts, pattern, told);
    assert.doesNotMatch(acts, /open(?: update)* (?:re)?open/, told);
    // A process that knows nothing of it cannot tell its end.
    if (life.uids.has(uid) && Number(process) === life.forgets) assert.match(acts, /resolve$/, told);
  }
}

function assertClosed({ core, uids }: AnyLife): void {
  for (const { state, hearings, explanation } of core.view.incidents()) {
    assert.equal(state, 'Resolved', explanation.root.ref);
    for (const [uid, hearing] of Object.entries(hearings))
      assert.ok(!uids.has(uid) || !awaitsEnd(hearing), `${explanation.root.ref} is open at ${uid}`);
  }
}

test('whatever happens, once everything is healthy whoever heard of an incident has heard of its end, once', () => {
  fc.assert(
    fc.property(lives, (happenings) => {
      const life = lived(happenings);
      assertTold(life);
      assertClosed(life);
    }),
    { numRuns: runs(120) },
  );
});

/** What a provider should know of and does not, in words: it goes to it, nothing holds it back, and neither message nor list has named it. */
function unknownTo(life: AnyLife, names: readonly ProviderName[]): readonly string[] {
  const uids = names.flatMap((name) => life.uidOf(name) ?? []);
  const [meant = ''] = uids;
  return [...life.core.view.incidents()].flatMap(({ state, standings, takenBy = [], hearings, explanation }) => {
    if (state !== 'Open' || standings['']?.disposition !== 'Delivered' || !takenBy.includes(meant)) return [];
    const isKnown = uids.some((uid) => {
      const { knows = 'nothing', listed = [] } = hearings[uid] ?? {};
      return knows === 'open' || listed.length > 0;
    });
    return isKnown ? [] : [`${names.join(' and ')}: ${explanation.root.ref}`];
  });
}

test('what a provider cannot be told its fallback hears within minutes, and the provider itself once it answers', () => {
  let silent = 0;
  const fates = fc.constantFrom('silent' as const, 'refuses' as const);
  const names = fc.constantFrom('oncall' as const, 'pager' as const);
  fc.assert(
    fc.property(
      names,
      fates,
      fc.array(happening, { maxLength: 12 }),
      fc.array(fc.oneof(...ofCluster), { minLength: 1, maxLength: 8 }),
      (name, fate, before, then) => {
        const life = new AnyLife();
        for (const each of before) life.happen(each);
        life.happen({ after: 1, is: 'provider', name: 'spare', fate: 'works' });
        life.happen({ after: 1, is: 'provider', name, fate: 'works' });
        life.happen({ after: 1, is: 'provider', name, fate });
        for (const each of then) life.happen(each);
        for (let minute = 0; minute < 10; minute += 1) life.happen({ after: 60, is: 'nothing' });
        silent += unknownTo(life, [name]).length;
        assert.deepEqual(unknownTo(life, [name, 'spare']), []);
        life.happen({ after: 1, is: 'provider', name, fate: 'works' });
        for (let minute = 0; minute < 10; minute += 1) life.happen({ after: 60, is: 'nothing' });
        assert.deepEqual(unknownTo(life, [name]), []);
      },
    ),
    { numRuns: runs(80) },
  );
  assert.ok(silent > 10, `${silent} times`);
});

/** A Pod crashes and is told; then, once a process has forgotten it, it becomes part of what its Node does, and a Silence ends. */
const crashed: Happening[] = [{ after: 40, is: 'pod', name: 'shop/a', health: 'crashing' }];
const thenOfItsNode: Happening[] = [
  { after: 40, is: 'silence', of: 'shop' },
  { after: 0, is: 'severity', to: 'critical' },
  { after: 40, is: 'node', node: 'n1', ready: false },
];

test('an alert that a process opened which has forgotten it is closed by its key, whatever was muted', () => {
  let kept = 0;
  const some = fc.array(fc.oneof(...ofCluster), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(some, restart(false).arbitrary, some, (before, forgetting, then) => {
      const life = lived([...before, forgetting, ...then]);
      const alerts = Map.groupBy(
        life.heard.filter(({ uid, notification }) => uid === 'uid-pager' && notification.incident !== undefined),
        ({ notification }) => notification.incident?.alertKey ?? '',
      );
      for (const [key, messages] of alerts) {
        if (life.forgotten.some(({ alertKey, isFound }) => alertKey === key && !isFound)) continue;
        if (life.forgotten.some(({ alertKey }) => alertKey === key)) kept += 1;
        const acts = messages.map(({ delivery }) => delivery.act).join(' ');
        assert.match(acts, /resolve$/, `${messages[0]?.notification.title}: ${acts}`);
      }
    }),
    { numRuns: runs(120), examples: [[crashed, { after: 1_300, is: 'restart', saved: false }, thenOfItsNode]] },
  );
  assert.ok(kept > 20, `${kept} times`);
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
      // Whoever may be told has read of it in the summary of the start.
      if (disposition === 'Baseline') continue;
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
    { numRuns: runs(40) },
  );
  assert.ok(shares > 100, `${shares} times`);
});

/** What is decided anew of what was decided before: a provider that came back, a request. */
const retold = new Set(['ProviderInactive', 'ProviderUsableAgain', 'Redelivered', 'RouteMatched']);
const told = new Set<Decision['action']>(['open', 'update', 'resolve', 'reopen']);

/** What was told becomes part of what is of low severity, and then that is raised. */
const raised: Happening[] = [
  { after: 40, is: 'pod', name: 'pay/d', health: 'crashing' },
  { after: 40, is: 'severity', to: 'low' },
  { after: 0, is: 'pod', name: 'pay/d', health: 'healthy' },
  { after: 0, is: 'node', node: 'n2', ready: false },
  { after: 1_300, is: 'severity', to: 'usual' },
];

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
      const most = providerNames.length * (2 * happenings.length + 10);
      assert.ok(
        life.heard.length <= most,
        `${life.heard.length} messages of ${happenings.length} things that happened`,
      );
    }),
    { numRuns: runs(80), examples: [[raised]] },
  );
});

/** One thing's news comes in its order; what is of different things may come in any. */
function subjectOf(input: Input): string {
  if (input.kind !== 'objects') return input.kind === 'outcome' ? `outcome ${input.report.delivery}` : input.kind;
  return input.events.map(({ raw: { kind, metadata } }) => `${kind} ${metadata.namespace}/${metadata.name}`).join();
}

/** The inputs in another order, by the letters of `salt`. Lists come before their source is said to be watched. */
function shuffled(salt: number): (inputs: readonly Input[]) => readonly Input[] {
  const rank = (input: Input): string => shortHash([salt, subjectOf(input)]);
  return (inputs) =>
    inputs.some(({ kind }) => kind === 'source')
      ? inputs
      : inputs.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}

/** What was decided and what arrived, when. */
const outcomeOf = ({ turns, heard }: AnyLife): readonly string[] => [
  ...turns.flatMap(({ now, decisions }) => decisions.map((decision) => `${now} ${JSON.stringify(decision)}`)),
  ...heard.map(({ uid, at, notification }) => `${at} ${uid} ${JSON.stringify(notification)}`),
];

test('in which order a turn hears of what happened at once changes no decision and no message', () => {
  let together = 0;
  const chapters = fc.array(fc.array(happening, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(chapters, fc.integer({ min: 0, max: 1e6 }), (story, salt) => {
      const [one, other] = [new AnyLife(), new AnyLife(shuffled(salt))];
      for (const chapter of story) {
        if (chapter.length > 1) together += 1;
        one.happenTogether(chapter);
        other.happenTogether(chapter);
      }
      one.recover();
      other.recover();
      assert.deepEqual(outcomeOf(other).toSorted(), outcomeOf(one).toSorted());
    }),
    { numRuns: runs(40) },
  );
  assert.ok(together > 40, `${together} times`);
});
