import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LastKnown } from '../../src/edition/standing.ts';
import { type LicenseReading, LicenseWatch } from '../../src/edition/watch.ts';
import type { LicenseSource, LicenseStanding } from '../../src/model/license.ts';
import { Secret } from '../../src/model/secret.ts';

import { eventually } from '../kube/support/eventually.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { issuer, second } from './licences.ts';

const ours = issuer();
const start = '2026-11-20T09:00:00Z';
const minute = 60_000;
const day = 86_400_000;
const source: LicenseSource = { location: { secret: 'tocsin-license', key: 'license' } };
const year = { iat: second('2026-01-01T00:00:00Z'), exp: second('2027-01-01T00:00:00Z') };
const missing: LicenseReading = { unusable: { state: 'SecretNotFound', why: 'It is not there.' } };

/** A watch of which the test says what reading comes to, and since when. */
async function watching(
  first: LicenseReading | string,
  options: { readonly at?: string; readonly before?: LastKnown; readonly notBefore?: string } = {},
) {
  const clock = virtualClock(Date.parse(options.at ?? start));
  let reading = first;
  let isSettled = false;
  const told: LicenseStanding[] = [];
  const watch = new LicenseWatch({
    ...{ clock, clusterId: 'c1', keys: ours.keys },
    read: async () => (typeof reading === 'string' ? { token: new Secret(reading) } : reading),
    changed: (standing) => told.push(standing),
  });
  const surroundings = {
    notBefore: Date.parse(options.notBefore ?? '2020-01-01T00:00:00Z'),
    ...(options.before && { before: options.before }),
  };
  watch.use(source, surroundings);
  void watch.settled().then(() => {
    isSettled = true;
  });
  /** Each look ends with an appointment for the next one; until the start is settled its patience is one more. */
  const quiet = () => eventually('the licence is looked at', () => clock.pending() === (isSettled ? 1 : 2));
  const pass = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; ) {
      const step = Math.min(left, clock.untilNext());
      await clock.advance(step);
      await quiet();
      left -= step;
    }
  };
  await quiet();
  return {
    ...{ clock, watch, told, surroundings, pass },
    isSettled: () => isSettled,
    /** Later the licence is this. */
    async later(next: LicenseReading | string, afterMs = minute) {
      reading = next;
      await pass(afterMs);
    },
    /** State and edition in brief; `?`: not known. */
    now(): string {
      const { state, edition, isKnown } = watch.standing();
      return `${state} ${edition}${isKnown ? '' : '?'}`;
    },
  };
}

test('each state of a licence when the start meets it, the edition that follows, and what people read', async () => {
  const valid = await ours.issue(year);
  const cases: readonly (readonly [string, LicenseReading | string, string, RegExp])[] = [
    ['Valid Pro', valid, start, /^Pro is licensed to Example Ltd until 2027-01-01\.$/],
    ['Valid Pro', await ours.issue({ ...year, clusters: ['c0', 'c1'] }), start, /licensed to/],
    ['GracePeriod Pro', valid, '2027-01-01T00:00:00Z', /expired on 2027-01-01\. Pro goes on until 2027-01-15/],
    ['GracePeriod Pro', valid, '2027-01-14T23:59:59Z', /renew the licence by then/],
    ['Expired Community', valid, '2027-01-15T00:00:00Z', /expired on 2027-01-01, and the 14 days of grace are over/],
    [
      'NotYetValid Community',
      await ours.issue({ ...year, nbf: second('2026-12-01T00:00:00Z') }),
      start,
      /begins on 2026-12-01/,
    ],
    ['WrongCluster Community', await ours.issue({ ...year, clusters: ['c2'] }), start, /does not list c1, the UID/],
    ['BadSignature Community?', `${valid.slice(0, -4)}AAAA`, start, /was changed after it was issued/],
    ['UnknownKey Community?', await issuer('theirs').issue(year), start, /signed with the key "theirs"/],
    ['Empty Community?', '', start, /is empty: put the token there/],
    ['Malformed Community?', 'x', start, /three parts divided by dots/],
    ['SecretNotFound Community?', missing, start, /^It is not there\. Tocsin runs as Community\.$/],
    ['Unread Community?', { unread: 'no answer' }, start, /cannot be read at the moment \(no answer\)/],
  ];
  for (const [outcome, reading, at, says] of cases) {
    const { now, watch } = await watching(reading, { at });
    assert.equal(now(), outcome);
    assert.match(watch.standing().message, says);
    watch.stop();
  }
});

test('no licence is Community, known at once, and nothing is asked for again', async () => {
  const { watch, clock, now, isSettled, surroundings } = await watching(await ours.issue(year));
  assert.equal(isSettled(), true);
  watch.use(undefined, surroundings);
  assert.equal(now(), 'NoLicense Community');
  assert.equal(clock.pending(), 0);
});

