import type { Ref } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';

/** What the custom resources say now, for everything outside the core that asks at each use. */
export class CurrentSettings {
  #settings: Settings;
  #providers: ReadonlyMap<Ref, ProviderSettings> = new Map();

  /** Until the custom resources are known the defaults apply. `namespace`: the operator's. */
  constructor(namespace: string) {
    this.#settings = { ...defaultSettings, operatorNamespace: namespace };
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
    this.#settings = settings;
    this.#providers = new Map(settings.providers.map((provider) => [provider.ref, provider]));
  }
}
