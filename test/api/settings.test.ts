import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AlertConfig, AlertConfigSpec } from '../../src/api/alert-config.ts';
import type { AlertProvider } from '../../src/api/alert-provider.ts';
import { apiVersion } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { configSettings, providerSettings, silenceSettings } from '../../src/api/settings.ts';
import type { Silence, SilenceSpec } from '../../src/api/silence.ts';
import { prepared } from '../../src/api/validation/prepare.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { github } from '../../src/providers/github.ts';
import { pagerduty } from '../../src/providers/pagerduty.ts';
import { webhook } from '../../src/providers/webhook.ts';

const metadata = {
  name: 'a',
  namespace: 'tocsin',
  uid: 'u1',
  generation: 3,
  creationTimestamp: '2026-11-20T09:00:00Z',
};
const silence = (spec: SilenceSpec): Silence => ({ apiVersion, kind: 'Silence', metadata, spec });
const config = (spec: AlertConfigSpec): AlertConfig => ({ apiVersion, kind: 'AlertConfig', metadata, spec });

describe('a provider', () => {
  const spec: AlertProvider['spec'] = {
    type: 'webhook',
    webhook: {
      url: { secretKeyRef: { name: 's', key: 'url' } },
      headers: [{ name: 'X-Key', value: 'T0KEN' }],
      basicAuth: { username: 'u' },
    },
    routes: [{ selector: { severities: ['critical'] } }, { selector: {} }],
    retry: { maxAttempts: 0, delay: '1m30s' },
    fallback: 'mail',
  };
  const object: AlertProvider = { apiVersion, kind: 'AlertProvider', metadata, spec };

  test('is told ends and updates unless it says otherwise; an end that closes something is told whatever it says', () => {
    const told = (more: object): unknown => {
      const { sendResolved, silentUpdates } = providerSettings({ ...object, spec: { ...spec, ...more } }, webhook);
      return [sendResolved, silentUpdates];
    };
    assert.deepEqual(told({}), [undefined, undefined]);
    assert.deepEqual(told({ sendResolved: true, silentUpdates: false }), [undefined, undefined]);
    assert.deepEqual(told({ sendResolved: false, silentUpdates: true }), [false, true]);
    const forge = (closeOnResolve?: boolean): AlertProvider['spec'] => ({
      type: 'github',
      github: { owner: 'acme', repo: 'ops', ...(closeOnResolve !== undefined && { closeOnResolve }) },
      sendResolved: false,
    });
    const ofForge = (closes?: boolean): unknown =>
      providerSettings({ ...object, spec: forge(closes) }, github).sendResolved;
    assert.deepEqual([ofForge(), ofForge(false), ofForge(true)], [false, false, undefined]);
    const pager = { ...object, spec: { type: 'pagerduty', pagerduty: {}, sendResolved: false } };
    assert.equal(providerSettings(pager, pagerduty).sendResolved, undefined);
  });

  test('becomes settings with references and without values', () => {
    assert.deepEqual(providerSettings(object, webhook), {
      ref: 'AlertProvider/tocsin/a',
      uid: 'u1',
      namespace: 'tocsin',
      type: 'webhook',
      config: { basicAuth: { username: 'u' }, method: 'POST' },
      secrets: { url: { secret: 's', key: 'url' }, 'headers.X-Key': { inline: true } },
      routes: [{ severities: ['critical'] }, {}],
      retry: { maxAttempts: 0, delayMs: 90_000 },
      fallback: 'AlertProvider/tocsin/mail',
      suspended: false,
      generation: 3,
    });
  });

  test('without the common fields says nothing about them', () => {
    const bare = { ...object, spec: { type: 'webhook', webhook: spec.webhook, suspend: true } };
    const { routes, retry, fallback, suspended } = providerSettings(bare, webhook);
    assert.deepEqual([routes, retry, fallback, suspended], [undefined, {}, undefined, true]);
  });
});

describe('a silence', () => {
  const selector = { names: ['checkout'] };
  const created = Date.parse(metadata.creationTimestamp);

  test('of some length counts from its creation, or from its beginning where it has one', () => {
    const fromCreation = silenceSettings(silence({ selector, durationSeconds: 60 }));
    assert.deepEqual([fromCreation?.startsAt, fromCreation?.endsAt], [created, created + 60_000]);
    const later = silenceSettings(silence({ selector, durationSeconds: 60, startsAt: '2026-11-20T12:00:00+02:00' }));
    assert.deepEqual([later?.startsAt, later?.endsAt], [created + 3_600_000, created + 3_660_000]);
  });

  test('until a time ends then, and keeps who and why', () => {
    const settings = silenceSettings(
      silence({ selector, endsAt: '2026-11-20T10:00:00Z', comment: 'c', createdBy: 'b' }),
    );
    assert.deepEqual(settings, {
      ref: 'Silence/tocsin/a',
      namespace: 'tocsin',
      selector,
      startsAt: created,
      endsAt: created + 3_600_000,
      comment: 'c',
      createdBy: 'b',
    });
  });

  test('whose times cannot be read is none', () => {
    assert.equal(silenceSettings(silence({ selector })), undefined);
    assert.equal(silenceSettings(silence({ selector, endsAt: 'tomorrow' })), undefined);
    assert.equal(silenceSettings(silence({ selector, startsAt: 'now', durationSeconds: 5 })), undefined);
  });

  test('with nothing that restricts it mutes nothing', () => {
    assert.equal(silenceSettings(silence({ selector: {}, durationSeconds: 60 })), undefined);
    assert.equal(silenceSettings(silence({ selector: { names: [] }, durationSeconds: 60 })), undefined);
  });
});

describe('the config', () => {
  test('without an object means the defaults', () => {
    const { edition: _e, editionIsKnown: _k, operatorNamespace: _o, ...others } = defaultSettings;
    const { providers: _p, silences: _s, windows: _w, ...rest } = others;
    assert.deepEqual(configSettings(undefined), rest);
    assert.deepEqual(configSettings(config({})), rest);
  });

  test('changes what it names and nothing beside it', () => {
    const { incidents, detection, app } = configSettings(
      config({
        app: { clusterName: 'prod' },
        incidents: { holdSeconds: 5 },
        detection: { overrides: [{ selector: { reasons: ['OOMKilled'], names: [] }, severity: 'critical' }] },
      }),
    );
    assert.deepEqual(app, { clusterName: 'prod', startupMessage: 'WhenBroken' });
    assert.deepEqual(incidents, { ...defaultSettings.incidents, holdSeconds: 5 });
    assert.deepEqual(detection, {
      ...defaultSettings.detection,
      overrides: [{ selector: { reasons: ['OOMKilled'] }, severity: 'critical' }],
    });
  });

  test("the schema's defaults are those that apply without an object", () => {
    const schema: StructuralSchema = resources.AlertConfig.spec.json;
    const sections = { app: {}, detection: {}, incidents: {}, digest: {}, evidence: {}, delivery: {} };
    const shown = prepared(schema, sections);
    for (const [section, values] of Object.entries(Object(shown)))
      for (const [name, value] of Object.entries(Object(values))) {
        const preset: unknown = Object(Object(defaultSettings)[section])[name];
        assert.deepEqual(value, preset, `${section}.${name}`);
      }
    assert.equal(Object(Object(shown).incidents).cooldownSeconds, 900);
  });
});