test('a licence runs out to the second: grace, then Community, each told once', async () => {
  const { clock, pass, told, now } = await watching(await ours.issue(year), { at: '2026-12-31T23:59:50Z' });
  await pass(10_000);
  assert.equal(now(), 'GracePeriod Pro');
  clock.step(14 * day - minute);
  await pass(minute);
  assert.equal(now(), 'Expired Community');
  assert.deepEqual(
    told.map(({ state }) => state),
    ['Valid', 'GracePeriod', 'Expired'],
  );
});

test('a licence begins by itself, and a renewed one counts within a minute', async () => {
  const { pass, later, now } = await watching(await ours.issue({ ...year, nbf: second('2026-11-20T10:00:00Z') }));
  await pass(50 * minute);
  assert.equal(now(), 'Valid Pro', 'ten minutes of clock skew are allowed');
  await later(await ours.issue({ ...year, exp: second('2026-11-20T09:30:00Z') }));
  assert.equal(now(), 'GracePeriod Pro');
  await later(await ours.issue(year));
  assert.equal(now(), 'Valid Pro');
});

test('what becomes unusable goes on for ten minutes as it was, so that a Secret can be replaced and a mistake mended', async () => {
  for (const unusable of [missing, 'a mistake', `${(await ours.issue(year)).slice(0, -4)}AAAA`]) {
    const { pass, later, now, watch } = await watching(await ours.issue(year));
    await later(unusable);
    assert.match(now(), / Pro\?$/);
    assert.match(watch.standing().message, /Tocsin goes on as Pro until 09:11 UTC, then as Community\.$/);
    await pass(10 * minute);
    assert.match(now(), / Community$/);
    await later(await ours.issue(year), 10_000);
    assert.equal(now(), 'Valid Pro');
    watch.stop();
  }
});

test('an API server that cannot be asked says nothing of the licence: the last known stays', async () => {
  const { later, now, pass, told } = await watching(await ours.issue(year));
  await later({ unread: 'no answer' });
  await pass(60 * minute);
  assert.equal(now(), 'Valid Pro');
  assert.equal(told.length, 1);
  await later(missing);
  await pass(11 * minute);
  await later({ unread: 'no answer' });
  assert.equal(now(), 'SecretNotFound Community', 'nor does it bring back what is gone');
});

test('a start that cannot read the licence asks every 2 s, waits 30 s for it, and then goes on as the status says it was', async () => {
  const before = { edition: 'Pro', licensee: 'Example Ltd', expiresAt: year.exp * 1000 } as const;
  const { later, now, isSettled, pass } = await watching({ unread: 'no answer' }, { before });
  assert.equal(now(), 'Unread Pro?');
  await pass(29_000);
  assert.equal(isSettled(), false);
  await pass(1_000);
  assert.equal(isSettled(), true);
  await later(await ours.issue(year), 2_000);
  assert.equal(now(), 'Valid Pro');
});

test('what the status remembers ends with its grace', async () => {
  const before = { edition: 'Pro', expiresAt: Date.parse(start) - 14 * day } as const;
  assert.equal((await watching({ unread: 'no answer' }, { before })).now(), 'Unread Community?');
});

test('a host’s clock that was set back before the start does not revive a licence that the API server knows to be older', async () => {
  const token = await ours.issue(year);
  const setBack = await watching(token, { at: '2026-06-01T00:00:00Z', notBefore: '2027-02-01T00:00:00Z' });
  assert.equal(setBack.now(), 'Expired Community');
  const beforeIssue = await watching(token, { at: '2020-01-01T00:00:00Z' });
  assert.equal(beforeIssue.now(), 'Valid Pro', 'a licence is never judged at a time before it was issued');
});

test('a trial gives Pro for 30 days from the day it began, whenever the process began, and no day of grace', async () => {
  const { watch, told, pass } = await watching({ trialSince: Date.parse('2026-11-10T08:00:00Z') });
  assert.deepEqual(watch.standing(), {
    ...{ state: 'Trial', edition: 'Pro', isKnown: true },
    ...{ expiresAt: Date.parse('2026-12-10T08:00:00Z'), changesAt: Date.parse('2026-12-10T08:00:00Z') },
    message: 'Pro is on trial in this cluster until 2026-12-10; after that Tocsin runs as Community.',
  });
  await pass(Date.parse('2026-12-10T08:00:00Z') - Date.parse(start) - 1);
  assert.equal(watch.standing().edition, 'Pro');
  await pass(1);
  assert.deepEqual([watch.standing().state, watch.standing().edition], ['TrialEnded', 'Community']);
  assert.deepEqual(
    told.map(({ state }) => state),
    ['Trial', 'TrialEnded'],
  );
  watch.stop();
});

test('a host’s clock that was set back does not make a trial longer', async () => {
  const { watch } = await watching(
    { trialSince: Date.parse('2026-10-01T00:00:00Z') },
    { at: '2026-10-15T00:00:00Z', notBefore: '2026-11-20T00:00:00Z' },
  );
  assert.equal(watch.standing().state, 'TrialEnded');
  watch.stop();
});
