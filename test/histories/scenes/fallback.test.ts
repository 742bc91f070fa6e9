import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';
import type { Mood } from '../kit/products.ts';

const minute = 60;
const hour = 60 * minute;

/** A pager with a chat behind it. `alsoTold`: the chat is told of everything itself, too. */
function pagerBeforeChat({ alsoTold }: { readonly alsoTold: boolean }): Arena {
  const arena = new Arena({ edition: alsoTold ? 'Pro' : 'Community' });
  arena.create('pagerduty', 'pager', { fallback: 'slack' });
  arena.create('slack', 'chat');
  arena.begin();
  return arena;
}

const kinds = [
  { name: 'a fallback that is told itself', alsoTold: true },
  { name: 'a fallback that only stands in', alsoTold: false },
];

for (const { name, alsoTold } of kinds) {
  for (const seconds of [20, 40, 80, 240, 600])
    test(`a pager that fails for ${seconds} s is paged within minutes of being back, with ${name}`, async () => {
      const arena = pagerBeforeChat({ alsoTold });
      arena.products.set('pagerduty', 'unavailable');
      arena.fail('shop/api', 'critical');
      await arena.pass(20 + seconds);
      arena.products.heal();
      await arena.pass(10 * minute);
      assert.deepEqual(arena.taken('pagerduty'), ['open']);
    });

  for (const [mood, minutes] of [
    ['unavailable', 10],
    ['limited', 20],
    ['timeoutBefore', 10],
  ] as const satisfies readonly (readonly [Mood, number])[])
    test(`the end of what a pager was paged for closes it though it is ${mood} for ${minutes} min just then, with ${name}`, async () => {
      const arena = pagerBeforeChat({ alsoTold });
      arena.fail('shop/api', 'critical');
      await arena.pass(5 * minute);
      arena.mend();
      await arena.pass(150);
      arena.products.set('pagerduty', mood);
      await arena.pass(minutes * minute);
      arena.products.heal();
      await arena.pass(26 * hour);
      assert.deepEqual(arena.taken('pagerduty'), ['open', 'resolve']);
      assert.equal(arena.taken('slack').at(-1), 'resolve', 'who stood in reads the end');
    });

  test(`a pager whose token is mended closes what ended meanwhile, with ${name}`, async () => {
    const arena = pagerBeforeChat({ alsoTold });
    arena.fail('shop/api', 'critical');
    await arena.pass(2 * minute);
    arena.products.set('pagerduty', 'revoked');
    arena.mend();
    await arena.pass(15 * minute);
    arena.products.heal();
    arena.rotate('pagerduty');
    await arena.pass(10 * minute);
    assert.deepEqual(arena.taken('pagerduty'), ['open', 'resolve']);
  });
}

test('a fallback that was told itself reads why it hears of a thing again, and no second opening', async () => {
  const arena = pagerBeforeChat({ alsoTold: true });
  arena.products.set('pagerduty', 'unavailable');
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  const read = arena.products.requests.filter(({ provider }) => provider === 'slack');
  assert.equal(read.filter(({ act }) => act === 'open').length, 1, 'one opening');
  assert.equal(read.filter(({ note }) => note.includes('pagerduty')).length, 1, 'one remark on the pager');
});

test('a fallback that only stands in says whom it stands in for', async () => {
  const arena = pagerBeforeChat({ alsoTold: false });
  arena.products.set('pagerduty', 'unavailable');
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  const [read, ...more] = arena.products.requests.filter(({ provider }) => provider === 'slack');
  assert.equal(read?.act, 'open');
  assert.match(read?.note ?? '', /via slack because pagerduty/);
  assert.deepEqual(more, []);
});

for (const mood of ['unavailable', 'hangsBefore', 'hangsAfter', 'timeoutBefore'] as const)
  test(`a fallback reads nothing of an incident after its end, though the one it stands in for is made anew and ${mood}`, async () => {
    const arena = pagerBeforeChat({ alsoTold: true });
    arena.fail('shop/api', 'critical');
    await arena.pass(10 * minute);
    arena.products.set('pagerduty', mood);
    arena.create('pagerduty', 'pager', { fallback: 'slack' });
    await arena.pass(10);
    arena.mend();
    await arena.pass(30 * minute);
    arena.products.heal();
    await arena.pass(26 * hour);
    const acts = arena.taken('slack').filter((act) => act !== 'update');
    assert.deepEqual(acts, ['open', 'resolve']);
  });

test('the alert that a pager made of the startup summary in place of a chat is closed when all of that is well', async () => {
  const arena = new Arena({ edition: 'Community' });
  arena.create('chat', 'chat', { fallback: 'pager' });
  arena.create('pager', 'pager');
  arena.fail('shop/api', 'critical', 'CrashLoopBackOff', 10 * minute);
  arena.products.set('chat', 'unavailable');
  arena.begin();
  await arena.pass(10 * minute);
  assert.deepEqual(arena.taken('pager'), ['startup']);
  arena.products.heal();
  await arena.pass(10 * minute);
  arena.mend();
  await arena.pass(6 * hour);
  assert.deepEqual(arena.taken('pager'), ['startup', 'resolve']);
});
