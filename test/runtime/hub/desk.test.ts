import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemberReport } from '../../../src/model/hub.ts';
import { Secret } from '../../../src/model/secret.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import type { Input } from '../../../src/model/turn.ts';
import { HubDesk } from '../../../src/runtime/hub/desk.ts';
import { seal, unseal } from '../../../src/runtime/hub/envelope.ts';
import { virtualClock } from '../../kube/support/virtual-clock.ts';

const first = 'k'.repeat(32);
const second = 'q'.repeat(32);
const cause = {
  ...{ id: 'abcdef01', root: 'Registry//ghcr.io', reason: 'RegistryUnreachable', severity: 'high' },
  ...{ since: 1, affected: 3 },
};

/** A hub's desk with one key, and what it hands to the core. */
function open(key: string | undefined = first) {
  const clock = virtualClock();
  const state: { key: string | undefined; kept: string | undefined; enabled: boolean; reads: number } = {
    ...{ key, kept: key, enabled: true, reads: 0 },
  };
  const reports: MemberReport[] = [];
  const counts: string[] = [];
  const desk = new HubDesk({
    ...{ clock, hostNow: clock.now },
    settings: () => ({
      app: { ...defaultSettings.app, clusterName: 'central' },
      hub: { ...defaultSettings.hub, enabled: state.enabled },
    }),
    async open(fresh) {
      if (fresh) {
        state.reads += 1;
        state.kept = state.key;
      }
      if (state.kept === undefined) return { missing: 'Secret/tocsin/hub' };
      return { values: new Map([['key', new Secret(state.kept)]]), version: '1' };
    },
    push: (input: Input) => void (input.kind === 'member' && reports.push(input.report)),
    drain: () => undefined,
    verdictsOn: ({ causes }) => Object.fromEntries(causes.map(({ id }) => [id, 'told'])),
    count: (outcome) => counts.push(outcome),
  });
  const post = async (more: object = {}, signedWith = first) => {
    const text = JSON.stringify({
      cluster: 'c-one',
      name: 'prod',
      nonce: 'n-0001',
      at: clock.now(),
      causes: [],
      ...more,
    });
    const { status, body } = await desk.take(seal(new Secret(signedWith), 'summary', text));
    return { status, body };
  };
  return { clock, state, reports, counts, desk, post };
}

test('an answer is signed, to this very summary, and names the hub', async () => {
  const { clock, post } = open();
  await clock.advance(1_000);
  const { status, body } = await post({ causes: [cause] });
  assert.equal(status, 200);
  const answer = JSON.parse(unseal(new Secret(first), 'answer', body) ?? '{}');
  assert.deepEqual(answer, { to: 'n-0001', name: 'central', verdicts: { abcdef01: 'told' } });
});

test('a report goes to the core when it is another, and once a minute: not with each summary', async () => {
  const { clock, post, reports } = open();
  for (let second = 0; second < 120; second += 15) {
    await clock.advance(15_000);
    await post({ causes: [cause] });
  }
  assert.equal(reports.length, 2);
  await clock.advance(1_000);
  await post({ causes: [] });
  await clock.advance(1_000);
  await post({ causes: [] });
  assert.deepEqual(
    reports.map(({ causes }) => causes.length),
    [1, 1, 0],
  );
});

test('a key that was replaced is read again, at most every ten seconds; one that is missing as well', async () => {
  const { clock, post, state } = open();
  await clock.advance(1_000);
  state.key = second;
  assert.equal((await post({}, second)).status, 200);
  assert.equal(state.reads, 1);
  for (let count = 0; count < 20; count += 1) assert.equal((await post({}, 'x'.repeat(32))).status, 401);
  assert.equal(state.reads, 1);
  const without = open();
  without.state.key = undefined;
  without.state.kept = undefined;
  await without.clock.advance(1_000);
  for (let count = 0; count < 20; count += 1) assert.equal((await without.post()).status, 503);
  assert.equal(without.state.reads, 1);
});

test('a short key is none', async () => {
  const { clock, post } = open('short');
  await clock.advance(1_000);
  const { status, body } = await post({}, 'short');
  assert.deepEqual([status, /fewer than 32 characters/.test(body)], [503, true]);
});

test('a clock that is off is told which way, and nothing is taken of it', async () => {
  const { clock, post, reports, counts } = open();
  await clock.advance(300_000);
  const late = await post({ at: clock.now() - 61_000, causes: [cause] });
  assert.deepEqual([late.status, /61 s behind that of the hub/.test(late.body)], [409, true]);
  const early = await post({ at: clock.now() + 90_000, causes: [cause] });
  assert.deepEqual([early.status, /90 s ahead of that of the hub/.test(early.body)], [409, true]);
  assert.deepEqual([reports, counts], [[], ['stale', 'stale']]);
});

test('a hub has two hundred members, and room again when one is not heard of for ten minutes', async () => {
  const { clock, post, desk } = open();
  await clock.advance(1_000);
  for (let count = 0; count < 200; count += 1) assert.equal((await post({ cluster: `c-${1000 + count}` })).status, 200);
  assert.equal((await post({ cluster: 'c-more' })).status, 429);
  assert.equal(desk.rows().length, 200);
  await clock.advance(11 * 60_000);
  assert.equal((await post({ cluster: 'c-more' })).status, 200);
});

test('who is no hub any more takes back what members said, and no copy of it later', async () => {
  const { clock, post, reports, desk, state } = open();
  await clock.advance(1_000);
  const at = clock.now();
  await post({ at, causes: [cause] });
  state.enabled = false;
  await clock.advance(1_000);
  desk.configure();
  assert.deepEqual([reports.at(-1)?.causes, desk.rows()], [[], []]);
  state.enabled = true;
  desk.configure();
  assert.equal((await post({ at, causes: [cause] })).status, 409);
});
