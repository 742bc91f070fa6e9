import { includes } from '../model/edition.ts';
import type { HubWord } from '../model/hub.ts';
import type { Audience } from '../model/incident.ts';
import type { MaintenanceMarks } from '../model/maintenance.ts';
import { noMarks } from '../model/maintenance.ts';
import type { Ref } from '../model/ref.ts';
import type { Opening, ProviderSettings, Settings, SilenceSettings, WindowSettings } from '../model/settings.ts';
import { chatTraits, isRead, keepsUpToDate, type Traits, type TypeTraits } from '../model/traits.ts';
import { wholeCluster } from '../model/view.ts';

/** What every stage of one step goes by. Times are epoch milliseconds. */
export type StepContext = {
  readonly settings: Settings;
  readonly now: number;
  /** UID of the `kube-system` namespace, so that two clusters never share a key. */
  readonly clusterId: string;
  readonly traits: Traits;
  /** The cluster, then each other namespace that has an active provider, by name. */
  readonly audiences: readonly Audience[];
  /** Audiences that were there in the step before: the others read one summary of what is open. */
  readonly knownAudiences: ReadonlySet<Audience>;
  /** Active providers by audience. */
  readonly activeIn: ReadonlyMap<Audience, readonly ProviderSettings[]>;
  /** All providers by audience, whether they receive now or not. */
  readonly providersIn: ReadonlyMap<Audience, readonly ProviderSettings[]>;
  /** Every provider by its UID. */
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  readonly byRef: ReadonlyMap<Ref, ProviderSettings>;
  /** Silences that apply now, by ref. */
  readonly silences: readonly SilenceSettings[];
  /** MaintenanceWindows that are open now, by ref; on Community none. */
  readonly windows: readonly WindowSettings[];
  /** Objects that an annotation puts into maintenance; none on Community. */
  readonly marks: MaintenanceMarks;
  /** What the hub has said. Absent: there is none. */
  readonly hub?: HubWord | undefined;
};

/** Works out once what the stages of a step ask again and again. */
export function contextOf(
  input: Pick<StepContext, 'settings' | 'now' | 'clusterId' | 'traits' | 'knownAudiences' | 'marks' | 'hub'>,
): StepContext {
  const { settings, now } = input;
  const active = settings.providers.filter((provider) => provider.active.is);
  const activeIn = Map.groupBy(active, (provider) => audienceOf(provider, settings));
  const tenants = [...activeIn.keys()].filter((audience) => audience !== wholeCluster);
  return {
    ...input,
    marks: includes(settings.edition, 'maintenance') ? input.marks : noMarks,
    audiences: [wholeCluster, ...tenants.sort()],
    activeIn,
    providersIn: Map.groupBy(settings.providers, (provider) => audienceOf(provider, settings)),
    providers: new Map(settings.providers.map((provider) => [provider.uid, provider])),
    byRef: new Map(settings.providers.map((provider) => [provider.ref, provider])),
    silences: settings.silences.filter((silence) => isOpen(silence, now)).sort(byRef),
    windows: licensedWindows(settings)
      .filter(({ opening }) => opening && isOpen(opening, now))
      .sort(byRef),
  };
}

const isOpen = ({ startsAt, endsAt }: Opening, now: number): boolean => startsAt <= now && now < endsAt;
const byRef = (a: { readonly ref: Ref }, b: { readonly ref: Ref }): number => (a.ref < b.ref ? -1 : 1);

function licensedWindows({ edition, windows }: Settings): readonly WindowSettings[] {
  return includes(edition, 'maintenance') ? windows : [];
}

/** Every instant (epoch milliseconds), past ones included, at which what mutes begins or ends. */
export function mutesChangeAt({ settings, marks, hub }: StepContext): number[] {
  const openings = licensedWindows(settings).flatMap(({ opening }) => opening ?? []);
  const spans = [...settings.silences, ...openings];
  const lapses = Object.values(hub?.told ?? {});
  return [marks.changesAt, ...lapses, ...spans.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])];
}

/** Whom a provider speaks to. */
export function audienceOf(provider: ProviderSettings, settings: Settings): Audience {
  return provider.namespace === settings.operatorNamespace ? wholeCluster : provider.namespace;
}

/** What deciding needs to know of a provider's type: a chat where nothing is said. */
export function traitsOf({ type }: ProviderSettings, traits: Traits): TypeTraits {
  return traits.get(type) ?? chatTraits;
}

/** Whether a provider is told by updates only what everybody must see: elsewhere they ring nobody, or programs read them. */
export function wantsLoud(provider: ProviderSettings, { traits }: Pick<StepContext, 'traits'>): boolean {
  const own = traitsOf(provider, traits);
  return provider.silentUpdates === true && isRead(own) && !keepsUpToDate(own, provider);
}

/** Whether a provider is told that something is over. */
export function hearsEnds({ sendResolved }: ProviderSettings): boolean {
  return sendResolved !== false;
}

/** Whether a provider may be sent to now, active or not: a suspended or invalid one waits for a person. */
export function mayReceive({ suspended, active }: ProviderSettings): boolean {
  return !suspended && active.reason !== 'Suspended' && active.reason !== 'Invalid';
}
