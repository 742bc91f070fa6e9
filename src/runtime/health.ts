import type { LeaseHolder } from '../kube/lease-options.ts';
import type { Coverage } from '../model/coverage.ts';
import { includes } from '../model/edition.ts';
import type { Fault } from '../model/faults.ts';
import type { Hindrance } from '../model/heartbeat.ts';
import { type LicenseStanding, type LicenseStateRow, licenseStates } from '../model/license.ts';
import { qualifiedKind } from '../model/ref.ts';
import { groupOfSource } from '../model/resource.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StateView } from '../model/state-view.ts';
import type { CoverageRow, Degradation, HealthView, ReadyView } from '../server/views.ts';
import { kindInRefs, watchedSource } from '../world/kinds/kinds.ts';
import { notJudged } from './faults.ts';

/** What health is judged from. */
export type Vitals = {
  readonly version: string;
  readonly lockHeld: boolean;
  /** The other process that holds the state lock, as last seen. */
  readonly lockHolder?: LeaseHolder;
  readonly stateLoaded: boolean;
  readonly state: StateView;
  readonly requiredSynced: boolean;
  readonly coverage: readonly Coverage[];
  readonly stats: ReadonlyMap<string, { readonly objects: number; readonly heardAt: number }>;
  /** What is set aside, since a step threw on it. */
  readonly faults: readonly Fault[];
  readonly providers: readonly ProviderSettings[];
  readonly failing: (provider: ProviderSettings) => boolean;
  readonly configInvalid: boolean;
  /** A turn has been due for too long without running. */
  readonly turnStuck: boolean;
  /** The audit log is wanted and cannot be written. */
  readonly auditFailing: boolean;
  readonly license: LicenseStanding;
  /** The clocks of this machine and of the API server are too far apart. */
  readonly clockDiffers: boolean;
};

/** What to do about a required source in this state; the others mend themselves. */
const remedies: Readonly<Partial<Record<Coverage['state'], string>>> = {
  NotServed: 'install it (Tocsin’s own kinds: `kubectl apply -k config/crd`)',
  Denied: 'grant list and watch (`kubectl apply -k config/rbac`)',
};

const licenseCodes = ['LicenseExpired', 'LicenseInvalid', 'LicenseUnread'] as const;

function healthCodeOf({ state }: LicenseStanding): Degradation | undefined {
  const row: LicenseStateRow = licenseStates[state];
  return row.health;
}

function nobodyIsTold({ providers }: Vitals): boolean {
  return !providers.some(({ active }) => active.is);
}

function deliveryFails({ providers, failing }: Vitals): boolean {
  return providers.some((each) => each.active.is && (!each.usable || failing(each)));
}

const savesState = ({ license }: Vitals): boolean => includes(license.edition, 'savedState');

/** Reason codes, one row each: when it applies. */
const degradationTable: readonly { readonly code: Degradation; readonly when: (vitals: Vitals) => boolean }[] = [
  { code: 'LockNotHeld', when: ({ lockHeld }) => !lockHeld },
  { code: 'StateNotLoaded', when: ({ stateLoaded }) => !stateLoaded },
  { code: 'StateLocked', when: ({ state }) => state.busy },
  {
    code: 'StorageFailing',
    when: (vitals) => vitals.auditFailing || (savesState(vitals) && vitals.state.problem !== undefined),
  },
  { code: 'StateDamaged', when: ({ state }) => state.aside !== undefined },
  { code: 'StateIncomplete', when: ({ state }) => state.setAside?.isNews === true },
  { code: 'StateNotDurable', when: (vitals) => savesState(vitals) && vitals.state.durability.is === 'notDurable' },
  { code: 'SourceDenied', when: ({ coverage }) => coverage.some(({ state }) => state === 'Denied') },
  { code: 'SourceFailing', when: ({ coverage }) => coverage.some(({ state }) => state === 'Failing') },
  { code: 'SourceNotSynced', when: ({ requiredSynced }) => !requiredSynced },
  {
    code: 'ClusterUnreachable',
    when: ({ coverage }) =>
      coverage.some(({ required }) => required) &&
      coverage.every(({ required, reason }) => !required || reason === 'ConnectionLost'),
  },
  { code: 'SetAside', when: ({ faults }) => faults.length > 0 },
  { code: 'ClockDiffers', when: ({ clockDiffers }) => clockDiffers },
  { code: 'NoActiveProvider', when: nobodyIsTold },
  { code: 'DeliveryFailing', when: deliveryFails },
  { code: 'ConfigInvalid', when: ({ configInvalid }) => configInvalid },
  ...licenseCodes.map((code) => ({ code, when: ({ license }: Vitals) => healthCodeOf(license) === code })),
];

