import type { Incident } from '../../src/model/incident.ts';
import type { IncidentTrail, ReportedIncident, ReportView } from '../../src/server/report-view.ts';
import { now, words } from './page-stage.ts';

/** What was decided and answered of an incident that was told at the second attempt; `said`: what the product answered first. */
const trail = (said: string): IncidentTrail => ({
  steps: [
    {
      ...{ at: now - 540_000, action: 'open', disposition: 'Delivered', audience: '' },
      ...{ reasonCode: 'Settled', severity: 'high' },
    },
  ],
  deliveries: [
    {
      ...{ provider: 'AlertProvider/tocsin/oncall', act: 'open', createdAt: now - 540_000 },
      ...{ ended: 'delivered', at: now - 530_000, attempts: 2 },
      failure: { class: 'retryable', code: 'ServerError', message: said },
    },
  ],
  forgotten: 0,
});

/** An incident as a report shows it. Without steps it was never told. */
export function told(incident: Incident, said = 'HTTP 503', steps?: readonly []): ReportedIncident {
  const none = { steps: [], deliveries: [], forgotten: 0 };
  return { incident, words: words(incident), trail: steps ? none : trail(said) };
}

/** A report of an hour. */
export function reportOf(incidents: readonly ReportedIncident[], more: Partial<ReportView> = {}): ReportView {
  const byId = new Map(incidents.map(({ incident }) => [incident.id, incident]));
  return {
    ...{ clusterName: 'prod-eu', source: 'the recording outage.jsonl', from: now - 3_600_000, until: now },
    ...{ incidents, parent: (id) => byId.get(id), others: [], providers: [], ...more },
  };
}
