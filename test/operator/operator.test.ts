import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertProvider } from '../../src/api/alert-provider.ts';
import { testStream } from '../../src/model/delivery.ts';
import type { ProviderView } from '../../src/model/provider-view.ts';
import type { OpenedSecrets } from '../../src/model/secret-source.ts';
import { settle } from '../kube/support/virtual-clock.ts';
import { config, provider, silence, window } from './objects.ts';
import { burst, found, kinds, row, stage } from './stage.ts';

test('nothing is settled until all four kinds are listed and every object was looked at once, its Secrets included', async () => {
  const { put, listed, secrets, settings, writes } = await stage();
  const slow = Promise.withResolvers<OpenedSecrets>();
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  for (const name of names) secrets.set(name, slow.promise);
  await put(...names.map((name) => provider(name)), ...names.map((name) => silence(name)), config());
  await listed('AlertProvider', 'Silence', 'MaintenanceWindow');
  assert.equal(settings.length, 0, 'AlertConfig has not been listed');
  await listed('AlertConfig');
  assert.deepEqual([settings.length, writes.length], [0, 0], 'Secrets are being read');
  slow.resolve(found);
  await settle(20);
  assert.equal(settings[0]?.providers.filter(({ usable }) => usable).length, 12);
  assert.equal(settings[0]?.silences.length, 12);
  assert.equal(settings.length, 1);
});

test('the echo of our own status, or anything else that changes no setting, is no new snapshot', async () => {
  const { put, listed, settings, writes } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  await put(
    provider('oncall', { metadata: { resourceVersion: '2' }, status: writes[0]?.status as AlertProvider['status'] }),
  );
  assert.deepEqual([settings.length, writes.length], [1, 1]);
  await put(provider('oncall', { metadata: { generation: 2 }, spec: { suspend: true } }));
  assert.equal(settings.length, 2);
});

test('a Secret that is missing is looked for every 10 s; once there, what waits is tried, with the new settings', async () => {
  const { put, listed, secrets, happened, status, clock } = await stage();
  secrets.set('oncall', { missing: 'Secret/tocsin/oncall' });
  await put(provider('oncall'));
  await listed(...kinds);
  secrets.set('oncall', found);
  happened.length = 0;
  await clock.advance(9_999 - 2 * burst);
  assert.deepEqual(happened, []);
  await clock.advance(1);
  await settle();
  assert.deepEqual(happened, ['settings usable', 'changed oncall']);
  assert.ok(status('oncall').includes('Ready=True/Accepted'));
});

test('a Secret that was changed shows in the settings within a minute, though nothing waits to be sent', async () => {
  const { put, listed, secrets, settings, opened, clock } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  secrets.set('oncall', { ...found, version: 'v2' });
  opened.length = 0;
  await clock.advance(60_000);
  await settle();
  assert.deepEqual(opened, ['oncall anew'], 'what a delivery read a moment ago would hide it for another minute');
  assert.deepEqual(
    settings.map(({ providers }) => providers[0]?.credentialVersion),
    ['v1', 'v2'],
  );
});

test('an edited destination is handed on before what waits for it is tried', async () => {
  const { put, listed, secrets, happened } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  happened.length = 0;
  secrets.set('oncall', { ...found, version: 'v2' });
  await put(provider('oncall', { metadata: { generation: 2 } }));
  assert.deepEqual(happened, ['settings usable', 'changed oncall']);
});

test('Secrets that cannot be read leave a provider pending, are asked for again, and hold up no other', async () => {
  const { put, listed, secrets, status, clock, lines } = await stage();
  secrets.set('a', new Error('connection refused'));
  await put(provider('a'), provider('b'));
  await listed(...kinds);
  assert.ok(status('a').includes('Ready=Unknown/Pending'));
  assert.ok(status('b').includes('Ready=True/Accepted'));
  assert.match(lines.join(''), /cannot read the Secrets/);
  secrets.set('a', found);
  await clock.advance(2_000);
  await settle();
  assert.ok(status('a').includes('Ready=True/Accepted'));
});

test('one made anew under the same name is a new object: judged, tested and written anew', async () => {
  const annotations = { 'tocsin.dev/test': 'try-1' };
  const { put, listed, writes, happened, settings } = await stage();
  await put(provider('oncall', { metadata: { annotations } }));
  await listed(...kinds);
  const before = writes.length;
  // The watch brings the deletion and the new object so close together that only the newest is seen.
  await put(provider('oncall', { metadata: { annotations, uid: 'other' } }));
  assert.deepEqual(
    settings.map(({ providers }) => providers[0]?.uid),
    ['uid-oncall', 'other'],
  );
  assert.equal(happened.filter((each) => each === 'test oncall try-1').length, 2);
  assert.equal(writes.length, before + 1);
});

