import type { Unclear } from '../model/why.ts';
import type { ReportedIncident, ReportQuestion, ReportView } from '../server/report-view.ts';
import { chosen, limitsOf, periodOf } from './recording/report.ts';
import type { Workings } from './workings.ts';

/**
 * What a report of the running operator is made of: what is open, what was over lately, and what was decided and answered since this
 * process started. Unclear where what it is asked for is no object's name. `now`: epoch milliseconds.
 */
export function runningReport(
  workings: Pick<Workings, 'core' | 'trail' | 'settings' | 'delivery'>,
  asked: ReportQuestion,
  now: number,
): ReportView | Unclear {
  const { view } = workings.core;
  const all = [...view.incidents()].filter(({ state }) => state !== 'Settling');
  const known = all.map((incident): ReportedIncident => {
    return { incident, words: view.words(incident, now), trail: workings.trail.of(incident.id) };
  });
  const incidents = chosen(known, asked, view);
  if ('unclear' in incidents) return incidents;
  const { app, providers } = workings.settings.get();
  const about = limitsOf(asked);
  const byId = new Map(all.map((incident) => [incident.id, incident]));
  return {
    clusterName: app.clusterName,
    source: 'the running operator',
    incidents,
    ...periodOf(incidents, asked, now),
    ...(about !== undefined && { about }),
    parent: (id) => byId.get(id),
    others: asked.object === undefined ? workings.trail.summaries() : [],
    providers: providers.map((provider) => ({ ...provider, ...workings.delivery(provider.ref) })),
  };
}