/** What keeps the heartbeat from being sent, one row each. */
const hindranceTable: readonly { readonly code: Hindrance; readonly when: (vitals: Vitals) => boolean }[] = [
  { code: 'LockNotHeld', when: ({ lockHeld }) => !lockHeld },
  { code: 'StateNotLoaded', when: ({ stateLoaded }) => !stateLoaded },
  {
    code: 'SourceNotWatched',
    when: ({ requiredSynced, coverage }) =>
      !requiredSynced || coverage.some(({ required, state }) => required && state !== 'Watching'),
  },
  { code: 'TurnStuck', when: ({ turnStuck }) => turnStuck },
  { code: 'NoActiveProvider', when: nobodyIsTold },
  { code: 'DeliveryFailing', when: deliveryFails },
];

/** Why the heartbeat must not be sent now, if it must not. */
export function hindrancesOf(vitals: Vitals): readonly Hindrance[] {
  return hindranceTable.filter(({ when }) => when(vitals)).map(({ code }) => code);
}

/** The kind of a source's objects, as their refs have it. */
function kindOfSource({ source, kind }: Coverage): string {
  const row = watchedSource(source);
  return row ? kindInRefs(row) : qualifiedKind(groupOfSource(source), kind);
}

/** The body of `/health`. */
export function healthOf(vitals: Vitals): HealthView {
  const aside = notJudged(vitals.faults);
  return {
    reasons: degradationTable.filter(({ when }) => when(vitals)).map(({ code }) => code),
    edition: vitals.license.edition,
    version: vitals.version,
    coverage: vitals.coverage.map((row): CoverageRow => {
      const stats = vitals.stats.get(row.source);
      const seen = { objects: stats?.objects ?? 0, notJudged: aside.get(kindOfSource(row)) ?? 0 };
      return { ...row, ...seen, ...(stats && { heardAt: stats.heardAt }) };
    }),
  };
}

function lockMessage(holder: LeaseHolder | undefined): string {
  if (holder === undefined) return 'the Lease cannot be read or renewed: the API server does not answer or refuses';
  return `the Lease is held by ${holder.identity}${holder.since === undefined ? '' : ` since ${holder.since}`}`;
}

function loadingMessage({ lockHeld, state }: Vitals): string {
  if (!lockHeld) return 'waiting for the state lock before state is loaded';
  if (state.busy)
    return `another process holds the lock of the state directory ${state.directory ?? ''}: waiting for it`;
  return 'waiting for the configuration, which says whether there is saved state to go on from';
}

/** The checks of `/readyz`. */
export function readinessOf(vitals: Vitals): ReadyView {
  const unsynced = vitals.coverage.filter(({ required, state }) => required && state !== 'Watching');
  const which = unsynced.map(({ source, state, reason }) => `${source} (${state}, ${reason})`).join(', ');
  const remedy = [...new Set(unsynced.flatMap(({ state }) => remedies[state] ?? []))].join('; ');
  return {
    checks: [
      {
        name: 'StateLock',
        ok: vitals.lockHeld,
        ...(!vitals.lockHeld && { message: lockMessage(vitals.lockHolder) }),
      },
      {
        name: 'StateLoaded',
        ok: vitals.stateLoaded,
        ...(!vitals.stateLoaded && { message: loadingMessage(vitals) }),
      },
      {
        name: 'Sources',
        ok: vitals.requiredSynced,
        ...(!vitals.requiredSynced && {
          message: `required sources are not synced: ${which || 'discovery is under way'}${remedy && `; ${remedy}`}`,
        }),
      },
    ],
  };
}
