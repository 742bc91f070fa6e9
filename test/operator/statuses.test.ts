import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misplacedConfig } from '../../src/api/rules/place.ts';
import { silenceSettings } from '../../src/api/settings.ts';
import type { Coverage } from '../../src/model/coverage.ts';
import type { HeartbeatView } from '../../src/model/heartbeat.ts';
import { withoutLicense } from '../../src/model/license.ts';
import type { ServingCertificateView } from '../../src/model/serving-certificate.ts';
import { configStatus, ignoredConfigStatus } from '../../src/operator/config-status.ts';
import { eventsBetween, redeliveryEvent } from '../../src/operator/provider-events.ts';
import { silenceChangesAt, silenceStatus } from '../../src/operator/silence-status.ts';
import { provider as settingsOf } from '../delivery/stage.ts';
import { brief, conditionsOf, config, createdAt, noFacts, silence, views } from './objects.ts';

const created = Date.parse(createdAt);
const hour = 3_600_000;

function silenceAt(
  now: number,
  more: Parameters<typeof silence>[1] = {},
  muted?: { suppressed: number; lastMatchAt: number },
) {
  const object = silence('quiet', more);
  return silenceStatus(object, { settings: silenceSettings(object), muted, mutedBefore: 0, now });
}

test('a silence is pending, active, then expired; it stays ready and its times are shown', () => {
  const spec = { startsAt: '2026-11-20T10:00:00Z' };
  const at = (hours: number) => brief(silenceAt(created + hours * hour, { spec }));
  assert.deepEqual(at(1), ['Ready=True/Accepted', 'Stalled=False/NotStalled', 'Active=False/Pending']);
  assert.deepEqual(at(2).at(-1), 'Active=True/Active');
  assert.deepEqual(at(3).at(-1), 'Active=False/Expired');
  const { startTime, endTime } = silenceAt(created, { spec }).status;
  assert.deepEqual([startTime, endTime], ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z']);
});

test('the next change of a silence by time is its begin, then its end, then none', () => {
  const settings = { startsAt: 10, endsAt: 20 } as Parameters<typeof silenceChangesAt>[0];
  assert.deepEqual(
    [5, 10, 20].map((now) => silenceChangesAt(settings, now)),
    [10, 20, undefined],
  );
});

test('what a silence muted is added to what it had muted before, and shows at once', () => {
  const object = silence('quiet', { status: { suppressed: 4 } });
  const parts = { settings: silenceSettings(object), mutedBefore: 4, now: created };
  const before = silenceStatus(object, { ...parts, muted: undefined });
  const after = silenceStatus(object, { ...parts, muted: { suppressed: 2, lastMatchAt: created } });
  assert.equal(before.status.suppressed, 4);
  assert.equal(after.status.suppressed, 6);
  assert.equal(after.status.lastMatchTime, createdAt);
  assert.notDeepEqual(after.urgent, before.urgent);
});

test('a silence whose times cannot be read mutes nothing and says what to write', () => {
  const desired = silenceAt(created, { spec: { startsAt: 'tomorrow' } });
  assert.deepEqual(brief(desired), ['Ready=False/Invalid', 'Stalled=True/InvalidSpec', 'Active=False/Invalid']);
  assert.match(conditionsOf(desired)[0]?.message ?? '', /RFC 3339/);
});

test('a silence for a reason that does not exist says so, with the one that was probably meant', () => {
  const desired = silenceAt(created, { spec: { selector: { reasons: ['CrashLoopBackof'] } } });
  assert.deepEqual(brief(desired), ['Ready=False/Invalid', 'Stalled=True/UnknownReason', 'Active=True/Active']);
  assert.match(conditionsOf(desired)[0]?.message ?? '', /"CrashLoopBackof".*did you mean "CrashLoopBackOff"\?/);
  const known = silenceAt(created, { spec: { selector: { reasons: ['Image*', '!ImageNotFound'] } } });
  assert.ok(brief(known).includes('Ready=True/Accepted'));
});

test('a silence that would end after the last year that can be written mutes nothing and says so', () => {
  for (const spec of [
    { startsAt: '9999-12-31T00:00:00Z', durationSeconds: 31_536_000 },
    { durationSeconds: undefined, endsAt: '9999-12-31T23:59:59-12:00' },
  ])
    assert.ok(brief(silenceAt(created, { spec })).includes('Stalled=True/InvalidSpec'));
});

const row = (source: string, state: Coverage['state'], required = true): Coverage => ({
  ...{ source, kind: source, state, required, since: created },
  reason: state === 'Watching' ? 'Synced' : state === 'Denied' ? 'Forbidden' : 'InitialList',
});

test('AlertConfig: covered by the required sources, delivering by the active providers', () => {
  const active = settingsOf('oncall');
  const delivered = { lastDelivery: { time: created, stream: 's', act: 'open' as const, attempts: 1, durationMs: 1 } };
  const cases: readonly [
    string,
    readonly Coverage[],
    Parameters<typeof views>[0],
    readonly (typeof active)[],
    RegExp,
  ][] = [
    [
      'all is well',
      [row('pods', 'Watching'), row('jobs', 'Denied', false)],
      { provider: () => ({ ...noFacts, ...delivered }) },
      [active],
      /Covered=True\/AllCovered Delivering=True\/Delivered/,
    ],
    [
      'nothing yet',
      [row('pods', 'Syncing')],
      {},
      [active],
      /Covered=Unknown\/Syncing Delivering=Unknown\/NothingDelivered/,
    ],
    [
      'denied',
      [row('pods', 'Denied')],
      { provider: () => ({ ...noFacts, failing: true }) },
      [active],
      /Covered=False\/SourceMissing Delivering=False\/ProviderFailing/,
    ],
    [
      'nobody',
      [row('pods', 'Watching')],
      {},
      [{ ...active, active: { is: false, reason: 'Suspended' } }],
      /Delivering=False\/NoProvider/,
    ],
  ];
  for (const [what, coverage, more, providers, expected] of cases) {
    const parts = {
      license: withoutLicense,
      problems: [],
      providers,
      views: views({ coverage: () => coverage, ...more }),
      now: created,
    };
    assert.match(brief(configStatus(config(), parts)).join(' '), expected, what);
  }
});

test('AlertConfig: a problem of the whole is Stalled with its remedy; coverage rows hold no counts', () => {
  const problems = [{ reason: 'CommunityProviderNotFound', message: 'no such provider' }] as const;
  const parts = {
    license: withoutLicense,
    problems,
    providers: [],
    views: views({ coverage: () => [row('pods', 'Watching'), row('gateways', 'NotServed')] }),
    now: created,
  };
  const desired = configStatus(config(), parts);
  assert.deepEqual(brief(desired).slice(0, 2), ['Ready=False/Invalid', 'Stalled=True/CommunityProviderNotFound']);
  assert.equal(desired.status.watchedResources, 1);
  assert.deepEqual(desired.status.coverage, [
    { resource: 'gateways', state: 'NotServed', reason: 'InitialList', since: createdAt },
  ]);
});

test('an AlertConfig of another name or in another namespace says that it counts for nothing', () => {
  const ignored = (more: object): readonly string[] => {
    const object = config({}, more);
    const misplaced = misplacedConfig(object.metadata, 'tocsin');
    return misplaced ? brief(ignoredConfigStatus(object, misplaced, created)).slice(0, 2) : [];
  };
  assert.deepEqual(ignored({ name: 'mine' }), ['Ready=False/Ignored', 'Stalled=True/WrongName']);
  assert.deepEqual(ignored({ namespace: 'shop' }), ['Ready=False/Ignored', 'Stalled=True/WrongNamespace']);
});

test('an outage of a provider is a handful of Events: failed once, recovered once', () => {
  const condition = (type: string, status: 'True' | 'False' | 'Unknown', reason: string) => ({
    ...{ type, status, reason, message: reason, lastTransitionTime: createdAt },
  });
  const story = [
    condition('Delivering', 'Unknown', 'NothingDelivered'),
    condition('Delivering', 'False', 'Timeout'),
    condition('Delivering', 'False', 'ServerError'),
    condition('Delivering', 'False', 'FallbackInUse'),
    condition('Delivering', 'False', 'FallbackInUse'),
    condition('Delivering', 'True', 'Delivered'),
    condition('Delivering', 'True', 'Delivered'),
    condition('Stalled', 'True', 'SecretNotFound'),
    condition('Stalled', 'True', 'SecretNotFound'),
    condition('Stalled', 'True', 'SecretKeyMissing'),
  ];
  const events = story.flatMap((now, index) =>
    eventsBetween(index > 0 ? story.slice(index - 1, index) : undefined, [now]),
  );
  assert.deepEqual(
    events.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    [
      'Warning DeliveryFailed Timeout',
      'Warning FallbackUsed FallbackInUse',
      'Normal DeliveryRecovered Delivered',
      'Warning ProviderInvalid SecretNotFound',
      'Warning ProviderInvalid SecretKeyMissing',
    ],
  );
});

test('what was sent again is one Event, once it is known what came of it', () => {
  const last = (nonce: string, outcome: 'Pending' | 'Delivered' | 'Failed') => ({
    ...{ nonce, outcome, time: createdAt, sent: 1, message: `${nonce} ${outcome}` },
  });
  const story = [last('a', 'Pending'), last('a', 'Delivered'), last('a', 'Delivered'), last('b', 'Failed')];
  const events = story.flatMap((now, index) => redeliveryEvent(index > 0 ? story[index - 1] : undefined, now));
  assert.deepEqual(
    events.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    ['Normal Redelivered a Delivered', 'Warning Redelivered b Failed'],
  );
});

test('AlertConfig: the audit log is said to be written, or why it is not; nothing is said where nobody wants it', () => {
  const auditing = (more: object): string | undefined => {
    const audit = () => ({ enabled: true, licensed: true, path: '/var/lib/tocsin/audit.jsonl', lost: 0, ...more });
    const status = configStatus(config(), {
      ...{ license: withoutLicense, problems: [], providers: [], views: views({ audit }), now: created },
    });
    const found = conditionsOf(status).find(({ type }) => type === 'Auditing');
    return found && `${found.status}/${found.reason}: ${found.message}`;
  };
  assert.equal(auditing({ enabled: false }), undefined);
  assert.equal(auditing({}), 'True/Writing: Decisions are written to /var/lib/tocsin/audit.jsonl.');
  assert.match(auditing({ licensed: false }) ?? '', /^False\/NotLicensed: No audit log is written\./);
  assert.equal(
    auditing({ path: '-', failure: 'nobody reads standard output any more', lost: 3 }),
    'False/CannotWrite: standard output cannot be written: nobody reads standard output any more. Lines lost since the start: 3.',
  );
});

test('AlertConfig: a heartbeat says how it is, what withholds it, and why it was not accepted', () => {
  const beating = (view: HeartbeatView): string | undefined => {
    const heartbeat = () => view;
    const status = configStatus(config(), {
      ...{ license: withoutLicense, problems: [], providers: [], now: created },
      views: views({ heartbeat }),
    });
    const found = conditionsOf(status).find(({ type }) => type === 'Heartbeat');
    return found && `${found.status}/${found.reason}: ${found.message}`;
  };
  assert.equal(beating({ is: 'off' }), undefined);
  assert.equal(beating({ is: 'pending' }), 'Unknown/Pending: Nothing has been requested yet.');
  assert.equal(beating({ is: 'sent' }), 'True/Sent: The last request was accepted.');
  assert.equal(
    beating({ is: 'withheld', because: ['DeliveryFailing', 'SourceNotWatched'] }),
    'False/Withheld: It is withheld, so that others take notice: an active AlertProvider fails; a required source is not watched.',
  );
  assert.match(
    beating({ is: 'failing', why: 'it answered 404' }) ?? '',
    /^False\/Failing: .* not accepted: it answered 404\.$/,
  );
});

test('AlertConfig: TLS of the endpoints says until when its certificate is valid, or why nothing can be served', () => {
  const serving = (view: ServingCertificateView): string | undefined => {
    const status = configStatus(config(), {
      ...{ license: withoutLicense, problems: [], providers: [], now: created },
      views: views({ servingCertificate: () => view }),
    });
    const found = conditionsOf(status).find(({ type }) => type === 'ServingTLS');
    return found && `${found.status}/${found.reason}: ${found.message}`;
  };
  const why = 'the Secret page-tls does not exist';
  assert.equal(serving({ is: 'off' }), undefined);
  assert.equal(serving({ is: 'pending' }), 'Unknown/Pending: The Secret has not been read yet.');
  assert.equal(
    serving({ is: 'serving', notAfter: Date.parse('2027-01-01T00:00:00Z') }),
    'True/Serving: The certificate is valid until 2027-01-01T00:00:00Z.',
  );
  assert.equal(serving({ is: 'failing', why, kept: false }), `False/CannotServe: Nothing is served over TLS: ${why}.`);
  assert.equal(
    serving({ is: 'failing', why, kept: true }),
    `False/CannotServe: The certificate that was read before is still served: ${why}.`,
  );
});
