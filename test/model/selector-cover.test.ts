import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anyNames, findWord, namespaceNames, nodeNames } from '../../src/model/glob-words.ts';
import { reasons } from '../../src/model/reason.ts';
import { globsMatch, type Selectable, type Selector, selectorMatches } from '../../src/model/selector.ts';
import { coveredBy, impossibleFields, selectorCovers } from '../../src/model/selector-cover.ts';
import { severities } from '../../src/model/severity.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';

const letters = ['a', 'b', '-'];
/** Every word of up to five letters. */
const words = letters.flatMap(function longer(word: string): string[] {
  return word.length === 5 ? [word] : [word, ...letters.flatMap((letter) => longer(word + letter))];
});
const glob = fc
  .tuple(fc.boolean(), fc.array(fc.constantFrom('a', 'b', '-', '?', '*'), { minLength: 1, maxLength: 4 }))
  .map(([excludes, parts]) => `${excludes ? '!' : ''}${parts.join('')}`);
const globs = fc.array(glob, { maxLength: 3 });

describe('words of globs', () => {
  test('a word that is found is in the lists it must be in and in no other; where none is found, there is none', () => {
    let none = 0;
    fc.assert(
      fc.property(fc.array(globs, { maxLength: 2 }), fc.array(globs, { maxLength: 2 }), (inside, outside) => {
        const fits = (word: string): boolean =>
          inside.every((list) => globsMatch(list, [word])) && !outside.some((list) => globsMatch(list, [word]));
        const found = findWord(inside, outside, anyNames);
        if (found === 'none') {
          none += 1;
          const counterexample = words.find(fits);
          assert.equal(counterexample, undefined);
        } else assert.ok(found !== 'unknown' && fits(found.word), JSON.stringify(found));
      }),
      { numRuns: runs(2_000), seed: 7 },
    );
    assert.ok(none > runs(250), `only ${none}`);
  });
  test('only names that can exist count', () => {
    assert.equal(findWord([['Shop']], [], namespaceNames), 'none');
    assert.equal(findWord([['a.b']], [], namespaceNames), 'none');
    assert.deepEqual(findWord([['a.b']], [], nodeNames), { word: 'a.b' });
    assert.equal(findWord([['-*']], [], namespaceNames), 'none');
    assert.deepEqual(findWord([['Shop']], [], anyNames), { word: 'Shop' });
    assert.equal(findWord([['?*', '!*?']], [], anyNames), 'none');
  });
  test('a search that grows too large gives up and says so', () => {
    const many = Array.from({ length: 40 }, (_, index) => `*a${'?'.repeat(index)}`);
    assert.equal(findWord([['*']], [[...many, '*']], anyNames, { left: 3000 }), 'unknown');
  });
  test('the longest lists that a resource can hold are told apart in a moment', () => {
    const names = Array.from({ length: 100 }, (_, index) => `service-of-team-${index}-in-the-north`);
    assert.equal(findWord([names], [names.map((name) => `${name}*`)], namespaceNames), 'none');
  });
});

const name = fc.constantFrom('a', 'b', 'ab', 'bb', 'abc', 'c');
const some = fc.uniqueArray(
  fc.constantFrom('a', 'ab', 'a*', 'a?', '?b', '*b', '*', 'b?', '!a', '!b', '!a*', '!*', '!?b', 'A', '!*b'),
  { minLength: 1, maxLength: 3 },
);
const whole: fc.Arbitrary<Required<Selector>> = fc.record({
  namespaces: some,
  reasons: fc.uniqueArray(fc.constantFrom('OOMKilled', 'Image*', '!OOM*', '*', 'Nothing', '!ImagePull*'), {
    minLength: 1,
    maxLength: 2,
  }),
  names: some,
  nodes: some,
  kinds: fc.uniqueArray(fc.constantFrom('Pod', 'Node', 'apps/Pod'), { minLength: 1, maxLength: 2 }),
  severities: fc.uniqueArray(fc.constantFrom(...severities), { minLength: 1, maxLength: 4 }),
  labels: fc.dictionary(fc.constantFrom('x', 'no label'), fc.constantFrom('1', '2'), { minKeys: 1 }),
  owners: some,
});
/** Selectors of a few fields, so that incidents match some of them. */
const selectors: fc.Arbitrary<Selector> = fc
  .tuple(
    whole,
    fc.subarray(['namespaces', 'reasons', 'names', 'nodes', 'kinds', 'severities', 'labels', 'owners'] as const, {
      maxLength: 3,
    }),
  )
  .map(([all, fields]) => Object.fromEntries(fields.map((field) => [field, all[field]])));

