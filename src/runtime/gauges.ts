import type { Coverage } from '../model/coverage.ts';
import type { Incident } from '../model/incident.ts';
import type { LicenseStanding } from '../model/license.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Fills, at every scrape, the gauges of what is watched, of what is open and of the licence. */
export function exposeGauges(
  metrics: Metrics,
  views: {
    readonly coverage: () => readonly Coverage[];
    readonly stats: () => ReadonlyMap<string, { readonly objects: number }>;
    readonly incidents: () => Iterable<Incident>;
    readonly providers: () => readonly ProviderSettings[];
    readonly license: () => LicenseStanding;
    readonly version: string;
  },
): void {
  metrics.beforeScrape(() => {
    metrics.reset('tocsin_source_state');
    metrics.reset('tocsin_source_objects');
    metrics.reset('tocsin_incidents');
    metrics.reset('tocsin_provider_usable');
    metrics.reset('tocsin_build_info');
    const { edition, state, expiresAt = 0 } = views.license();
    metrics.set('tocsin_build_info', { version: views.version, edition }, 1);
    metrics.set('tocsin_license_expiry_timestamp_seconds', {}, state.startsWith('Trial') ? 0 : expiresAt / 1000);
    for (const { source, state } of views.coverage()) metrics.set('tocsin_source_state', { source, state }, 1);
    for (const [source, { objects }] of views.stats()) metrics.set('tocsin_source_objects', { source }, objects);
    for (const { ref, type, active, usable } of views.providers())
      if (active.is) metrics.set('tocsin_provider_usable', { provider: ref, type }, usable ? 1 : 0);
    for (const [labels, count] of openIncidents(views.incidents())) metrics.set('tocsin_incidents', labels, count);
  });
}

function openIncidents(
  incidents: Iterable<Incident>,
): readonly (readonly [Record<'severity' | 'disposition', string>, number])[] {
  const open = [...incidents].filter(({ state }) => state === 'Open' || state === 'Recovering');
  const groups = Map.groupBy(
    open,
    ({ explanation, standings }) => `${explanation.severity} ${standings['']?.disposition ?? 'Delivered'}`,
  );
  return [...groups].map(([key, { length }]) => {
    const [severity = '', disposition = ''] = key.split(' ');
    return [{ severity, disposition }, length];
  });
}
