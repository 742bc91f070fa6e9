/**
 * Manifests that the API server must take or refuse, and where and why. The offline validator and a real API server run the
 * same table: for the schema, path and class must agree; for CEL, the message word for word.
 */
import { actionCases } from './action-cases.ts';
import { type Case, cel, type Manifest, manifest, oneSource, ownBlock, type Spec, schema } from './case.ts';
import { phoneCases } from './phone-cases.ts';
import {
  botCases,
  emailCases,
  hookCases,
  matrixCases,
  pagerCases,
  silenceOfEndsCases,
  slackCases,
  splunkCases,
  telegramCases,
  trackerCases,
  webexCases,
  zulipCases,
} from './provider-cases.ts';
import { typeCases } from './type-cases.ts';

export type { Case, Manifest } from './case.ts';

const url = { secretKeyRef: { name: 'receiver', key: 'url' } };
const provider = (spec: Spec): Manifest => manifest('AlertProvider', { type: 'webhook', webhook: { url }, ...spec });
const webhook = (block: Spec): Manifest => provider({ webhook: { url, ...block } });
const silence = (spec: Spec): Manifest => manifest('Silence', { selector: { reasons: ['OOMKilled'] }, ...spec });
const silenced = (selector: Spec): Manifest => silence({ durationSeconds: 60, selector });
const window = (spec: Spec): Manifest => manifest('MaintenanceWindow', { selector: {}, ...spec });
const config = (spec: unknown, name = 'default'): Manifest => manifest('AlertConfig', spec, name);

const oneEnd = 'set exactly one of `endsAt` and `durationSeconds`';
const onceOrAgain = 'set `schedule` with `durationSeconds`';
const longText = 'x'.repeat(5000);

