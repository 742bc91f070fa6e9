import { acknowledgementsIn } from '../model/acknowledgement.ts';
import { parseDurationMs } from '../model/duration.ts';
import { refOf } from '../model/ref.ts';
import type { Selector } from '../model/selector.ts';
import { defaultRows } from '../model/setting-rows.ts';
import {
  defaultSettings,
  type ProviderSettings,
  type SecretLocation,
  type Settings,
  type SilenceSettings,
} from '../model/settings.ts';
import { objectOf } from '../providers/kit/block.ts';
import { splitConfig } from '../providers/kit/config.ts';
import type { AnyProvider } from '../providers/kit/define.ts';
import { closesSomething } from '../providers/kit/supports.ts';
import { specFields } from '../providers/kit/tls.ts';
import type { AlertConfig } from './alert-config.ts';
import type { AlertProvider } from './alert-provider.ts';
import { alertsTokenOf, heartbeatSourceOf, hubKeyOf } from './own-secrets.ts';
import { lastInstant } from './rules/opening.ts';
import { selectorOf } from './selector.ts';
import type { Silence } from './silence.ts';

/** A provider's settings before it is known whether it can be used and who is active. */
export type ProviderCandidate = Omit<ProviderSettings, 'active' | 'usable' | 'contacts' | 'mentionFrom'>;

/** The routes of an AlertProvider; none: everything in scope goes there. */
export function routesOf({ routes = [] }: Pick<AlertProvider['spec'], 'routes'>): readonly Selector[] {
  return routes.map(({ selector }) => selectorOf(selector));
}

/** What an AlertProvider means. `definition`: of its type; the object has passed `checkProvider`. */
export function providerSettings(object: AlertProvider, definition: AnyProvider): ProviderCandidate {
  const { metadata, spec } = object;
  const delayMs = spec.retry?.delay === undefined ? undefined : parseDurationMs(spec.retry.delay);
  const { config, secrets } = splitConfig(definition, spec[spec.type]);
  return {
    ref: refOf('AlertProvider', metadata.namespace, metadata.name),
    uid: metadata.uid,
    namespace: metadata.namespace,
    type: spec.type,
    config,
    secrets: { ...secrets, ...splitConfig({ fields: specFields }, spec).secrets },
    ...(spec.routes && { routes: routesOf(spec) }),
    retry: {
      ...(spec.retry?.maxAttempts !== undefined && { maxAttempts: spec.retry.maxAttempts }),
      ...(delayMs !== undefined && { delayMs }),
    },
    ...(spec.fallback !== undefined && { fallback: refOf('AlertProvider', metadata.namespace, spec.fallback) }),
    suspended: spec.suspend === true,
    // The API server refuses it where an end closes something; what got past it must leave nothing open.
    ...(spec.sendResolved === false &&
      !closesSomething(definition, objectOf(spec[spec.type])) && { sendResolved: false as const }),
    ...(spec.silentUpdates === true && { silentUpdates: true as const }),
    ...(spec.message && { words: spec.message }),
    generation: metadata.generation,
  };
}

/**
 * What a Silence means; `undefined` when its times cannot be read or its selector restricts nothing. The API server refuses
 * such objects; one that got past it must not mute everything.
 */
export function silenceSettings(object: Silence): SilenceSettings | undefined {
  const { metadata, spec } = object;
  const startsAt = Date.parse(spec.startsAt ?? metadata.creationTimestamp);
  const endsAt =
    spec.endsAt === undefined ? startsAt + (spec.durationSeconds ?? Number.NaN) * 1000 : Date.parse(spec.endsAt);
  const selector = selectorOf(spec.selector);
  const canBeShown = [startsAt, endsAt].every((time) => Math.abs(time) <= lastInstant);
  if (!canBeShown || Object.keys(selector).length === 0) return undefined;
  return {
    ref: refOf('Silence', metadata.namespace, metadata.name),
    namespace: metadata.namespace,
    selector,
    startsAt,
    endsAt,
    ...(spec.comment !== undefined && { comment: spec.comment }),
    ...(spec.createdBy !== undefined && { createdBy: spec.createdBy }),
  };
}

/** The part of the settings that AlertConfig decides. */
export type ConfigSettings = Omit<
  Settings,
  'edition' | 'editionIsKnown' | 'operatorNamespace' | 'providers' | 'silences' | 'windows'
>;

/** What the AlertConfig means, defaults applied; without one, the defaults. */
export function configSettings(object: AlertConfig | undefined): ConfigSettings {
  const { app, detection, statusEndpoint, alertsIn = {}, hub = {}, ...spec } = object?.spec ?? {};
  const { token: _asked, ...alerts } = alertsIn;
  const token = object && alertsTokenOf(object)?.location;
  const { key: _signs, ...ofHub } = hub;
  const key = object && hubKeyOf(object)?.location;
  const heartbeatSource = object && heartbeatSourceOf(object);
  const acknowledgements = acknowledgementsIn(object?.metadata.annotations);
  const preset = defaultSettings;
  const { communityProvider: _chosen, ...ownApp } = app ?? {};
  const overrides = (detection?.overrides ?? []).map((rule) => ({ ...rule, selector: selectorOf(rule.selector) }));
  return {
    app: { ...preset.app, ...ownApp },
    filters: { ...preset.filters, ...spec.filters },
    detection: { ...preset.detection, ...detection, overrides },
    incidents: { ...preset.incidents, ...spec.incidents },
    digest: { ...preset.digest, ...spec.digest },
    evidence: { ...preset.evidence, ...spec.evidence },
    messages: { ...preset.messages, ...spec.messages },
    owners: { ...preset.owners, ...spec.owners },
    delivery: { ...preset.delivery, ...spec.delivery },
    statusEndpoint: { ...preset.statusEndpoint, ...statusEndpoint },
    signatures: spec.signatures ?? preset.signatures,
    alertsIn: { ...preset.alertsIn, ...alerts, ...(token && { token }) },
    hub: { ...preset.hub, ...ofHub, ...(key && { key }) },
    ...(heartbeatSource && { heartbeat: heartbeatSettings(spec.heartbeat, heartbeatSource.location) }),
    auditLog: { ...preset.auditLog, ...spec.auditLog },
    metricsEndpoint: { ...preset.metricsEndpoint, ...spec.metricsEndpoint },
    ...(acknowledgements && { acknowledgements }),
  };
}

function heartbeatSettings(
  spec: Pick<Partial<NonNullable<Settings['heartbeat']>>, 'intervalSeconds'> | undefined,
  url: SecretLocation,
): NonNullable<Settings['heartbeat']> {
  const { intervalSeconds = defaultRows.heartbeat.intervalSeconds } = spec ?? {};
  return { intervalSeconds, url };
}
