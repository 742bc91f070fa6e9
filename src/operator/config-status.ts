import type { AlertConfig } from '../api/alert-config.ts';
import type { Misplaced } from '../api/rules/place.ts';
import {
  type Acknowledgement,
  type AcknowledgementOutcome,
  acknowledgementsIn,
  isSameAcknowledgement,
  whoAcknowledged,
} from '../model/acknowledgement.ts';
import { hearingOf, lastArrived } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import { type LicenseStanding, licenseStates } from '../model/license.ts';
import { nameOf } from '../model/ref.ts';
import { unroutedAmong } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { compareSeverity, type Severity } from '../model/severity.ts';
import { conditionsOf, instantOf, type Stated, urgencyOf } from './conditions.ts';
import { answering, auditing, beating, covered, delivering, servingTls } from './config-conditions.ts';
import type { StatusViews } from './options.ts';
import { stateSaved } from './state-condition.ts';
import type { DesiredStatus } from './status-writer.ts';

type State = Stated<'AlertConfig'>;

/** Incidents listed in the status: the worst ones. */
const listed = 20;
/** AlertProviders named for each at most. */
const mostNamed = 10;

/** Acknowledgements of which the outcome is said at most. */
const mostOutcomes = 100;

/** What is wrong with the configuration as a whole. */
export type ConfigProblem = {
  readonly reason: Exclude<Extract<State, { type: 'Stalled' }>['reason'], 'NotStalled'>;
  readonly message: string;
};

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

/** A licence that is there and gives nothing needs somebody to act. */
function licenseProblems({ state, message }: LicenseStanding): readonly ConfigProblem[] {
  const { licensed, event } = licenseStates[state];
  if (licensed !== 'False' || event !== 'Warning') return [];
  return [{ reason: state === 'Expired' ? 'LicenseExpired' : 'InvalidLicense', message }];
}

/** Who was notified of an incident, and who could not be. */
function heard(
  incident: Incident,
  providers: readonly ProviderSettings[],
): { readonly notifiedAt?: string; readonly notDelivered?: readonly string[] } {
  const told = lastArrived(incident);
  const failed = providers.filter(({ uid }) => hearingOf(incident, uid).trouble !== undefined);
  return {
    ...(told && { notifiedAt: instantOf(told.at) }),
    ...(failed.length > 0 && {
      notDelivered: failed.slice(0, mostNamed).map(({ namespace, ref }) => `${namespace}/${nameOf(ref)}`),
    }),
  };
}

/** Who has acknowledged what, and what became of each annotation: people wait for that. */
export function acknowledgedIn({
  acknowledgements = [],
  incidents = [],
}: Pick<NonNullable<AlertConfig['status']>, 'acknowledgements' | 'incidents'>): unknown {
  const taken = incidents.flatMap(({ id, acknowledgedBy }) =>
    acknowledgedBy === undefined ? [] : [[id, acknowledgedBy]],
  );
  return { acknowledgements, taken };
}

/** What became of what its annotations acknowledge. */
function outcomes(
  { metadata }: AlertConfig,
  open: readonly Incident[],
): Pick<NonNullable<AlertConfig['status']>, 'acknowledgements'> {
  const said = acknowledgementsIn(metadata.annotations);
  if (said === undefined) return {};
  const byId = new Map(open.map((incident) => [incident.id, incident]));
  const acknowledgements = Object.entries(said).flatMap(([incident, one]) => {
    const outcome = incident === '' ? undefined : outcomeOf(one, byId.get(incident));
    return outcome === undefined ? [] : [{ incident, outcome }];
  });
  return { acknowledgements: acknowledgements.slice(0, mostOutcomes) };
}

/** What became of one; `undefined`: nothing yet. */
function outcomeOf(said: Acknowledgement, incident: Incident | undefined): AcknowledgementOutcome | undefined {
  if (incident === undefined) return 'NotOpen';
  if (isSameAcknowledgement(said, incident.acknowledged)) return 'Acknowledged';
  return isSameAcknowledgement(said, incident.lapsed) ? 'Lapsed' : undefined;
}

