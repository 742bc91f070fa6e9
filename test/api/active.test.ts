import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ChoiceRules, type Contender, chooseActive } from '../../src/api/active.ts';
import { nameOf, refOf } from '../../src/model/ref.ts';

type Traits = {
  readonly namespace?: string;
  readonly createdAt?: number;
  readonly fallback?: string;
  readonly suspended?: boolean;
  readonly invalid?: boolean;
  readonly secretsFound?: boolean;
};

function contender(name: string, traits: Traits = {}): Contender {
  const {
    namespace = 'tocsin',
    createdAt = 0,
    fallback,
    suspended = false,
    invalid = false,
    secretsFound = true,
  } = traits;
  return {
    settings: {
      ref: refOf('AlertProvider', namespace, name),
      uid: name,
      namespace,
      type: 'webhook',
      config: {},
      secrets: {},
      retry: {},
      ...(fallback && { fallback: refOf('AlertProvider', namespace, fallback) }),
      suspended,
      generation: 1,
    },
    createdAt,
    invalid,
    secretsFound,
  };
}

const community: ChoiceRules = { edition: 'Community', operatorNamespace: 'tocsin' };

/** name → reason. */
function reasons(contenders: readonly Contender[], rules: Partial<ChoiceRules> = {}) {
  const { providers } = chooseActive(contenders, { ...community, ...rules });
  for (const { active } of providers) assert.equal(active.is, active.reason === 'Selected');
  return Object.fromEntries(providers.map(({ ref, active }) => [nameOf(ref), active.reason]));
}

describe('on Community one provider receives', () => {
  test('the only one', () => assert.deepEqual(reasons([contender('a')]), { a: 'Selected' }));

  test('none of none', () => assert.deepEqual(chooseActive([], community), { providers: [] }));

  test('the oldest, then the first by name, in whatever order they come', () => {
    const three = [
      contender('b', { createdAt: 5 }),
      contender('c', { createdAt: 4 }),
      contender('a', { createdAt: 4 }),
    ];
    const expected = { a: 'Selected', b: 'CommunityLimit', c: 'CommunityLimit' };
    assert.deepEqual(reasons(three), expected);
    assert.deepEqual(reasons(three.toReversed()), expected);
  });

  test('one that others name as fallback comes last, and is used as such', () => {
    const pair = [contender('mail', { createdAt: 1 }), contender('chat', { createdAt: 9, fallback: 'mail' })];
    assert.deepEqual(reasons(pair), { mail: 'FallbackOnly', chat: 'Selected' });
  });

  test('the fallback of a fallback serves too, that of an inactive one does not', () => {
    const found = reasons([
      contender('chat', { createdAt: 1, fallback: 'mail' }),
      contender('mail', { createdAt: 2, fallback: 'log' }),
      contender('log', { createdAt: 3 }),
      contender('other', { createdAt: 4, fallback: 'spare' }),
      contender('spare', { createdAt: 5 }),
    ]);
    assert.deepEqual(found, {
      ...{ chat: 'Selected', mail: 'FallbackOnly', log: 'FallbackOnly' },
      ...{ other: 'CommunityLimit', spare: 'CommunityLimit' },
    });
  });

  test('a cycle of fallbacks ends', () => {
    assert.deepEqual(reasons([contender('a', { fallback: 'b' }), contender('b', { fallback: 'a', createdAt: 1 })]), {
      a: 'Selected',
      b: 'FallbackOnly',
    });
    assert.deepEqual(reasons([contender('a', { fallback: 'a' })]), { a: 'Selected' });
  });

  test('never one of a tenant', () => {
    const both = [contender('theirs', { namespace: 'shop' }), contender('ours', { createdAt: 9 })];
    assert.deepEqual(reasons(both), { theirs: 'CommunityLimit', ours: 'Selected' });
    assert.deepEqual(reasons(both.slice(0, 1)), { theirs: 'CommunityLimit' });
  });

  test('one that is suspended or invalid is passed over and says why', () => {
    const found = reasons([
      contender('a', { suspended: true }),
      contender('b', { invalid: true, createdAt: 1 }),
      contender('c', { createdAt: 2 }),
    ]);
    assert.deepEqual(found, { a: 'Suspended', b: 'Invalid', c: 'Selected' });
  });

  test('a missing Secret does not move the choice, but makes it unusable', () => {
    const { providers } = chooseActive(
      [contender('a', { secretsFound: false }), contender('b', { createdAt: 1 })],
      community,
    );
    assert.deepEqual(
      providers.map(({ usable, active }) => [usable, active.reason]),
      [
        [false, 'Selected'],
        [true, 'CommunityLimit'],
      ],
    );
  });
});

describe('app.communityProvider', () => {
  const two = [contender('a'), contender('b', { createdAt: 1 })];

  test('names the one that receives', () => {
    assert.deepEqual(reasons(two, { communityProvider: 'b' }), { a: 'CommunityLimit', b: 'Selected' });
  });

  test('with a wrong name chooses nobody and says so', () => {
    const { providers, problem } = chooseActive(two, { ...community, communityProvider: 'typo' });
    assert.ok(providers.every(({ active }) => !active.is));
    assert.equal(problem?.reason, 'CommunityProviderNotFound');
    assert.match(problem.message, /"typo".*namespace tocsin.*correct the name/);
  });

  test('does not reach into other namespaces', () => {
    const rules = { ...community, communityProvider: 'theirs' };
    const { problem } = chooseActive([...two, contender('theirs', { namespace: 'shop' })], rules);
    assert.equal(problem?.reason, 'CommunityProviderNotFound');
  });

  test('that names a suspended or invalid one chooses nobody and says so', () => {
    for (const traits of [{ suspended: true }, { invalid: true }]) {
      const { providers, problem } = chooseActive([contender('a', traits), contender('b')], {
        ...community,
        communityProvider: 'a',
      });
      assert.ok(providers.every(({ active }) => !active.is));
      assert.equal(problem?.reason, 'CommunityProviderUnusable');
    }
  });
});

test('on Pro all that are valid and not suspended receive, whatever AlertConfig names', () => {
  const all = [
    contender('a', { fallback: 'b' }),
    contender('b'),
    contender('c', { suspended: true }),
    contender('d', { invalid: true }),
    contender('e', { namespace: 'shop' }),
  ];
  const rules = { edition: 'Pro', communityProvider: 'typo' } as const;
  assert.deepEqual(reasons(all, rules), { a: 'Selected', b: 'Selected', c: 'Suspended', d: 'Invalid', e: 'Selected' });
  assert.equal(chooseActive(all, { ...community, ...rules }).problem, undefined);
});