const subject = fc
  .record({
    kind: fc.constantFrom('Pod', 'Node'),
    namespace: name,
    name,
    node: name,
    x: fc.constantFrom('1', '2'),
    owner: fc.option(name, { nil: undefined }),
  })
  .map(({ kind, namespace, name: own, node, x, owner }) => ({
    ref: `${kind}/${kind === 'Node' ? '' : namespace}/${own}` as const,
    labels: { x },
    ...(kind === 'Pod' && { node }),
    ...(owner !== undefined && { owner }),
  }));
const incidents: fc.Arbitrary<Selectable> = fc.record({
  root: subject,
  affected: fc.array(subject, { maxLength: 2 }),
  reason: fc.constantFrom(...reasons.filter((reason) => /^(OOM|Image)/.test(reason))),
  severity: fc.constantFrom(...severities),
});

describe('selectors', () => {
  test('one that is said to cover another picks whatever the other does', () => {
    let covered = 0;
    fc.assert(
      fc.property(selectors, selectors, fc.array(incidents, { minLength: 5, maxLength: 5 }), (one, other, all) => {
        // Few pairs cover each other by chance; one that only adds to another always does.
        const [wide, narrow] = 'names' in other ? [one, { ...one, ...other }] : [one, other];
        if (!selectorCovers(wide, narrow)) return;
        covered += 1;
        for (const incident of all) assert.ok(!selectorMatches(narrow, incident) || selectorMatches(wide, incident));
      }),
      { numRuns: runs(5_000), seed: 7 },
    );
    assert.ok(covered > runs(250), `only ${covered} pairs`);
  });
  test('those that together are said to cover one pick whatever it does', () => {
    let split = 0;
    fc.assert(
      fc.property(fc.array(selectors, { maxLength: 4 }), selectors, incidents, (earlier, narrow, incident) => {
        const halves: Selector[] = [{ severities: ['critical', 'high'] }, { severities: ['medium', 'low'] }];
        const wide = [...halves, ...earlier];
        const by = coveredBy(wide, narrow);
        assert.ok(by, 'the halves cover everything');
        if (by.length > 1) split += 1;
        if (!selectorMatches(narrow, incident)) return;
        assert.ok(by.some((index) => selectorMatches(wide[index] ?? {}, incident)));
      }),
      { numRuns: runs(2_000), seed: 7 },
    );
    assert.ok(split > runs(50), `only ${split}`);
  });
  test('one that is said to be impossible picks nothing', () => {
    let never = 0;
    fc.assert(
      fc.property(selectors, fc.array(incidents, { minLength: 5, maxLength: 5 }), (selector, all) => {
        if (impossibleFields(selector).length === 0) return;
        never += 1;
        for (const incident of all) assert.ok(!selectorMatches(selector, incident));
      }),
      { numRuns: runs(2_500), seed: 7 },
    );
    assert.ok(never > runs(250), `only ${never} selectors`);
  });
  test('what makes one impossible is named', () => {
    const rows: readonly (readonly [Selector, readonly string[]])[] = [
      [{ namespaces: ['a', '!a'] }, ['namespaces']],
      [{ namespaces: ['Shop'] }, ['namespaces']],
      [{ namespaces: ['!*'] }, []],
      [{ reasons: ['OOMKiled'] }, ['reasons']],
      [{ reasons: ['Image*', '!Image*'] }, ['reasons']],
      [{ kinds: ['apps/Deployment'] }, ['kinds']],
      [{ kinds: ['apps/Deployment', 'Pod'] }, []],
      [{ names: ['a?', '!a*'] }, ['names']],
      [{ nodes: ['gpu_1'] }, ['nodes']],
      [{ nodes: ['!*'] }, ['nodes']],
      [{ labels: { team: 'two words' } }, ['labels']],
      [{ labels: { 'acme.com/team': '' } }, []],
      [{}, []],
    ];
    for (const [selector, fields] of rows)
      assert.deepEqual(impossibleFields(selector), fields, JSON.stringify(selector));
  });
});
