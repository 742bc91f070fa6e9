import type { AlertConfig } from '../api/alert-config.ts';
import type { Misplaced } from '../api/rules/place.ts';
import type { AuditView } from '../model/audit.ts';
import type { Coverage } from '../model/coverage.ts';
import { features } from '../model/edition.ts';
import type { HeartbeatView, Hindrance } from '../model/heartbeat.ts';
import type { Incident } from '../model/incident.ts';
import { type LicenseStanding, licenseStates } from '../model/license.ts';
import { nameOf, namespaceOf } from '../model/ref.ts';
import { unroutedAmong } from '../model/routes.ts';
import type { ServingCertificateView } from '../model/serving-certificate.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { compareSeverity, type Severity } from '../model/severity.ts';
import { conditionsOf, instantOf, type Stated, urgencyOf } from './conditions.ts';
import type { StatusViews } from './options.ts';
import { stateSaved } from './state-condition.ts';
import type { DesiredStatus } from './status-writer.ts';

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
      message: 'Still listing the required sources.',
    };
  return { type: 'Covered', status: 'True', reason: 'AllCovered', message: 'Every required source is watched.' };
}

/** Namespace and name of each. */
function namesOf(providers: readonly ProviderSettings[]): string {
  return providers.map(({ ref }) => `${namespaceOf(ref)}/${nameOf(ref)}`).join(', ');
}

/** Said while something is open that reaches nobody. */
const noRoute =
  'Some open incidents match no route of any AlertProvider, so nobody is told of them: `status.incidents` marks them as `unrouted`. Let one AlertProvider without `spec.routes` take the rest, or add a route for them.';

function delivering(providers: readonly ProviderSettings[], isSomeUnrouted: boolean, views: StatusViews): State {
  const active = providers.filter((provider) => provider.active.is);
  if (active.length === 0)
    return {
      type: 'Delivering',
      status: 'False',
      reason: 'NoProvider',
      message: 'No AlertProvider is active: nobody is notified.',
    };
  const unusable = active.filter(({ usable }) => !usable);
  if (unusable.length > 0)
    return {
      type: 'Delivering',
      status: 'False',
      reason: 'ProviderUnusable',
      message: `Nothing can be delivered until these AlertProviders are Ready: ${namesOf(unusable)}.`,
    };
  const failing = active.filter((provider) => views.provider(provider.ref)?.failing);
  if (failing.length > 0)
    return {
      type: 'Delivering',
      status: 'False',
      reason: 'ProviderFailing',
      message: `Deliveries are failing: ${namesOf(failing)}.`,
    };
  if (isSomeUnrouted) return { type: 'Delivering', status: 'False', reason: 'NoRoute', message: noRoute };
  if (active.some((provider) => views.provider(provider.ref)?.lastDelivery))
    return { type: 'Delivering', status: 'True', reason: 'Delivered', message: 'The last delivery succeeded.' };
  return {
    type: 'Delivering',
    status: 'Unknown',
    reason: 'NothingDelivered',
    message: 'Nothing has been delivered yet.',
  };
}

/** What hinders a heartbeat, in words. */
const hindranceWords: Readonly<Record<Hindrance, string>> = {
  LockNotHeld: 'the state lock is not held',
  StateNotLoaded: 'the state is not loaded yet',
  SourceNotWatched: 'a required source is not watched',
  TurnStuck: 'the process is stuck',
  NoActiveProvider: 'no AlertProvider is active',
  DeliveryFailing: 'an active AlertProvider fails',
};

/** Nothing is said of a heartbeat that nobody asked for. */
function beating(view: HeartbeatView): readonly State[] {
  const type = 'Heartbeat';
  if (view.is === 'off') return [];
  if (view.is === 'sent') return [{ type, status: 'True', reason: 'Sent', message: 'The last request was accepted.' }];
  if (view.is === 'pending')
    return [{ type, status: 'Unknown', reason: 'Pending', message: 'Nothing has been requested yet.' }];
  if (view.is === 'failing')
    return [{ type, status: 'False', reason: 'Failing', message: `The last request was not accepted: ${view.why}.` }];
  const because = view.because.map((hindrance) => hindranceWords[hindrance]).join('; ');
  return [
    { type, status: 'False', reason: 'Withheld', message: `It is withheld, so that others take notice: ${because}.` },
  ];
}

/** Nothing is said of TLS that nobody asked for. */
function servingTls(view: ServingCertificateView): readonly State[] {
  const type = 'ServingTLS';
  if (view.is === 'off') return [];
  if (view.is === 'pending')
    return [{ type, status: 'Unknown', reason: 'Pending', message: 'The Secret has not been read yet.' }];
  if (view.is === 'serving') {
    const message = `The certificate is valid until ${instantOf(view.notAfter)}.`;
    return [{ type, status: 'True', reason: 'Serving', message }];
  }
  const so = view.kept ? 'The certificate that was read before is still served' : 'Nothing is served over TLS';
  return [{ type, status: 'False', reason: 'CannotServe', message: `${so}: ${view.why}.` }];
}

/** Nothing is said of an audit log that nobody asked for. */
function auditing({ enabled, licensed, path, failure, lost }: AuditView): readonly State[] {
  if (!enabled) return [];
  const type = 'Auditing';
  if (!licensed)
    return [
      { type, status: 'False', reason: 'NotLicensed', message: `${features.auditLog.without} It needs a licence.` },
    ];
  const place = path === '-' ? 'standard output' : path;
  const gone = lost === 0 ? '' : ` Lines lost since the start: ${lost}.`;
  return failure === undefined
    ? [{ type, status: 'True', reason: 'Writing', message: `Decisions are written to ${place}.${gone}` }]
    : [{ type, status: 'False', reason: 'CannotWrite', message: `${place} cannot be written: ${failure}.${gone}` }];
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

/** A licence that is there and gives nothing needs somebody to act. */
function licenseProblems({ state, message }: LicenseStanding): readonly ConfigProblem[] {
  const { licensed, event } = licenseStates[state];
  if (licensed !== 'False' || event !== 'Warning') return [];
  return [{ reason: state === 'Expired' ? 'LicenseExpired' : 'InvalidLicense', message }];
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
    ...servingTls(views.servingCertificate()),
    ...auditing(views.audit()),
  ];
  const conditions = conditionsOf<'AlertConfig'>(stated, object.status?.conditions, object.metadata.generation, now);
  const status = {
    observedGeneration: object.metadata.generation,
    conditions,
    edition: license.edition,
    ...(license.licensee !== undefined && { licensee: license.licensee }),
    ...(license.expiresAt !== undefined && { expires: instantOf(license.expiresAt) }),
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
      ...(isUnrouted(incident) && { unrouted: true }),
    })),
    failedDeliveries: views.failedDeliveries(),
  };
  return { status, urgent: urgencyOf(conditions) };
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