const providerCases: readonly Case[] = [
  { name: 'a provider with a Secret', manifest: provider({}) },
  { name: 'a provider with an inline value', manifest: webhook({ url: { value: 'https://receiver.example.com/' } }) },
  {
    name: 'a provider with every field',
    manifest: provider({
      webhook: {
        url,
        body: '{"title": event.title}',
        method: 'PUT',
        contentType: 'application/vnd.kafka.json.v2+json',
        headers: [
          { name: 'X-Team', value: 'platform' },
          { name: 'Authorization', secretKeyRef: { name: 'receiver', key: 'authorization' } },
        ],
      },
      routes: [{ selector: { severities: ['critical', 'high'], labels: { team: 'payments' } } }, { selector: {} }],
      retry: { maxAttempts: 0, delay: '1m30s' },
      fallback: 'mail',
      message: {
        prefix: 'PROD',
        facts: {
          add: [
            { name: 'Team', label: 'team' },
            { name: 'Region', value: 'eu' },
          ],
          leaveOut: ['Image'],
          order: ['Owner'],
        },
        timeZone: 'Europe/Berlin',
      },
      tls: { caBundle: { value: 'PEM' }, clientCertificate: url, clientKey: url },
      suspend: true,
    }),
  },
  { name: 'authorities alone', manifest: provider({ tls: { caBundle: url } }) },
  {
    name: 'a key without its certificate',
    manifest: provider({ tls: { clientKey: url } }),
    refused: cel('spec.tls', 'set `clientCertificate` and `clientKey` together'),
  },
  {
    name: 'authorities as a text',
    manifest: provider({ tls: { caBundle: '-----BEGIN CERTIFICATE-----' } }),
    refused: schema('spec.tls.caBundle'),
  },
  {
    name: 'authorities with two sources',
    manifest: provider({ tls: { caBundle: { ...url, value: 'x' } } }),
    refused: cel('spec.tls.caBundle', oneSource),
  },
  { name: 'a field that is null counts as absent', manifest: provider({ suspend: null, retry: null }) },
  { name: 'an empty password of Basic authentication', manifest: webhook({ basicAuth: { username: 'tocsin' } }) },
  { name: 'the same type again', manifest: provider({ suspend: true }), previous: provider({}) },
  {
    name: 'a fact of its own that is a label and a text',
    manifest: provider({ message: { facts: { add: [{ name: 'Team', label: 'team', value: 'x' }] } } }),
    refused: cel('spec.message.facts.add[0]', 'exactly one of `label` and `value`'),
  },
  {
    name: 'a fact of its own without a value',
    manifest: provider({ message: { facts: { add: [{ name: 'Team' }] } } }),
    refused: cel('spec.message.facts.add[0]', 'exactly one of `label` and `value`'),
  },
  {
    name: 'a fact of its own without a name',
    manifest: provider({ message: { facts: { add: [{ label: 'team' }] } } }),
    refused: schema('spec.message.facts.add[0].name'),
  },
  { name: 'an empty prefix', manifest: provider({ message: { prefix: '' } }), refused: schema('spec.message.prefix') },
  { name: 'a body that is no text', manifest: webhook({ body: { a: 1 } }), refused: schema('spec.webhook.body') },
  { name: 'another method', manifest: webhook({ method: 'DELETE' }), refused: schema('spec.webhook.method') },
  {
    name: 'a type of a body that is none of JSON',
    manifest: webhook({ body: '[1]', contentType: 'application/json\r\nX: y' }),
    refused: schema('spec.webhook.contentType'),
  },
  { name: 'no spec', manifest: manifest('AlertProvider', undefined), refused: schema('spec') },
  { name: 'no type', manifest: manifest('AlertProvider', { webhook: { url } }), refused: schema('spec.type') },
  { name: 'an unknown type', manifest: provider({ type: 'carrierpigeon' }), refused: schema('spec.type') },
  { name: 'a type that is no text', manifest: provider({ type: 5 }), refused: schema('spec.type') },
  { name: 'a type in capitals', manifest: provider({ type: 'Webhook' }), refused: schema('spec.type') },
  {
    name: 'no block',
    manifest: manifest('AlertProvider', { type: 'webhook' }),
    refused: cel('spec', ownBlock),
  },
  { name: 'an unknown block', manifest: provider({ carrierpigeon: {} }), refused: schema('spec.carrierpigeon') },
  { name: 'an unknown field of a block', manifest: webhook({ uri: url }), refused: schema('spec.webhook.uri') },
  {
    name: 'a missing required field',
    manifest: provider({ webhook: { headers: [] } }),
    refused: schema('spec.webhook.url'),
  },
  { name: 'a secret written as text', manifest: webhook({ url: 'https://h/' }), refused: schema('spec.webhook.url') },
  { name: 'a secret without a source', manifest: webhook({ url: {} }), refused: cel('spec.webhook.url', oneSource) },
  {
    name: 'a secret with two sources',
    manifest: webhook({ url: { ...url, value: 'https://h/' } }),
    refused: cel('spec.webhook.url', oneSource),
  },
  {
    name: 'a reference without a key',
    manifest: webhook({ url: { secretKeyRef: { name: 'receiver' } } }),
    refused: schema('spec.webhook.url.secretKeyRef.key'),
  },
  {
    name: 'a reference to a nameless Secret',
    manifest: webhook({ url: { secretKeyRef: { name: '', key: 'url' } } }),
    refused: schema('spec.webhook.url.secretKeyRef.name'),
  },
  {
    name: 'a value that is too long',
    manifest: webhook({ url: { value: longText } }),
    refused: schema('spec.webhook.url.value'),
  },
  { name: 'headers as text', manifest: webhook({ headers: 'X-Team: a' }), refused: schema('spec.webhook.headers') },
  {
    name: 'a header with a space in its name',
    manifest: webhook({ headers: [{ name: 'X Team', value: 'a' }] }),
    refused: schema('spec.webhook.headers[0].name'),
  },
  {
    name: 'a header with a line break in its value',
    manifest: webhook({ headers: [{ name: 'X-Team', value: 'a\r\nX-Other: b' }] }),
    refused: schema('spec.webhook.headers[0].value'),
  },
  {
    name: 'a header without a source',
    manifest: webhook({ headers: [{ name: 'X-Team' }] }),
    refused: cel('spec.webhook.headers[0]', oneSource),
  },
  {
    name: 'a header that frames the request',
    manifest: webhook({ headers: [{ name: 'Content-Length', value: '5' }] }),
    refused: cel('spec.webhook.headers[0]', 'this header is set by Tocsin itself'),
  },
  {
    name: 'a header of a refused family',
    manifest: webhook({
      headers: [
        { name: 'X-Team', value: 'a' },
        { name: 'CE-id', value: '5' },
      ],
    }),
    refused: cel('spec.webhook.headers[1]', 'this header is set by Tocsin itself'),
  },
  {
    name: 'a header that only resembles a refused one',
    manifest: webhook({
      headers: [
        { name: 'X-Host', value: 'a' },
        { name: 'Host-Name', value: 'b' },
      ],
    }),
  },
  {
    name: 'a header twice',
    manifest: webhook({
      headers: [
        { name: 'X-Team', value: 'a' },
        { name: 'X-Team', value: 'b' },
      ],
    }),
    refused: schema('spec.webhook.headers[1]'),
  },
  {
    name: 'Basic authentication beside a header Authorization',
    manifest: webhook({
      basicAuth: { username: 'tocsin' },
      headers: [{ name: 'authorization', value: 'Bearer x' }],
    }),
    refused: cel('spec.webhook', 'use either `basicAuth` or a header named Authorization'),
  },
  {
    name: 'a password without a user name',
    manifest: webhook({ basicAuth: { password: { value: 'p' } } }),
    refused: cel('spec.webhook.basicAuth', 'set `username` with `password`'),
  },
  {
    name: 'too many retries',
    manifest: provider({ retry: { maxAttempts: 21 } }),
    refused: schema('spec.retry.maxAttempts'),
  },
  {
    name: 'a negative number of retries',
    manifest: provider({ retry: { maxAttempts: -1 } }),
    refused: schema('spec.retry.maxAttempts'),
  },
  {
    name: 'retries as text',
    manifest: provider({ retry: { maxAttempts: '5' } }),
    refused: schema('spec.retry.maxAttempts'),
  },
  {
    name: 'a broken number of retries',
    manifest: provider({ retry: { maxAttempts: 1.5 } }),
    refused: schema('spec.retry.maxAttempts'),
  },
  {
    name: 'a delay without a unit',
    manifest: provider({ retry: { delay: '5' } }),
    refused: schema('spec.retry.delay'),
  },
  { name: 'suspend as text', manifest: provider({ suspend: 'yes' }), refused: schema('spec.suspend') },
  {
    name: 'an unknown severity in a route',
    manifest: provider({ routes: [{ selector: { severities: ['critical', 'urgent'] } }] }),
    refused: schema('spec.routes[0].selector.severities[1]'),
  },
  {
    name: 'a severity twice',
    manifest: provider({ routes: [{ selector: { severities: ['high', 'high'] } }] }),
    refused: schema('spec.routes[0].selector.severities[1]'),
  },
  {
    name: 'a route without a selector',
    manifest: provider({ routes: [{}] }),
    refused: schema('spec.routes[0].selector'),
  },
  {
    name: 'a misspelt field of a selector',
    manifest: provider({ routes: [{ selector: { namespace: ['shop'] } }] }),
    refused: schema('spec.routes[0].selector.namespace'),
  },
];

