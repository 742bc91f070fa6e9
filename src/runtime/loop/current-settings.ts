import type { Ref } from '../../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../model/settings.ts';

/** What the custom resources say now, for everything outside the core that asks at each use. */
export class CurrentSettings {
  #settings: Settings;
  #providers: ReadonlyMap<Ref, ProviderSettings> = new Map();
  #areKnown = false;

  /** Until the custom resources are known the defaults apply. `namespace`: the operator's. */
  constructor(namespace: string) {
    this.#settings = { ...defaultSettings, operatorNamespace: namespace };
  }

  /** Whether the custom resources are known: before, a provider that is not there is not one that was deleted. */
  get areKnown(): boolean {
    return this.#areKnown;
  }

  /** The snapshot. */
  get(): Settings {
    return this.#settings;
  }

  /** Its providers by ref. */
  providers(): ReadonlyMap<Ref, ProviderSettings> {
    return this.#providers;
  }

  /** A new snapshot takes the place of the one before. */
  set(settings: Settings): void {
    this.#areKnown = true;
    this.#settings = settings;
    this.#providers = new Map(settings.providers.map((provider) => [provider.ref, provider]));
  }
}