test('deleting an object while it is worked on leaves nothing of it, not even a timer', async () => {
  const { put, gone, listed, secrets, settings, clock } = await stage();
  await listed(...kinds);
  const slow = Promise.withResolvers<OpenedSecrets>();
  secrets.set('oncall', slow.promise);
  const idleTimers = clock.pending();
  await put(provider('oncall'));
  await gone(provider('oncall'));
  slow.resolve(found);
  await clock.advance(burst);
  assert.deepEqual(settings.at(-1)?.providers, []);
  assert.equal(clock.pending(), idleTimers);
});

test('nor does deleting it while its Secrets are being read again', async () => {
  const { put, gone, listed, secrets, clock } = await stage();
  await listed(...kinds);
  const idleTimers = clock.pending();
  await put(provider('oncall'));
  const slow = Promise.withResolvers<OpenedSecrets>();
  secrets.set('oncall', slow.promise);
  await clock.advance(60_000);
  await gone(provider('oncall'));
  slow.resolve(found);
  await settle();
  assert.equal(clock.pending(), idleTimers);
});

test('a fallback that is deleted shows on whoever names it at once', async () => {
  const { put, gone, listed, status } = await stage();
  await put(provider('a', { spec: { fallback: 'b' } }), provider('b'));
  await listed(...kinds);
  assert.ok(status('a').includes('Stalled=False/NotStalled'));
  await gone(provider('b'));
  assert.ok(status('a').includes('Stalled=True/FallbackNotFound'));
  await put(provider('b'));
  assert.ok(status('a').includes('Stalled=False/NotStalled'));
});

test('an annotation that was there before the start asks for its test once the core knows the provider', async () => {
  const { put, listed, happened, clock } = await stage();
  const annotated = (nonce: string, more: object = {}) =>
    provider('oncall', { metadata: { annotations: { 'tocsin.dev/test': nonce } }, ...more });
  await put(annotated('try-1'));
  assert.equal(happened.length, 0);
  await listed(...kinds);
  assert.deepEqual(happened.slice(0, 2), ['settings usable', 'test oncall try-1']);
  await put(annotated('try-1'));
  await put(annotated('try-2'));
  await clock.advance(5_000);
  assert.deepEqual(
    happened.filter((each) => each.startsWith('test')),
    ['test oncall try-1', 'test oncall try-2'],
  );
});

test('a test reads its Secrets anew, so that it goes where they say now', async () => {
  const { put, listed, opened, happened, secrets } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  secrets.set('oncall', { ...found, version: 'v2' });
  opened.length = 0;
  happened.length = 0;
  await put(provider('oncall', { metadata: { annotations: { 'tocsin.dev/test': 'one' } } }));
  assert.ok(opened.includes('oncall anew'));
  assert.deepEqual(happened, ['settings usable', 'changed oncall', 'test oncall one']);
});

test('a request to send again what failed reads the Secrets anew first; `all:` asks for what a fallback told as well', async () => {
  const { put, listed, opened, happened, clock } = await stage();
  const asked = (nonce: string) => provider('oncall', { metadata: { annotations: { 'tocsin.dev/redeliver': nonce } } });
  await put(provider('oncall'));
  await listed(...kinds);
  opened.length = 0;
  await put(asked('mended'));
  assert.ok(opened.includes('oncall anew'));
  await put(asked('mended'));
  await clock.advance(5_000);
  await put(asked('once more'));
  assert.deepEqual(
    happened.filter((each) => each.startsWith('redeliver')),
    ['redeliver oncall mended', 'redeliver oncall once more'],
  );
});

test('what was sent again before the start is not asked for twice; where nothing can be sent the request says why', async () => {
  const { put, listed, happened, writes } = await stage();
  const metadata = { annotations: { 'tocsin.dev/redeliver': 'one' } };
  const time = '2026-11-20T08:30:00Z';
  await put(
    provider('done', { metadata, status: { lastRedelivery: { nonce: 'one', time, outcome: 'Delivered', sent: 2 } } }),
    provider('paused', { metadata, spec: { suspend: true } }),
  );
  await listed(...kinds);
  assert.deepEqual(
    happened.filter((each) => each.startsWith('redeliver')),
    [],
  );
  const last = (name: string) =>
    Object(writes.findLast((write) => write.name === name)?.status).lastRedelivery as Record<string, unknown>;
  assert.deepEqual([last('done').outcome, last('done').sent], ['Delivered', 2]);
  assert.equal(last('paused').outcome, 'Failed');
  assert.match(String(last('paused').message), /suspend/);
});

