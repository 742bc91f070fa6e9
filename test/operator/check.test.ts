import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import type { AlertProvider } from '../../src/api/alert-provider.ts';
import { withoutLicense } from '../../src/model/license.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { Secret } from '../../src/model/secret.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../../src/model/secret-source.ts';
import { checkFallback, type ProviderCheck } from '../../src/operator/check.ts';
import { composeSettings } from '../../src/operator/compose.ts';
import { type Held, isOurKind, OwnObjects } from '../../src/operator/objects.ts';
import { ProviderChecks } from '../../src/operator/provider-checks.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { config, provider, silence } from './objects.ts';

const ref: Ref = 'AlertProvider/tocsin/oncall';
const opened = (url: string, version = 'v1'): OpenedSecrets => ({
  values: new Map([['url', new Secret(url)]]),
  version,
});

/** An object as it is held once it was seen. */
function held(object: AlertProvider): Held<'AlertProvider'> | undefined {
  const objects = new OwnObjects('tocsin');
  objects.put('AlertProvider', ref, object);
  return objects.get('AlertProvider', ref);
}

/** Checks of one provider, whose Secrets are what the test says. */
function stage(answer: OpenedSecrets | UnopenedSecrets | Error, object: AlertProvider = seenBefore) {
  const clock = virtualClock();
  const state = { answer, held: held(object) };
  const checks = new ProviderChecks({
    ...{ clock, namespace: 'tocsin' },
    provider: () => state.held,
    secrets: { open: async () => (state.answer instanceof Error ? Promise.reject(state.answer) : state.answer) },
  });
  return { clock, state, checks, judge: () => checks.judge(ref), check: () => checks.get(ref) };
}

/** A provider that an earlier process has looked at. */
const seenBefore = provider('oncall', { status: { observedGeneration: 1 } });

const reasons = (check: ProviderCheck | undefined) => check?.problems.map(({ reason }) => reason);

test('Secrets that are not there: the reason names what is missing and the message what to do', async () => {
  const cases: readonly [UnopenedSecrets, string, RegExp][] = [
    [{ missing: 'Secret/tocsin/oncall' }, 'SecretNotFound', /"oncall" does not exist.*create it/],
    [{ missing: 'Secret/tocsin/oncall', key: 'url' }, 'SecretKeyMissing', /no key "url"/],
    [
      { missing: 'Secret/tocsin/oncall', denied: true, permission: 'get secrets in namespace tocsin' },
      'SecretForbidden',
      /grant `get secrets in namespace tocsin`/,
    ],
  ];
  for (const [answer, reason, says] of cases) {
    const { judge, check, checks } = stage(answer);
    assert.equal(await judge(), false);
    assert.deepEqual(reasons(check()), [reason]);
    assert.match(check()?.problems[0]?.message ?? '', says);
    assert.deepEqual([check()?.invalid, check()?.secrets], [false, 'missing']);
    assert.equal(checks.nextMs(ref), 10_000, 'looked at again soon: somebody is creating it');
  }
});

test('an address inside a Secret that cannot be one makes the provider invalid, and is not shown', async () => {
  const { judge, check } = stage(opened('ftp://user:hunter22@files.example/in'));
  await judge();
  assert.deepEqual(reasons(check()), ['InvalidDestination']);
  assert.equal(check()?.invalid, true);
  assert.doesNotMatch(JSON.stringify(check()), /hunter22/);
});

test('a key that is not of its certificate makes the provider invalid; a certificate that is over is told, and tried', async () => {
  const from = Date.parse('2026-01-01T00:00:00Z');
  const authority = createAuthority('Own', from);
  const { certificate, key } = authority.sign({ commonName: 'x' });
  const pair = (cert: string) =>
    new Map(Object.entries({ 'tls.clientCertificate': new Secret(cert), 'tls.clientKey': new Secret(key) }));
  const mixed = stage({ values: pair(authority.sign({ commonName: 'y' }).certificate), version: '1' });
  await mixed.judge();
  assert.deepEqual([reasons(mixed.check()), mixed.check()?.invalid], [['InvalidCertificate'], true]);
  assert.match(mixed.check()?.problems[0]?.message ?? '', /`spec\.tls\.clientKey` is not the key of/);

  const { clock, judge, check } = stage({ values: pair(certificate), version: '1' });
  await judge();
  assert.deepEqual(reasons(check()), []);
  await clock.advance(20 * 365 * 86_400_000);
  await judge();
  assert.deepEqual([reasons(check()), check()?.invalid], [['InvalidCertificate'], false]);
});

test('a spec that cannot work is never asked for its Secrets and only an edit makes it worth another look', async () => {
  const unknown = stage(new Error('asked'), provider('oncall', { spec: { type: 'pigeon' } }));
  await unknown.judge();
  assert.deepEqual(reasons(unknown.check()), ['UnknownType']);
  assert.equal(unknown.checks.nextMs(ref), undefined);
  const blockless = stage(new Error('asked'), provider('oncall', { spec: { webhook: undefined } }));
  await blockless.judge();
  assert.deepEqual(reasons(blockless.check()), ['InvalidSpec']);
});

