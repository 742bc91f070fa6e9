/** What a type claims to do for an incident (`supports`), held to what arrives at the product. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type Ability, abilities, abilityOf, type Support } from '../../../src/providers/kit/supports.ts';
import { attempt, type Bench } from './bench.ts';
import type { Evidence, Mode } from './case-file.ts';
import { acts, isMarked, marksOf, others, type Played, play, type Shown, textsIn } from './played.ts';
import type { Arrived } from './wire.ts';

/** One claim, or all that is not claimed. */
export type Proof = { readonly title: string; run(bench: Bench): Promise<void> };

/** The act that shows an ability, unless the case file names another. */
const shownBy: Readonly<Record<Ability, Played>> = {
  thread: 'update',
  update: 'update',
  close: 'resolve',
  reopen: 'reopen',
  dedup: 'open',
};
const titles: Readonly<Record<Ability, string>> = {
  thread: 'what follows carries what the opening returned, or its key',
  update: 'an update changes what the opening made',
  close: 'the end closes what the opening made',
  reopen: 'a relapse opens the same one again',
  dedup: 'a repeated opening carries the same key, or finds what the first attempt made',
};

/** What a type claims in this mode. A claim with a condition that no field shows holds where the case file has evidence. */
export function claimsOf(supports: readonly Support[], mode: Pick<Mode, 'block' | 'supports'>): ReadonlySet<Ability> {
  const holds = (support: Support): boolean => {
    if (typeof support === 'string') return true;
    if ('when' in support) return mode.supports[support.can] !== undefined;
    return support.with.every((field) => mode.block[field] !== undefined);
  };
  return new Set(supports.filter(holds).map(abilityOf));
}

/** The proofs of one type in one mode. What wants fields that this mode does not set must not be seen. */
export function proofsOf(supports: readonly Support[], mode: Mode): readonly Proof[] {
  const claims = claimsOf(supports, mode);
  const proofs = supports.flatMap((support): readonly Proof[] => {
    const ability = abilityOf(support);
    const evidence = mode.supports[ability];
    if (!evidence) return [];
    const proof = (bench: Bench): Promise<void> => prove(bench, ability, evidence);
    if (!claims.has(ability))
      return [
        {
          title: `${ability}: not without its settings`,
          run: (bench) => assert.rejects(proof(bench), assert.AssertionError),
        },
      ];
    const kept: Proof = { title: `${ability}: ${titles[ability]}`, run: proof };
    if (ability !== 'close') return [kept];
    // An alert that nobody can end any more after a restart rings on.
    const lost = {
      title: 'close: and does so when its reference was lost',
      run: (bench: Bench) => prove(bench, ability, { ...evidence, lost: true }),
    };
    return [kept, lost];
  });
  return [
    ...proofs,
    { title: 'nothing is claimed without evidence, and nothing else is done', run: unclaimed(claims) },
  ];
}

/** What is to ring nobody changes the opening, and is told nowhere else. Of a mode that keeps its message up to date. */
export function silentProofs(mode: Mode): readonly Proof[] {
  return (['quiet', 'resolve'] as const).map(
    (act): Proof => ({
      title: `update: a silent ${act === 'quiet' ? 'update' : 'end'} is an edit and nothing else`,
      async run(bench) {
        const { opened: ref } = await play(bench, acts, 'open', {});
        assert.ok(ref, 'an opening has a reference');
        bench.wire.script([]);
        const outcome = await attempt(bench, acts[act], { ref, quiet: true });
        assert.equal(outcome.is, 'delivered', inspect(outcome));
        const { request = '' } = mode.supports.update ?? {};
        const asked = bench.wire.arrived().map(({ brief }) => brief);
        assert.equal(asked.length, 1, asked.join(', '));
        assert.ok(asked[0]?.includes(request), asked.join(', '));
      },
    }),
  );
}

/** Every ability, in the order of the pages. */
const abilityNames = Object.keys(abilities) as readonly Ability[];