const silenceCases: readonly Case[] = [
  { name: 'a silence until a time', manifest: silence({ endsAt: '2026-12-02T06:00:00Z' }) },
  { name: 'a silence for a while', manifest: silence({ durationSeconds: 3600, comment: 'why', createdBy: 'lena' }) },
  {
    name: 'times in other zones, with fractions',
    manifest: silence({ startsAt: '2026-12-01T20:00:00.5+01:00', endsAt: '2026-12-02T06:00:00-08:00' }),
  },
  {
    name: 'every field of a selector',
    manifest: silenced({
      namespaces: ['shop', 'team-*', '!team-test'],
      reasons: ['OOMKilled', 'Image*'],
      severities: ['low'],
      kinds: ['Deployment'],
      names: ['api-?'],
      nodes: ['gpu-*'],
      labels: { 'app.kubernetes.io/name': 'api', empty: '' },
    }),
  },
  { name: 'a silence without an end', manifest: silence({}), refused: cel('spec', oneEnd) },
  {
    name: 'a silence with two ends',
    manifest: silence({ durationSeconds: 60, endsAt: '2026-12-02T06:00:00Z' }),
    refused: cel('spec', oneEnd),
  },
  {
    name: 'a silence until a year after which none can be written',
    manifest: silence({ endsAt: '9999-12-31T23:59:59Z' }),
    refused: schema('spec.endsAt'),
  },
  {
    name: 'a silence that ends before it begins',
    manifest: silence({ startsAt: '2026-12-02T06:00:00+01:00', endsAt: '2026-12-02T05:00:00Z' }),
    refused: cel('spec', '`endsAt` must be after `startsAt`'),
  },
  {
    name: 'a silence without a selector',
    manifest: manifest('Silence', { durationSeconds: 60 }),
    refused: schema('spec.selector'),
  },
  {
    name: 'a silence with an empty selector',
    manifest: silenced({}),
    refused: cel('spec.selector', 'name at least one field'),
  },
  {
    name: 'a selector with an empty list',
    manifest: silenced({ namespaces: [] }),
    refused: schema('spec.selector.namespaces'),
  },
  { name: 'a selector with no labels', manifest: silenced({ labels: {} }), refused: schema('spec.selector.labels') },
  {
    name: 'a selector with an empty name',
    manifest: silenced({ names: [''] }),
    refused: schema('spec.selector.names[0]'),
  },
  {
    name: 'a selector with two exclamation marks',
    manifest: silenced({ names: ['!!a'] }),
    refused: schema('spec.selector.names[0]'),
  },
  {
    name: 'a label that is a number',
    manifest: silenced({ labels: { port: 80 } }),
    refused: schema('spec.selector.labels.port'),
  },
  {
    name: 'a time without a zone',
    manifest: silence({ endsAt: '2026-12-02T06:00:00' }),
    refused: schema('spec.endsAt'),
  },
  { name: 'a date without a time', manifest: silence({ endsAt: '2026-12-02' }), refused: schema('spec.endsAt') },
  {
    name: 'a day that does not exist',
    manifest: silence({ endsAt: '2026-02-30T06:00:00Z' }),
    refused: schema('spec.endsAt'),
  },
  {
    name: 'a month that does not exist',
    manifest: silence({ endsAt: '2026-13-01T06:00:00Z' }),
    refused: schema('spec.endsAt'),
  },
  {
    name: 'an hour that does not exist',
    manifest: silence({ endsAt: '2026-12-01T24:00:00Z' }),
    refused: schema('spec.endsAt'),
  },
  { name: 'a time in words', manifest: silence({ endsAt: 'tomorrow' }), refused: schema('spec.endsAt') },
  {
    name: 'a silence of no length',
    manifest: silence({ durationSeconds: 0 }),
    refused: schema('spec.durationSeconds'),
  },
  {
    name: 'a silence of two years',
    manifest: silence({ durationSeconds: 63_072_000 }),
    refused: schema('spec.durationSeconds'),
  },
];