test('a provider without keys of AWS works in the namespace of Tocsin alone', async () => {
  const spec = {
    type: 'sns',
    webhook: undefined,
    sns: { region: 'eu-west-1', topicArn: 'arn:aws:sns:eu-west-1:123456789012:a' },
  };
  const nothing = { values: new Map(), version: '1' };
  const own = stage(nothing, provider('oncall', { spec, status: { observedGeneration: 1 } }));
  await own.judge();
  assert.deepEqual(reasons(own.check()), []);
  const tenant = stage(nothing, provider('oncall', { spec, metadata: { namespace: 'shop' } }));
  await tenant.judge();
  assert.deepEqual([reasons(tenant.check()), tenant.check()?.invalid], [['InvalidSpec'], true]);
  assert.match(
    tenant.check()?.problems[0]?.message ?? '',
    /^`spec\.sns` has no keys: .*namespace of Tocsin; set `accessKeyId`/,
  );
});

test('a rotated Secret and one that appears are changes, reading the same again is none', async () => {
  const { judge, state, checks } = stage({ missing: 'Secret/tocsin/oncall' });
  assert.equal(await judge(), false);
  state.answer = opened('https://a.example/x');
  assert.equal(await judge(), true);
  assert.equal(await judge(), false);
  assert.equal(checks.nextMs(ref), 60_000);
  state.answer = opened('https://b.example/x', 'v2');
  assert.equal(await judge(), true);
});

test('while the API server cannot be asked, the last verdict on the same spec stays; a new spec counts as unread', async () => {
  const { judge, state, check, checks } = stage(opened('https://a.example/x'));
  await judge();
  state.answer = new Error('connection refused');
  await assert.rejects(judge(), /refused/);
  assert.equal(check()?.secrets, 'found');
  state.held = held(provider('oncall', { metadata: { generation: 2 } }));
  await assert.rejects(judge(), /refused/);
  assert.deepEqual([check()?.secrets, check()?.invalid], ['unread', false]);
  assert.equal(checks.nextMs(ref), 2_000);
});

test('an answer that comes after the object was deleted leaves no verdict behind', async () => {
  const { judge, state, check } = stage(opened('https://a.example/x'));
  const judged = judge();
  state.held = undefined;
  assert.equal(await judged, false);
  assert.equal(check(), undefined);
});

test('fallbacks: one that is missing, a cycle, a chain that leads into somebody else’s cycle', () => {
  const all = new Map<Ref, AlertProvider>(
    Object.entries({ a: 'b', b: 'a', c: 'a', d: 'nobody', e: undefined, f: 'f' }).map(([name, fallback]) => [
      `AlertProvider/tocsin/${name}`,
      provider(name, { spec: fallback === undefined ? {} : { fallback } }),
    ]),
  );
  const found = [...all.values()].map((object) =>
    checkFallback(object, (name) => all.get(name))
      .map(({ reason }) => reason)
      .join(),
  );
  assert.deepEqual(found, ['FallbackCycle', 'FallbackCycle', '', 'FallbackNotFound', '', 'FallbackCycle']);
});

const good: ProviderCheck = { generation: 1, invalid: false, secrets: 'found', secretsVersion: 'v', problems: [] };

/** Objects as the watch would hand them over. */
function objectsOf(...objects: readonly RawObject[]): OwnObjects {
  const made = new OwnObjects('tocsin');
  for (const object of objects) {
    const { kind, metadata } = object;
    if (isOurKind(kind)) made.put(kind, `${kind}/${metadata.namespace}/${metadata.name}`, object);
  }
  return made;
}

/** The settings of objects that all take part. */
function compose(objects: OwnObjects, check: (each: Ref) => ProviderCheck | undefined = () => good) {
  return composeSettings(objects, {
    operatorNamespace: 'tocsin',
    license: withoutLicense,
    admits: () => true,
    check,
    now: 0,
  });
}

test('one snapshot of all objects, the same whatever order they came in', () => {
  const objects = [config({ app: { clusterName: 'prod' } }), provider('b'), provider('a'), silence('z'), silence('y')];
  const { settings } = compose(objectsOf(...objects));
  assert.equal(settings.app.clusterName, 'prod');
  assert.deepEqual(
    settings.providers.map(({ ref: each, active }) => `${each} ${active.reason}`),
    ['AlertProvider/tocsin/a Selected', 'AlertProvider/tocsin/b CommunityLimit'],
  );
  assert.deepEqual(
    settings.silences.map(({ ref: each }) => each),
    ['Silence/tocsin/y', 'Silence/tocsin/z'],
  );
  assert.deepEqual(compose(objectsOf(...objects.toReversed())).settings, settings);
});

