import type { AuditView } from '../model/audit.ts';
import type { Coverage } from '../model/coverage.ts';
import { features } from '../model/edition.ts';
import type { HeartbeatView, Hindrance } from '../model/heartbeat.ts';
import type { HubView } from '../model/hub.ts';
import { nameOf, namespaceOf } from '../model/ref.ts';
import type { ServingCertificateView } from '../model/serving-certificate.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { delivered, instantOf, nothingDelivered, type Stated } from './conditions.ts';
import type { StatusViews } from './options.ts';

type State = Stated<'AlertConfig'>;

/** Whether every source that is required is watched. */
export function covered(coverage: readonly Coverage[]): State {
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

/** Whether notifications arrive. */
export function delivering(providers: readonly ProviderSettings[], isSomeUnrouted: boolean, views: StatusViews): State {
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
  if (active.some((provider) => views.provider(provider.ref)?.lastDelivery)) return delivered;
  return nothingDelivered;
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
export function beating(view: HeartbeatView): readonly State[] {
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

/** Nothing is said of a hub that this cluster does not have. */
export function answering(view: HubView): readonly State[] {
  const type = 'Hub';
  if (view.is === 'off') return [];
  if (view.is === 'pending')
    return [{ type, status: 'Unknown', reason: 'Pending', message: 'The hub has not been asked yet.' }];
  if (view.is === 'answering')
    return [{ type, status: 'True', reason: 'Answering', message: `The hub ${view.name} answers.` }];
  const message = `The hub does not answer, so this cluster tells everything itself: ${view.why}.`;
  return [{ type, status: 'False', reason: 'Failing', message }];
}

/** Nothing is said of TLS that nobody asked for. */
export function servingTls(view: ServingCertificateView): readonly State[] {
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
export function auditing({ enabled, licensed, path, failure, lost }: AuditView): readonly State[] {
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