const windowCases: readonly Case[] = [
  {
    name: 'a window by schedule',
    manifest: window({ schedule: '0 2 * * 6', durationSeconds: 7200, timeZone: 'Europe/Berlin' }),
  },
  { name: 'a window for once', manifest: window({ startsAt: '2026-12-01T20:00:00Z', endsAt: '2026-12-01T22:00:00Z' }) },
  { name: 'a window without times', manifest: window({}), refused: cel('spec', onceOrAgain) },
  {
    name: 'a schedule without a length',
    manifest: window({ schedule: '0 2 * * 6' }),
    refused: cel('spec', onceOrAgain),
  },
  {
    name: 'a schedule with an end',
    manifest: window({ schedule: '0 2 * * 6', durationSeconds: 7200, endsAt: '2026-12-01T22:00:00Z' }),
    refused: cel('spec', onceOrAgain),
  },
  {
    name: 'a beginning without an end',
    manifest: window({ startsAt: '2026-12-01T20:00:00Z' }),
    refused: cel('spec', onceOrAgain),
  },
  {
    name: 'a window that closes as it opens',
    manifest: window({ startsAt: '2026-12-01T20:00:00Z', endsAt: '2026-12-01T20:00:00Z' }),
    refused: cel('spec', '`endsAt` must be after `startsAt`'),
  },
  {
    name: 'an empty schedule',
    manifest: window({ schedule: '', durationSeconds: 7200 }),
    refused: schema('spec.schedule'),
  },
  {
    name: 'a window of a second',
    manifest: window({ schedule: '0 2 * * 6', durationSeconds: 1 }),
    refused: schema('spec.durationSeconds'),
  },
  {
    name: 'a window without a selector',
    manifest: manifest('MaintenanceWindow', { schedule: '0 2 * * 6', durationSeconds: 7200 }),
    refused: schema('spec.selector'),
  },
];