test('a provider knows how owners are reached in its product, and nothing of others', () => {
  const contacts = { payments: { slack: { mentions: ['U0ADA0'] } }, search: { slack: {} } };
  const objects = [config({ owners: { contacts, mentionFrom: 'high' } }), provider('a')];
  const [known] = compose(objectsOf(...objects)).settings.providers;
  assert.deepEqual([known?.contacts, known?.mentionFrom], [undefined, undefined]);
  const slack = {
    type: 'slack',
    webhook: undefined,
    slack: { webhook: { value: 'https://hooks.slack.com/services/x' } },
  };
  const [asked] = compose(
    objectsOf(
      config({ owners: { contacts: { payments: { slack: contacts.payments.slack } }, mentionFrom: 'high' } }),
      provider('a', { spec: slack }),
    ),
  ).settings.providers;
  assert.deepEqual([asked?.contacts, asked?.mentionFrom], [{ payments: { mentions: ['U0ADA0'] } }, 'high']);
});

test('objects that cannot work take no part and keep nobody else from working', () => {
  const objects = objectsOf(
    provider('a', { spec: { type: 'pigeon' } }),
    provider('b', { spec: { webhook: undefined } }),
    provider('c'),
    silence('z', { spec: { startsAt: 'tomorrow' } }),
    config({ app: { communityProvider: 'a' } }, { namespace: 'shop' }),
  );
  const check = (each: Ref): ProviderCheck => (each.endsWith('/b') ? { ...good, invalid: true } : good);
  const { settings, problems } = compose(objects, check);
  assert.deepEqual(
    settings.providers.map(({ ref: each, active }) => `${each} ${active.reason}`),
    ['AlertProvider/tocsin/b Invalid', 'AlertProvider/tocsin/c Selected'],
  );
  assert.deepEqual([settings.silences, problems], [[], []]);
});

test('a provider not judged yet may be chosen but cannot be used', () => {
  const { settings } = compose(objectsOf(provider('a'), provider('b')), () => undefined);
  assert.deepEqual(
    settings.providers.map(({ active, usable }) => [active.reason, usable]),
    [
      ['Selected', false],
      ['CommunityLimit', false],
    ],
  );
});

test('a wrong name of the community provider chooses nobody and is a problem of the whole', () => {
  const objects = objectsOf(config({ app: { communityProvider: 'typo' } }), provider('a'));
  const { settings, problems } = compose(objects);
  assert.equal(settings.providers[0]?.active.is, false);
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ['CommunityProviderNotFound'],
  );
});

test('the time zone of messages is that of the AlertConfig, unless an AlertProvider has its own', () => {
  const zoned = (timeZone: string) =>
    compose(
      objectsOf(
        config({ app: { timeZone } }),
        provider('a', { spec: { message: { prefix: 'PROD' } } }),
        provider('b', { spec: { message: { timeZone: 'Asia/Tokyo' } } }),
        provider('c'),
      ),
    );
  const { settings, problems } = zoned('Europe/Berlin');
  assert.deepEqual(
    settings.providers.map(({ words }) => words),
    [{ prefix: 'PROD', timeZone: 'Europe/Berlin' }, { timeZone: 'Asia/Tokyo' }, { timeZone: 'Europe/Berlin' }],
  );
  assert.deepEqual(problems, []);

  const unknown = zoned('Europe/Berln');
  assert.deepEqual(
    unknown.settings.providers.map(({ words }) => words?.timeZone),
    [undefined, 'Asia/Tokyo', undefined],
  );
  assert.deepEqual(unknown.problems, [
    {
      reason: 'UnknownTimeZone',
      message: '`spec.app.timeZone` is "Europe/Berln", which is no IANA time zone: write one such as Europe/Berlin',
    },
  ]);
});

test('where each reader sees times in a zone of their own, only one that the AlertProvider asks for replaces it', () => {
  const slack = { type: 'slack', slack: { webhook: { value: 'https://hooks.slack.com/services/T0/B0/x' } } };
  const { settings } = compose(
    objectsOf(
      config({ app: { timeZone: 'Europe/Berlin' } }),
      { ...provider('a'), spec: slack },
      { ...provider('b'), spec: { ...slack, message: { timeZone: 'Asia/Tokyo' } } },
    ),
  );
  assert.deepEqual(
    settings.providers.map(({ words }) => words?.timeZone),
    [undefined, 'Asia/Tokyo'],
  );
});

test('people act by providers in the operator’s namespace alone', () => {
  const spec = { type: 'telegram', telegram: { token: { value: '1:a' }, chatId: '-1', actions: { users: ['7'] } } };
  const own = { ...provider('own'), spec };
  const tenant = { ...provider('tenant', { metadata: { namespace: 'shop' } }), spec };
  const { settings } = compose(objectsOf(own, tenant));
  assert.deepEqual(
    settings.providers.map(({ namespace, config: { actions } }) => [namespace, actions]),
    [
      ['shop', undefined],
      ['tocsin', { users: ['7'] }],
    ],
  );
});
