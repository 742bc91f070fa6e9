import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';
import { damaged } from '../kit/engine.ts';

const minute = 60;

/** Two incidents that were told; the process dies, and finds the row of the first like that. */
async function after(damage: (row: Readonly<Record<string, unknown>>) => unknown): Promise<Arena> {
  const arena = new Arena();
  arena.create('pagerduty', 'pager');
  arena.begin();
  arena.failAll(['shop/a', 'shop/b'], 'critical');
  await arena.pass(5 * minute);
  assert.equal(arena.taken('pagerduty').length, 2);
  arena.kill(false, (saved) => damaged(saved, damage));
  await arena.pass(minute);
  return arena;
}

/** The fields that a row has. */
async function fields(): Promise<readonly string[]> {
  let names: readonly string[] = [];
  await after((row) => {
    names = Object.keys(row);
    return row;
  });
  return names;
}

const damages = [
  { how: 'missing', of: (row: Readonly<Record<string, unknown>>, field: string) => ({ ...row, [field]: undefined }) },
  { how: 'null', of: (row: Readonly<Record<string, unknown>>, field: string) => ({ ...row, [field]: null }) },
  { how: 'of another type', of: (row: Readonly<Record<string, unknown>>, field: string) => ({ ...row, [field]: 7 }) },
] as const;

for (const { how, of } of damages)
  test(`whichever field of a saved incident is ${how}, Tocsin starts, and goes on with all the others`, async () => {
    const broken: string[] = [];
    for (const field of await fields())
      try {
        const arena = await after((row) => JSON.parse(JSON.stringify(of(row, field))));
        arena.fail('shop/c', 'critical');
        await arena.pass(5 * minute);
        arena.mend('shop/b');
        await arena.pass(10 * minute);
        const { facts } = arena.transcript();
        const incidentOf = (name: string): string | undefined =>
          facts.find(({ root }) => root === `Pod/${name}`)?.incident;
        const took = (name: string, act: string): boolean =>
          arena.products.requests.some((one) => one.act === act && one.stream === incidentOf(name));
        if (!took('shop/c', 'open')) broken.push(`${field}: what begins is not told`);
        if (!took('shop/b', 'resolve')) broken.push(`${field}: what ends is not told`);
      } catch (error) {
        broken.push(`${field}: ${error instanceof Error ? error.message : String(error)}`);
      }
    assert.deepEqual(broken, []);
  });

test('a rise that fell with its refused opening, of which the process died before it knew, is owed as an opening', async () => {
  const arena = new Arena();
  arena.create('pagerduty', 'pager');
  arena.begin();
  const broken = ['shop/a', 'shop/b', 'shop/c', 'shop/d', 'shop/e'] as const;
  arena.products.set('pagerduty', 'unavailable');
  arena.failAll(broken, 'high');
  await arena.pass(2 * minute);
  arena.failAll(broken, 'critical');
  await arena.pass(3 * minute);
  // The first is refused, which ends its opening and the rise behind it, and the next begins at once: that much is on the disk.
  arena.products.set('pagerduty', 'refusing');
  const refused = (): boolean => arena.products.requests.some(({ answer }) => answer === 'refused');
  for (let seconds = 0; seconds < 10 * minute && !refused(); seconds += 1) await arena.pass(1);
  assert.ok(refused());
  arena.kill(true);
  await arena.pass(minute);
  arena.products.heal();
  arena.rotate('pagerduty');
  await arena.pass(60 * minute);
  const opened = arena.products.requests.filter(({ act, taken }) => act === 'open' && taken);
  assert.equal(new Set(opened.map(({ stream }) => stream)).size, broken.length);
});