const configCases: readonly Case[] = [
  { name: 'a config without a spec', manifest: config(undefined) },
  { name: 'an empty config', manifest: config({}) },
  {
    name: 'a config with every field',
    manifest: config({
      app: {
        clusterName: 'prod-eu',
        communityProvider: 'oncall',
        timeZone: 'America/Argentina/Buenos_Aires',
        proxyURL: 'http://proxy:3128',
        startupMessage: 'Always',
      },
      filters: { namespaces: ['!sandbox-*'], reasons: [] },
      detection: {
        overrides: [
          { selector: { reasons: ['OOMKilled'] }, severity: 'critical', settleSeconds: 0 },
          { selector: { namespaces: ['preview-*'] }, maxSeverity: 'medium' },
        ],
        volumeUsagePercent: 85,
        certificateExpiryDays: 14,
      },
      incidents: {
        cooldownSeconds: 900,
        holdSeconds: 180,
        renotifySeconds: { critical: 14_400 },
        kubernetesEvents: true,
      },
      digest: { intervalSeconds: 1800 },
      evidence: { logLines: 30, logs: true, events: true },
      messages: {
        runbooks: { OOMKilled: 'https://a.example/' },
        dashboardURL: 'https://a.example/{namespace}/{name}',
        statusPageURL: 'https://a.example/status',
      },
      owners: {
        keys: ['tocsin.dev/owner', 'acme.example/team', 'team'],
        mentionFrom: 'high',
        contacts: {
          payments: {
            slack: { mentions: ['U0ADA0', 'S0ONCALL'], channel: 'C0PAYMENTS' },
            jira: { assignees: ['5b10ac8d82e05b22cc7d4ef5'] },
            opsgenie: { responders: ['payments', 'user:ada@example.com'] },
          },
          'ada@example.com': { zulip: { mentions: ['17', 'group:on call'] } },
        },
      },
      signatures: [
        {
          ...{ name: 'PoolExhausted', says: 'has no connections left', severity: 'high', forSeconds: 60 },
          ...{ kinds: ['Pod'], namespaces: ['shop', '!shop-old'], lastLine: 'no * slots' },
        },
        {
          ...{ name: 'Behind', says: 'is behind', kinds: ['Cluster.postgresql.cnpg.io'] },
          condition: { type: 'UpToDate', status: 'Unknown', reason: 'Lag', message: '?? min' },
        },
        { name: 'PortLost', says: 'has lost its port', event: { reason: 'PortTaken', message: 'leased' } },
      ],
      alertsIn: {
        ...{ enabled: true, allowPlainHTTP: true, expireSeconds: 3_600, names: ['Kube*', '!KubeInfo'] },
        token: { secretKeyRef: { name: 'alerts', key: 'token' } },
        rules: [{ label: 'rollout', kind: 'Deployment', namespaceLabel: 'team' }],
        severities: { P1: 'critical', page: 'high' },
      },
      hub: { enabled: true, allowPlainHTTP: true, key: { secretKeyRef: { name: 'hub', key: 'key' } } },
      delivery: { timeoutSeconds: 10, allowedPrivateDestinations: ['10.0.0.0/8', 'fd00::/8'] },
      statusEndpoint: { enabled: true, allowPlainHTTP: true, tls: { secretName: 'tls' } },
      metricsEndpoint: { authentication: 'Token' },
      heartbeat: { url: { secretKeyRef: { name: 'dead-man', key: 'url' } }, intervalSeconds: 60 },
      auditLog: { enabled: true, path: '-' },
      license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } },
    }),
  },
  { name: 'a config with another name', manifest: config({}, 'other'), refused: cel('', 'must be named default') },
  { name: 'an unknown section', manifest: config({ application: {} }), refused: schema('spec.application') },
  {
    name: 'an override that changes nothing',
    manifest: config({ detection: { overrides: [{ selector: {} }] } }),
    refused: cel('spec.detection.overrides[0]', 'say what changes'),
  },
  {
    name: 'an override with two severities',
    manifest: config({ detection: { overrides: [{ selector: {}, severity: 'low', maxSeverity: 'high' }] } }),
    refused: cel('spec.detection.overrides[0]', 'not both'),
  },
  {
    name: 'a percentage above 100',
    manifest: config({ detection: { volumeUsagePercent: 101 } }),
    refused: schema('spec.detection.volumeUsagePercent'),
  },
  {
    name: 'an unknown word for the startup message',
    manifest: config({ app: { startupMessage: 'Sometimes' } }),
    refused: schema('spec.app.startupMessage'),
  },
  {
    name: 'an offset in place of a time zone',
    manifest: config({ app: { timeZone: '+02:00' } }),
    refused: schema('spec.app.timeZone'),
  },
  {
    name: 'a proxy without a scheme',
    manifest: config({ app: { proxyURL: 'proxy:3128' } }),
    refused: schema('spec.app.proxyURL'),
  },
  {
    name: 'a runbook that is no address',
    manifest: config({ messages: { runbooks: { OOMKilled: 'ask Kim' } } }),
    refused: schema('spec.messages.runbooks.OOMKilled'),
  },
  { name: 'no owners are named', manifest: config({ owners: { keys: [], contacts: {} } }) },
  ...[
    ['an owner who is everybody in Slack', { slack: { mentions: ['!channel'] } }, 'slack.mentions[0]'],
    ['an owner who is everybody in Mattermost', { mattermost: { mentions: ['@all'] } }, 'mattermost.mentions[0]'],
    [
      'an owner who is a role of everybody in Zulip',
      { zulip: { mentions: ['group:role:everyone'] } },
      'zulip.mentions[0]',
    ],
    ['an owner with a channel by its name', { slack: { channel: '#payments' } }, 'slack.channel'],
    ['an owner in a product that asks for nobody', { sns: { mentions: ['ada'] } }, 'sns'],
    ['an owner who is mentioned where issues are assigned', { github: { mentions: ['ada'] } }, 'github.mentions'],
    [
      'an owner with six names',
      { slack: { mentions: ['U0ADA0', 'U0ADA1', 'U0ADA2', 'U0ADA3', 'U0ADA4', 'U0ADA5'] } },
      'slack.mentions',
    ],
  ].map(
    ([name, payments, path]): Case => ({
      name: String(name),
      manifest: config({ owners: { contacts: { payments } } }),
      refused: schema(`spec.owners.contacts.payments.${String(path)}`),
    }),
  ),
  {
    name: 'a key of an owner that no label can have',
    manifest: config({ owners: { keys: ['whose is it'] } }),
    refused: schema('spec.owners.keys[0]'),
  },
  {
    name: 'a network without its length',
    manifest: config({ delivery: { allowedPrivateDestinations: ['10.0.0.0'] } }),
    refused: schema('spec.delivery.allowedPrivateDestinations[0]'),
  },
  {
    name: 'a network twice',
    manifest: config({ delivery: { allowedPrivateDestinations: ['10.0.0.0/8', '10.0.0.0/8'] } }),
    refused: schema('spec.delivery.allowedPrivateDestinations[1]'),
  },
  ...[
    [
      'a label that Prometheus does not have',
      { rules: [{ label: 'app.kubernetes.io/name', kind: 'Pod' }] },
      'rules[0].label',
    ],
    ['a label without what it names', { rules: [{ label: 'app' }] }, 'rules[0].kind'],
    ['a label of a kind that no alert is about', { rules: [{ label: 'secret', kind: 'Secret' }] }, 'rules[0].kind'],
    ['alerts that end before anybody can repeat them', { expireSeconds: 60 }, 'expireSeconds'],
    ['a severity that there is not', { severities: { P1: 'worst' } }, 'severities.P1'],
  ].map(
    ([name, alertsIn, path]): Case => ({
      ...{ name: String(name), manifest: config({ alertsIn }), refused: schema(`spec.alertsIn.${String(path)}`) },
    }),
  ),
  ...[
    ['a signature whose line is everything', { lastLine: '***' }, 'lastLine'],
    ['a signature whose line is nearly everything', { lastLine: '*a?b*' }, 'lastLine'],
    ['a signature whose message is everything', { condition: { type: 'Ready', message: '???' } }, 'condition.message'],
    ['a signature of Events without their reason', { event: { message: 'port is taken' } }, 'event.reason'],
    ['a signature with a long pattern', { lastLine: 'x'.repeat(201) }, 'lastLine'],
    ['a signature of kinds as kubectl lists them', { lastLine: 'E7731', kinds: ['pods'] }, 'kinds[0]'],
    ['a signature without words', { says: '', lastLine: 'E7731' }, 'says'],
    ['a signature of a whole sentence', { says: 'It is broken.', lastLine: 'E7731' }, 'says'],
    ['a signature with a name of several words', { name: 'my signature', lastLine: 'E7731' }, 'name'],
  ].map(
    ([name, parts, path]): Case => ({
      name: String(name),
      manifest: config({ signatures: [{ name: 'Own', says: 'is broken', ...Object(parts) }] }),
      refused: schema(`spec.signatures[0].${String(path)}`),
    }),
  ),
  ...[
    ['a signature of nothing', {}, 'exactly one'],
    ['a signature of two things', { lastLine: 'E7731', event: { reason: 'Taken' } }, 'exactly one'],
    ['a signature of the last line of Nodes', { lastLine: 'E7731', kinds: ['Node'] }, 'only Pods'],
  ].map(
    ([name, parts, says]): Case => ({
      name: String(name),
      manifest: config({ signatures: [{ name: 'Own', says: 'is broken', ...Object(parts) }] }),
      refused: cel('spec.signatures[0]', String(says)),
    }),
  ),
  {
    name: 'two signatures of one name',
    manifest: config({ signatures: [1, 2].map((at) => ({ name: 'Own', says: 'is broken', lastLine: `E773${at}` })) }),
    refused: schema('spec.signatures[1]'),
  },
  {
    name: 'a Node with the label of its namespace',
    manifest: config({ alertsIn: { rules: [{ label: 'host', kind: 'Node', namespaceLabel: 'team' }] } }),
    refused: cel('spec.alertsIn.rules[0]', 'in no namespace'),
  },
  {
    name: 'a token for alerts that is in two places',
    manifest: config({ alertsIn: { token: { value: 'x', secretKeyRef: { name: 'alerts', key: 'token' } } } }),
    refused: cel('spec.alertsIn.token', oneSource),
  },
  {
    name: 'a member of a hub',
    manifest: config({ hub: { url: 'https://hub.example.com:8443/tocsin', key: { value: 'k'.repeat(32) } } }),
  },
  {
    name: 'a member without a key',
    manifest: config({ hub: { url: 'https://hub.example.com' } }),
    refused: cel('spec.hub', 'set `key`'),
  },
  {
    name: 'a hub without a key',
    manifest: config({ hub: { enabled: true } }),
    refused: cel('spec.hub', 'set `key`'),
  },
  {
    name: 'a hub that is a member',
    manifest: config({ hub: { enabled: true, url: 'https://hub.example.com', key: { value: 'k'.repeat(32) } } }),
    refused: cel('spec.hub', 'not both'),
  },
  {
    name: 'a key of a hub that can be guessed',
    manifest: config({ hub: { enabled: true, key: { value: 'secret' } } }),
    refused: cel('spec.hub', 'too short'),
  },
  {
    name: 'a hub with a password in its address',
    manifest: config({ hub: { url: 'https://me:secret@hub.example.com', key: { value: 'k'.repeat(32) } } }),
    refused: schema('spec.hub.url'),
  },
  {
    name: 'a heartbeat without an address',
    manifest: config({ heartbeat: { intervalSeconds: 60 } }),
    refused: schema('spec.heartbeat.url'),
  },
  { name: 'a licence without a source', manifest: config({ license: {} }), refused: cel('spec.license', oneSource) },
  {
    name: 'an audit log in a folder without a slash',
    manifest: config({ auditLog: { path: 'audit.jsonl' } }),
    refused: schema('spec.auditLog.path'),
  },
];

/** The table. */
export const cases: readonly Case[] = [
  ...providerCases,
  ...slackCases,
  ...botCases,
  ...silenceOfEndsCases,
  ...emailCases,
  ...trackerCases,
  ...matrixCases,
  ...webexCases,
  ...zulipCases,
  ...splunkCases,
  ...telegramCases,
  ...hookCases,
  ...pagerCases,
  ...actionCases,
  ...phoneCases,
  ...typeCases,
  ...silenceCases,
  ...windowCases,
  ...configCases,
];