test('of tests that are asked for within 5 s, the first and the newest are sent', async () => {
  const { put, listed, happened, clock } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  for (const nonce of ['one', 'two', 'three', 'four'])
    await put(provider('oncall', { metadata: { annotations: { 'tocsin.dev/test': nonce } } }));
  await clock.advance(60_000);
  assert.deepEqual(
    happened.filter((each) => each.startsWith('test')),
    ['test oncall one', 'test oncall four'],
  );
});

test('outside the operator’s namespace a provider that is not active is not tested, and no Secret is read for it', async () => {
  const { put, listed, happened, opened, writes } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  const metadata = { namespace: 'team-a', annotations: { 'tocsin.dev/test': 'one' } };
  await put(provider('theirs', { metadata }));
  assert.deepEqual(
    happened.filter((each) => each.startsWith('test')),
    [],
  );
  assert.ok(!opened.includes('theirs anew'));
  const { lastTest } = writes.findLast(({ name }) => name === 'theirs')?.status ?? {};
  assert.match(JSON.stringify(lastTest), /"Failed".*only active ones can be tested/);
});

test('a provider that is applied before its Secret is waited for, for a minute; then it is stalled', async () => {
  const { put, listed, secrets, status, clock, happened } = await stage();
  await listed(...kinds);
  secrets.set('oncall', { missing: 'Secret/tocsin/oncall' });
  await put(provider('oncall'));
  assert.deepEqual(status('oncall').slice(0, 3), [
    ...['Ready=Unknown/Pending', 'Reconciling=True/Waiting', 'Stalled=False/NotStalled'],
  ]);
  assert.ok(!happened.some((each) => each.includes('ProviderInvalid')));
  await clock.advance(60_000);
  assert.ok(status('oncall').includes('Stalled=True/SecretNotFound'));
});

test('a Secret that was there and is gone is a problem at once, and so is one that was missing before the start', async () => {
  const { put, listed, secrets, status, clock } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  secrets.set('oncall', { missing: 'Secret/tocsin/oncall' });
  await clock.advance(60_000);
  assert.ok(status('oncall').includes('Stalled=True/SecretNotFound'));
  secrets.set('old', { missing: 'Secret/tocsin/old' });
  await put(provider('old', { status: { observedGeneration: 1 } }));
  assert.ok(status('old').includes('Stalled=True/SecretNotFound'));
});

test('an active provider that cannot be used shows on the AlertConfig and on itself in the same moment', async () => {
  const { put, listed, secrets, status, clock, writes } = await stage();
  await put(provider('oncall'), config());
  await listed(...kinds);
  secrets.set('oncall', { missing: 'Secret/tocsin/oncall' });
  await clock.advance(60_000);
  assert.ok(status('default').includes('Delivering=False/ProviderUnusable'));
  assert.match(JSON.stringify(writes.findLast(({ name }) => name === 'oncall')), /nobody is notified/);
});

test('a test that ended before the start is not repeated, one that was pending is', async () => {
  const annotations = { 'tocsin.dev/test': 'try-1' };
  const lastTest = (outcome: 'Delivered' | 'Pending') => ({ nonce: 'try-1', time: '2026-11-20T08:00:00Z', outcome });
  const { put, listed, happened } = await stage();
  await put(
    provider('done', { metadata: { annotations }, status: { lastTest: lastTest('Delivered') } }),
    provider('lost', { metadata: { annotations }, status: { lastTest: lastTest('Pending') } }),
  );
  await listed(...kinds);
  assert.deepEqual(
    happened.filter((each) => each.startsWith('test')),
    ['test lost try-1'],
  );
});

test('a test that could only wait is refused with the reason; a fallback that is missing is no such reason', async () => {
  const { put, listed, secrets, happened, writes } = await stage();
  const metadata = { annotations: { 'tocsin.dev/test': 'x'.repeat(5000) } };
  secrets.set('keyless', { missing: 'Secret/tocsin/keyless', key: 'url' });
  await put(
    provider('keyless', { metadata }),
    provider('paused', { metadata, spec: { suspend: true } }),
    provider('fine', { metadata, spec: { fallback: 'nobody' } }),
  );
  await listed(...kinds);
  const test = (name: string) =>
    writes.findLast((write) => write.name === name)?.status.lastTest as Record<string, string>;
  assert.equal(test('keyless').outcome, 'Failed');
  assert.match(test('keyless').message ?? '', /no key "url"/);
  assert.match(test('paused').message ?? '', /suspend/);
  assert.equal(test('fine').outcome, 'Pending');
  assert.equal(test('fine').nonce?.length, 253, 'the status takes no longer ones');
  assert.equal(happened.filter((each) => each.startsWith('test')).length, 1);
});

