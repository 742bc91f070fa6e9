import type { Audience } from '../model/incident.ts';
import type { ProviderSettings, Settings, SilenceSettings } from '../model/settings.ts';
import { chatTraits, type Traits, type TypeTraits } from '../model/traits.ts';
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
  /** Every provider by its UID. */
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** Silences that apply now, by ref. */
  readonly silences: readonly SilenceSettings[];
};

/** Works out once what the stages of a step ask again and again. */
export function contextOf(
  input: Pick<StepContext, 'settings' | 'now' | 'clusterId' | 'traits' | 'knownAudiences'>,
): StepContext {
  const { settings, now } = input;
  const active = settings.providers.filter((provider) => provider.active.is);
  const activeIn = Map.groupBy(active, (provider) => audienceOf(provider, settings));
  const tenants = [...activeIn.keys()].filter((audience) => audience !== wholeCluster);
  return {
    ...input,
    audiences: [wholeCluster, ...tenants.sort()],
    activeIn,
    providers: new Map(settings.providers.map((provider) => [provider.uid, provider])),
    silences: settings.silences
      .filter(({ startsAt, endsAt }) => startsAt <= now && now < endsAt)
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
}

/** Whom a provider speaks to. */
export function audienceOf(provider: ProviderSettings, settings: Settings): Audience {
  return provider.namespace === settings.operatorNamespace ? wholeCluster : provider.namespace;
}

/** What deciding needs to know of a provider's type: a chat where nothing is said. */
export function traitsOf({ type }: ProviderSettings, traits: Traits): TypeTraits {
  return traits.get(type) ?? chatTraits;
}