async function prove(bench: Bench, ability: Ability, evidence: Shown): Promise<void> {
  const { act = shownBy[ability], request = '', at, is } = evidence;
  const mine = await play(bench, acts, act, evidence);
  const another = await play(bench, others, act, evidence);
  const asked = mine.last.filter(({ brief }) => brief.includes(request));
  assert.ok(asked.length > 0, `no request with "${request}" in ${mine.last.map(({ brief }) => brief).join(', ')}`);
  if (ability === 'dedup') return proveDedup(bench, evidence, asked, another.last);
  const marks = marksOf(mine, another);
  const there = inspect(asked.map((each) => textsIn(each, at)));
  if (is === undefined) {
    const linked = asked.some((each) => textsIn(each, at).some((text) => isMarked(text, marks)));
    assert.ok(linked, `nothing of the opening is at ${at}: ${there}`);
    return;
  }
  const says = (each: Arrived): boolean =>
    textsIn(each, at).some((text) => text === `${is}` || text.startsWith(`${is} `));
  assert.ok(asked.some(says), `"${is}" is not at ${at}: ${there}`);
  const named = asked.filter(says).some((each) => textsIn(each).some((text) => isMarked(text, marks)));
  assert.ok(named, 'it names nothing of the opening');
  const before = mine.all.filter(([name]) => name === 'open' || name === 'update').flatMap(([, requests]) => requests);
  assert.ok(!before.some(says), `"${is}" is at ${at} before it is over, too`);
}

/** The same opening once more, as after an answer that was lost. */
async function proveDedup(
  bench: Bench,
  { at, request = '', answers = [] }: Evidence,
  first: readonly Arrived[],
  another: readonly Arrived[],
): Promise<void> {
  bench.wire.script(answers);
  const outcome = await attempt(bench, acts.open, { lost: true });
  assert.equal(outcome.is, 'delivered', inspect(outcome));
  const again = bench.wire.arrived().filter(({ brief }) => brief.includes(request));
  if (at === undefined) {
    assert.ok(bench.definition.find, 'without a key it must be looked for');
    const made = new Set(first.map(({ brief }) => brief));
    assert.deepEqual(
      again.map(({ brief }) => brief).filter((brief) => made.has(brief)),
      [],
      'it was made again',
    );
    return;
  }
  const keys = first.flatMap((each) => textsIn(each, at));
  assert.ok(keys.length > 0, `there is nothing at ${at}`);
  assert.deepEqual(
    again.flatMap((each) => textsIn(each, at)),
    keys,
  );
  const theirs = another.flatMap((each) => textsIn(each, at));
  assert.ok(
    keys.some((key) => key !== '' && !theirs.includes(key)),
    `another problem has the same at ${at}`,
  );
}

/** What a type does and does not claim, where that can be told from what arrives. */
function unclaimed(claims: ReadonlySet<Ability>): Proof['run'] {
  return async (bench) => {
    const { mode, definition } = bench;
    const known = new Set(definition.supports.map(abilityOf));
    for (const ability of abilityNames) {
      const shown = mode.supports[ability] !== undefined;
      if (claims.has(ability)) assert.ok(shown, `${ability} is claimed, and the case file has no evidence`);
      if (shown) assert.ok(known.has(ability), `the case file has evidence of ${ability}, which is not claimed`);
    }
    if (definition.find) assert.ok(claims.has('dedup'), 'it finds what an attempt has made: claim `dedup`');
    const mine = await play(bench, acts, 'reopen', {});
    const { answered } = marksOf(mine, await play(bench, others, 'reopen', {}));
    const { id = '', alertKey = '' } = acts.open.incident ?? {};
    const rows = abilityNames.flatMap((ability) => (claims.has(ability) ? (mode.supports[ability] ?? []) : []));
    for (const [act, requests] of mine.all)
      for (const each of requests) {
        const { brief } = each;
        if (brief.startsWith('GET ')) continue;
        const headers = Object.keys(Object(each.golden.headers));
        if (headers.includes('idempotency-key'))
          assert.ok(claims.has('dedup'), 'it sends an Idempotency-Key: claim `dedup`');
        if (act === 'open') continue;
        const named = textsIn(each, undefined, mode.mentions).some((text) => answered.includes(text));
        const addressed = textsIn(each, 'address').some((text) => text.includes(id) || text.includes(alertKey));
        if (!named && !addressed) continue;
        const told = rows.some(({ request = '' }) => brief.includes(request));
        assert.ok(
          told,
          `${act}: ${brief} is about what the opening made, and no row of \`supports\` tells what it does`,
        );
      }
  };
}
