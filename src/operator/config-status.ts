import type { AlertConfig } from '../api/alert-config.ts';
import { inertSettings } from '../api/rules/inert.ts';
import type { Misplaced } from '../api/rules/place.ts';
import type { Coverage } from '../model/coverage.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { compareSeverity, type Severity } from '../model/severity.ts';
import { conditionsOf, instantOf, type Stated, urgencyOf } from './conditions.ts';
import type { DesiredStatus } from './status-writer.ts';
import type { StatusViews } from './views.ts';

type State = Stated<'AlertConfig'>;

/** Incidents listed in the status: the worst ones. */
const listed = 20;

/** What is wrong with the configuration as a whole. */
export type ConfigProblem = {
  readonly reason: Exclude<Extract<State, { type: 'Stalled' }>['reason'], 'NotStalled'>;
  readonly message: string;
};

function covered(coverage: readonly Coverage[]): State {
  const required = coverage.filter((row) => row.required);
  const missing = required.filter((row) => row.state !== 'Watching' && row.state !== 'Syncing');
  if (missing.length > 0) {
    const rows = missing.map((row) => `${row.source} (${row.state}, ${row.reason})`).join(', ');
    return { type: 'Covered', status: 'False', reason: 'SourceMissing', message: `Not watched: ${rows}.` };
  }
  if (required.some((row) => row.state === 'Syncing'))
    return {
      type: 'Covered',
      status: 'Unknown',
      reason: 'Syncing',
      message: 'Required sources are still being listed.',
    };
  return { type: 'Covered', status: 'True', reason: 'AllCovered', message: 'Every required source is watched.' };
}

function delivering(providers: readonly ProviderSettings[], views: StatusViews): State {
  const active = providers.filter((provider) => provider.active.is);
  if (active.length === 0)
    return {
      type: 'Delivering',
      status: 'False',
      reason: 'NoProvider',
      message: 'No AlertProvider is active: nobody is notified.',
    };
  const failing = active.filter((provider) => views.provider(provider.ref)?.failing);
  if (failing.length > 0) {
    const names = failing.map((provider) => provider.ref.replace(/^AlertProvider\//, '')).join(', ');
    return { type: 'Delivering', status: 'False', reason: 'ProviderFailing', message: `Deliveries fail: ${names}.` };
  }
  if (active.some((provider) => views.provider(provider.ref)?.lastDelivery))
    return { type: 'Delivering', status: 'True', reason: 'Delivered', message: 'The last delivery arrived.' };
  return {
    type: 'Delivering',
    status: 'Unknown',
    reason: 'NothingDelivered',
    message: 'Nothing had to be delivered yet.',
  };
}

/** Incidents that are open now: told or told-to-be, not settling and not over. */
function openOnes(incidents: Iterable<Incident>): Incident[] {
  return [...incidents]
    .filter(({ state }) => state === 'Open' || state === 'Recovering')
    .sort(
      (a, b) =>
        compareSeverity(a.explanation.severity, b.explanation.severity) ||
        a.startedAt - b.startedAt ||
        (a.id < b.id ? -1 : 1),
    );
}

function countBySeverity(open: readonly Incident[]): Record<Severity | 'total', number> {
  const counts = { total: open.length, critical: 0, high: 0, medium: 0, low: 0 };
  for (const incident of open) counts[incident.explanation.severity] += 1;
  return counts;
}

/** The status of the one AlertConfig. */
export function configStatus(
  object: AlertConfig,
  parts: {
    readonly problems: readonly ConfigProblem[];
    readonly providers: readonly ProviderSettings[];
    readonly views: StatusViews;
    readonly now: number;
  },
): DesiredStatus {
  const { problems, providers, views, now } = parts;
  const [problem] = problems;
  const says = problems.map(({ message }) => message).join('; ');
  const inert = inertSettings(object.spec).map((path) => `\`${path}\``);
  const understood =
    inert.length === 0
      ? 'Understood.'
      : `Understood; without effect in this version, which runs as Community: ${inert.join(', ')}.`;
  const stated: readonly State[] = [
    problem
      ? { type: 'Ready', status: 'False', reason: 'Invalid', message: says }
      : { type: 'Ready', status: 'True', reason: 'Accepted', message: understood },
    problem
      ? { type: 'Stalled', status: 'True', reason: problem.reason, message: says }
      : { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'Nothing for a human to do.' },
    covered(views.coverage()),
    delivering(providers, views),
  ];
  const conditions = conditionsOf<'AlertConfig'>(stated, object.status?.conditions, object.metadata.generation, now);
  const open = openOnes(views.incidents());
  const status = {
    observedGeneration: object.metadata.generation,
    conditions,
    edition: 'Community',
    coverage: views.coverage().map(({ source, state, reason, since }) => {
      return { resource: source, state, reason, since: instantOf(since) };
    }),
    openIncidents: countBySeverity(open),
    incidents: open.slice(0, listed).map((incident) => ({
      id: incident.id,
      severity: incident.explanation.severity,
      reason: incident.explanation.reason,
      root: incident.explanation.root.ref,
      since: instantOf(incident.startedAt),
      disposition: incident.standings['']?.disposition ?? 'Delivered',
    })),
    failedDeliveries: views.failedDeliveries(),
  };
  return { status, urgent: urgencyOf(conditions) };
}

/** The status of an AlertConfig that is not the one: another name, another namespace. It changes nothing and says so. */
export function ignoredConfigStatus(object: AlertConfig, { reason, message }: Misplaced, now: number): DesiredStatus {
  const unknown = { status: 'Unknown' as const, message: 'Not looked at: this object changes nothing.' };
  const stated: readonly State[] = [
    { type: 'Ready', status: 'False', reason: 'Ignored', message },
    { type: 'Stalled', status: 'True', reason, message },
    { type: 'Covered', reason: 'Syncing', ...unknown },
    { type: 'Delivering', reason: 'NothingDelivered', ...unknown },
  ];
  const conditions = conditionsOf<'AlertConfig'>(stated, object.status?.conditions, object.metadata.generation, now);
  return { status: { observedGeneration: object.metadata.generation, conditions }, urgent: urgencyOf(conditions) };
}