/** The status of the one AlertConfig. */
export function configStatus(
  object: AlertConfig,
  parts: {
    readonly problems: readonly ConfigProblem[];
    readonly license: LicenseStanding;
    readonly providers: readonly ProviderSettings[];
    readonly views: StatusViews;
    readonly now: number;
  },
): DesiredStatus<'AlertConfig'> {
  const { license, providers, views, now } = parts;
  const problems = [...parts.problems, ...licenseProblems(license)];
  const [problem] = problems;
  const says = problems.map(({ message }) => message).join('; ');
  const open = openOnes(views.incidents());
  const ours = providers.filter(({ active, namespace }) => active.is && namespace === object.metadata.namespace);
  const isUnrouted = unroutedAmong(ours, license);
  const stated: readonly State[] = [
    problem
      ? { type: 'Ready', status: 'False', reason: 'Invalid', message: says }
      : { type: 'Ready', status: 'True', reason: 'Accepted', message: 'The configuration is valid.' },
    problem
      ? { type: 'Stalled', status: 'True', reason: problem.reason, message: says }
      : { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'No action is needed.' },
    {
      type: 'Licensed',
      status: licenseStates[license.state].licensed,
      reason: license.state,
      message: license.message,
    },
    stateSaved(license.edition, views.state()),
    covered(views.coverage()),
    delivering(providers, open.some(isUnrouted), views),
    ...beating(views.heartbeat()),
    ...answering(views.hub()),
    ...servingTls(views.servingCertificate()),
    ...auditing(views.audit()),
  ];
  const coverage = views.coverage();
  // What is watched is many rows of no news.
  const unwatched = coverage.filter(({ state }) => state !== 'Watching');
  const conditions = conditionsOf<'AlertConfig'>(stated, object.status?.conditions, object.metadata.generation, now);
  const status = {
    observedGeneration: object.metadata.generation,
    conditions,
    edition: license.edition,
    ...(license.licensee !== undefined && { licensee: license.licensee }),
    ...(license.expiresAt !== undefined && { expires: instantOf(license.expiresAt) }),
    watchedResources: coverage.length - unwatched.length,
    coverage: unwatched.map(({ source, state, reason, since }) => {
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
      ...(isUnrouted(incident) && { unrouted: true }),
      ...(incident.acknowledged && {
        acknowledgedBy: whoAcknowledged(incident.acknowledged),
        acknowledgedAt: instantOf(incident.acknowledged.at),
      }),
      ...heard(incident, providers),
    })),
    ...outcomes(object, open),
    failedDeliveries: views.failedDeliveries(),
  };
  return { status, urgent: urgencyOf(conditions, acknowledgedIn(status)) };
}

/** The status of an AlertConfig that is not the one: another name, another namespace. It changes nothing and says so. */
export function ignoredConfigStatus(
  object: AlertConfig,
  { reason, message }: Misplaced,
  now: number,
): DesiredStatus<'AlertConfig'> {
  const unknown = { status: 'Unknown' as const, message: 'This object is ignored.' };
  const stated: readonly State[] = [
    { type: 'Ready', status: 'False', reason: 'Ignored', message },
    { type: 'Stalled', status: 'True', reason, message },
    { type: 'Licensed', reason: 'NoLicense', ...unknown },
    { type: 'StateSaved', reason: 'NotLicensed', ...unknown },
    { type: 'Covered', reason: 'Syncing', ...unknown },
    { type: 'Delivering', reason: 'NothingDelivered', ...unknown },
  ];
  const conditions = conditionsOf<'AlertConfig'>(stated, object.status?.conditions, object.metadata.generation, now);
  return { status: { observedGeneration: object.metadata.generation, conditions }, urgent: urgencyOf(conditions) };
}
