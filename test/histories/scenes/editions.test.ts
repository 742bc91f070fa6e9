import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';

const minute = 60;
const hour = 60 * minute;

function three(): Arena {
  const arena = new Arena();
  arena.create('slack', 'chat');
  arena.create('pagerduty', 'pager');
  arena.create('jira', 'tracker');
  arena.begin();
  return arena;
}

test('what was announced on Pro is closed everywhere though the licence has ended since', async () => {
  const arena = three();
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  arena.license('Community');
  await arena.pass(10 * minute);
  arena.mend();
  await arena.pass(hour);
  for (const name of ['slack', 'pagerduty', 'jira']) assert.deepEqual(arena.taken(name), ['open', 'resolve'], name);
});

test('what one provider was told on Community is closed there though `communityProvider` names another since', async () => {
  const arena = new Arena({ edition: 'Community' });
  arena.create('slack', 'chat');
  arena.create('pagerduty', 'pager');
  arena.license('Community', 'pagerduty');
  arena.begin();
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  arena.license('Community', 'slack');
  await arena.pass(10 * minute);
  arena.mend();
  await arena.pass(hour);
  assert.deepEqual(arena.taken('pagerduty'), ['open', 'resolve']);
});

test('nothing new is told on Community to who is not chosen', async () => {
  const arena = three();
  await arena.pass(minute);
  arena.license('Community');
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  assert.deepEqual(arena.taken(), ['slack open']);
});