test('the end of a test shows at once', async () => {
  const lastTest = { time: 0, stream: testStream('uid-oncall', 'n'), delivered: true, message: '' };
  const facts: { lastTest?: NonNullable<ProviderView['lastTest']> } = {};
  const { put, listed, writes, operator } = await stage({ facts });
  await put(provider('oncall', { metadata: { annotations: { 'tocsin.dev/test': 'n' } } }));
  await listed(...kinds);
  const outcome = () => (writes.at(-1)?.status.lastTest as { outcome: string } | undefined)?.outcome;
  assert.equal(outcome(), 'Pending');
  facts.lastTest = lastTest;
  operator.touch(['AlertProvider/tocsin/oncall']);
  await settle();
  assert.equal(outcome(), 'Delivered');
});

test('a silence and a window change by time alone', async () => {
  const { put, listed, status, writes, clock } = await stage();
  await put(silence('quiet', { spec: { startsAt: '2026-11-20T10:00:00Z' } }), window('weekly'));
  await listed(...kinds);
  assert.ok(status('quiet').includes('Active=False/Pending'));
  await clock.advance(3_600_000);
  assert.ok(status('quiet').includes('Active=True/Active'));
  await clock.advance(3_600_000);
  assert.ok(status('quiet').includes('Active=False/Expired'));
  const next = () => writes.findLast(({ name }) => name === 'weekly')?.status.nextStartTime;
  assert.equal(next(), '2026-11-21T02:00:00Z');
  await clock.advance(16 * 3_600_000);
  assert.equal(next(), '2026-11-28T02:00:00Z');
});

test('without the lock no status is written; when it is held again every status is looked at', async () => {
  const { put, listed, writes, operator } = await stage({ paused: true });
  await put(provider('oncall'), silence('quiet'));
  await listed(...kinds);
  assert.deepEqual(writes, []);
  operator.resume();
  await settle();
  assert.deepEqual(writes.map(({ name }) => name).sort(), ['oncall', 'quiet']);
  operator.pause();
  await put(provider('oncall', { metadata: { generation: 2 }, spec: { suspend: true } }));
  assert.equal(writes.length, 2);
  operator.resume();
  await settle();
  assert.equal(writes.length, 3);
});

test('a kind that is not served is said once, with the remedy; when it appears everything begins', async () => {
  const { put, listed, watches, lines, settings } = await stage();
  await put(provider('oncall'));
  await listed('AlertProvider', 'Silence', 'AlertConfig');
  watches.get('MaintenanceWindow')?.onCoverage(row('MaintenanceWindow', 'NotServed'));
  await settle();
  assert.match(lines.join(''), /maintenancewindows\.tocsin\.dev.*kubectl apply -k config\/crd/);
  assert.equal(settings.length, 0);
  await listed('MaintenanceWindow');
  assert.equal(settings.length, 1);
});

test('objects that cannot work make the configuration invalid', async () => {
  const { put, listed, operator } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  assert.equal(operator.configInvalid(), false);
  await put(provider('other', { spec: { webhook: undefined } }));
  assert.equal(operator.configInvalid(), true);
});

test('what a team gets wrong in its own namespace does not make the whole configuration invalid', async () => {
  const { put, listed, operator } = await stage();
  await put(provider('oncall'));
  await listed(...kinds);
  await put(provider('theirs', { metadata: { namespace: 'team-a' }, spec: { webhook: undefined } }));
  assert.equal(operator.configInvalid(), false);
});

test('after a stop no timer is left and nothing is handed on', async () => {
  const { put, listed, secrets, settings, clock, operator } = await stage();
  await put(provider('oncall'), silence('quiet'), window('weekly'));
  await listed(...kinds);
  const slow = Promise.withResolvers<OpenedSecrets>();
  secrets.set('late', slow.promise);
  await put(provider('late'));
  const stopped = operator.stop();
  slow.resolve(found);
  await stopped;
  assert.equal(clock.pending(), 0);
  assert.equal(settings.length, 1);
});
