import type { Coverage } from '../model/coverage.ts';
import type { Incident } from '../model/incident.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Fills, at every scrape, the gauges of what is watched and of what is open. */
export function exposeGauges(
  metrics: Metrics,
  views: {
    readonly coverage: () => readonly Coverage[];
    readonly stats: () => ReadonlyMap<string, { readonly objects: number }>;
    readonly incidents: () => Iterable<Incident>;
  },
): void {
  metrics.beforeScrape(() => {
    metrics.reset('tocsin_source_state');
    metrics.reset('tocsin_source_objects');
    metrics.reset('tocsin_incidents');
    for (const { source, state } of views.coverage()) metrics.set('tocsin_source_state', { source, state }, 1);
    for (const [source, { objects }] of views.stats()) metrics.set('tocsin_source_objects', { source }, objects);
    const open = [...views.incidents()].filter(({ state }) => state === 'Open' || state === 'Recovering');
    const groups = Map.groupBy(
      open,
      ({ explanation, standings }) => `${explanation.severity} ${standings['']?.disposition ?? 'Delivered'}`,
    );
    for (const [key, { length }] of groups) {
      const [severity = '', disposition = ''] = key.split(' ');
      metrics.set('tocsin_incidents', { severity, disposition }, length);
    }
  });
}
