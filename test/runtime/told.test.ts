/** What the surfaces say of an incident while messages fail and Silences come: told by the ledger, with the whole core. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertConfigStatus } from '../../src/api/alert-config.ts';
import type { Outcome } from '../../src/model/delivery.ts';
import type { Incident } from '../../src/model/incident.ts';
import { withoutLicense } from '../../src/model/license.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import { configStatus } from '../../src/operator/config-status.ts';
import { statusContent } from '../../src/server/page/page.ts';
import { statusBody } from '../../src/server/status.ts';
import type { HealthView, StatusView } from '../../src/server/views.ts';
import { provider } from '../delivery/stage.ts';
import { config, views } from '../operator/objects.ts';
import { nothingPast } from '../server/page-stage.ts';
import { coreStage, crashing } from './core-stage.ts';

const minute = 60_000;
const gone: Outcome = { is: 'permanent', reason: 'HTTP 404 no_service', credential: false };
const away: Outcome = { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false };
const health: HealthView = { reasons: [], edition: 'Pro', version: '1', coverage: [] };
const slack = provider('slack');
const settings: Settings = {
  ...defaultSettings,
  edition: 'Pro',
  operatorNamespace: slack.namespace,
  providers: [slack],
};
const silence = 'Silence/tocsin/move';

/** A stage with one Pod that crashes, and what each surface says of it. */
async function stage(answer: () => Outcome = () => ({ is: 'delivered' })) {
  const core = coreStage({ providers: [slack], answer });
  await core.begin();
  const use = async (more: Partial<Settings>): Promise<void> => {
    core.loop.push({ kind: 'settings', settings: { ...settings, ...more } });
    await core.host.advance(1_000);
  };
  await use({});
  core.put(crashing('api', core.clock.now()));
  await core.host.advance(5 * minute);
  const view = (): StatusView => ({
    ...nothingPast,
    ...{ clusterName: '', deadLetters: [], providers: [], settings: core.core.view.settings() },
    incidents: [...core.core.view.incidents()],
    words: (incident) => core.core.view.words(incident, core.clock.now()),
  });
  return {
    ...core,
    use,
    /** The column of `tocsin incidents`. */
    column(): string {
      const body = JSON.parse(JSON.stringify(statusBody(view(), health, core.clock.now())));
      return body.incidents.worst[0].dispositions[0].summary;
    },
    page: (): string => [...statusContent(view(), health, core.clock.now())].join(''),
    why(): string {
      const now = core.clock.now();
      const why = core.core.view.why({ object: 'pod/shop/api' }, now, now);
      assert.ok('incidents' in why);
      const [audience] = why.incidents[0]?.audiences ?? [];
      return [audience?.says, ...(audience?.providers.map(({ says }) => says) ?? [])].join(' ');
    },
  };
}

test('who was notified, and when, stands on every surface', async () => {
  const { column, page, why } = await stage();
  assert.match(column(), /^Notified \d\d:\d\d UTC$/);
  assert.match(page(), /slack<\/b>: Notified of CrashLoopBackOff at \d\d:\d\d UTC\./);
  assert.match(why(), /Notified of CrashLoopBackOff at \d\d:\d\d UTC\./);
});

test('an end that is not wanted is not sent, not owed, and nowhere said to have been', async () => {
  const quiet = { ...slack, sendResolved: false } as const;
  const core = coreStage({ providers: [quiet] });
  await core.begin();
  const pod = crashing('api', core.clock.now());
  core.put(pod);
  await core.host.advance(5 * minute);
  core.gone(pod);
  await core.host.advance(10 * minute);
  assert.deepEqual(core.acts(), ['open']);
  assert.deepEqual(core.store.outbox(), []);
  const [incident] = core.core.view.incidents();
  assert.equal(incident?.state, 'Resolved');
  const why = core.core.view.why({ object: 'pod/shop/api' }, core.clock.now(), core.clock.now());
  assert.ok('incidents' in why);
  assert.match(JSON.stringify(why.incidents[0]?.audiences[0]?.providers), /It is over, which is not sent here\./);
  // Nothing is owed, whatever becomes of the provider, and a relapse is told.
  core.set([{ ...quiet, generation: 2 }]);
  await core.host.advance(minute);
  core.put(crashing('api', core.clock.now()));
  await core.host.advance(2 * minute);
  assert.deepEqual(core.acts(), ['open', 'reopen']);
  assert.equal(core.core.view.ledger(quiet.uid).delivered, 2);
});

test('what could not be delivered is nowhere said to be: why, since when, and what to do', async () => {
  const { column, page, why } = await stage(() => gone);
  assert.match(column(), /^Not delivered: slack \(.*HTTP 404 no_service.*\)$/);
  for (const text of [page(), why()]) {
    assert.match(text, /Could not be notified at \d\d:\d\d UTC \(.*HTTP 404 no_service/);
    assert.match(text, /to try at once: tocsin redeliver slack -n /);
    assert.doesNotMatch(text, /Notified of|gets everything in its scope/);
  }
});

test('a Silence on an incident that was told shows at once on every surface, and counts it', async () => {
  const { use, column, page, why, core, clock, host } = await stage();
  assert.equal(core.view.mutes().get(silence), undefined);
  const startsAt = clock.now();
  await use({
    silences: [{ ref: silence, namespace: slack.namespace, selector: {}, startsAt, endsAt: startsAt + 60 * minute }],
  });
  assert.match(column(), /^Silenced until \d\d:\d\d UTC by Silence tocsin\/move \(notified \d\d:\d\d UTC\)$/);
  for (const text of [page(), why()]) {
    assert.match(text, /It is silenced until \d\d:\d\d UTC by Silence tocsin\/move\./);
    assert.match(text, /It was announced at \d\d:\d\d UTC: there are no updates, and its end will be told\./);
  }
  assert.match(page(), />1 held back</);
  assert.equal(core.view.mutes().get(silence)?.suppressed, 1);
  await host.advance(10 * minute);
  assert.equal(core.view.mutes().get(silence)?.suppressed, 1, 'it is counted once');
  await use({});
  assert.match(column(), /^Notified /);
});

test('a Silence on what could not be delivered does not claim that anybody was notified', async () => {
  const { use, column, page, clock } = await stage(() => away);
  const startsAt = clock.now();
  await use({
    silences: [{ ref: silence, namespace: slack.namespace, selector: {}, startsAt, endsAt: startsAt + 60 * minute }],
  });
  assert.match(column(), /^Silenced until \d\d:\d\d UTC by Silence tocsin\/move$/);
  assert.doesNotMatch(page(), /was announced|Notified of/);
});

test('the status of the AlertConfig says who was notified of an incident, and who could not be', async () => {
  const row = (incidents: Iterable<Incident>, now: number) => {
    const { status } = configStatus(config(), {
      ...{ license: withoutLicense, problems: [], providers: [slack], now },
      views: views({ incidents: () => incidents }),
    });
    return (status as AlertConfigStatus).incidents?.[0];
  };
  const arrived = await stage();
  assert.ok(row(arrived.core.view.incidents(), arrived.clock.now())?.notifiedAt);
  const failed = await stage(() => gone);
  const { notifiedAt, notDelivered } = row(failed.core.view.incidents(), failed.clock.now()) ?? {};
  assert.deepEqual([notifiedAt, notDelivered], [undefined, [`${slack.namespace}/slack`]]);
});
