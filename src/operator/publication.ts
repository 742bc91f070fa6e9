import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../model/clock.ts';
import type { LicenseStanding } from '../model/license.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { Admission } from './admission.ts';
import { type Composed, composeSettings } from './compose.ts';
import { isOurKind, type OwnObjects } from './objects.ts';
import type { ProviderChecks } from './provider-checks.ts';

/** After a publication the next one waits so long, so that a burst of changes is one: an `apply` of a thousand objects, a list. */
const pauseMs = 100;

/** What a publication works with. */
export type PublicationOptions = {
  readonly objects: OwnObjects;
  readonly admission: Admission;
  readonly checks: ProviderChecks;
  readonly license: () => LicenseStanding;
  readonly clock: Clock;
  /** The operator's. */
  readonly namespace: string;
  /** The settings say something new. */
  readonly onSettings: (settings: Settings) => void;
  /** After each publication: the objects that changed, that take part now or no longer, or that mean something else to the core. */
  readonly onPublished: (changed: ReadonlySet<Ref>) => void;
};

/** Makes settings of our objects: once for any number of changes that come together. */
export class Publication {
  readonly #options: PublicationOptions;
  #composed: Composed;
  #changed = new Set<Ref>();
  #published: Settings | undefined;
  /** By the monotonic clock. */
  #publishedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(options: PublicationOptions) {
    this.#options = options;
    this.#composed = this.#compose();
  }

  /** The settings as last published, and what is wrong with them. */
  composed(): Composed {
    return this.#composed;
  }

  /** Whether anything has been published: before, half of the configuration is unknown. */
  hasBegun(): boolean {
    return this.#published !== undefined;
  }

  /** An object changed, or the verdict on it: it is published with everything else that changes in this moment. */
  change(ref: Ref): void {
    const { admission, clock } = this.#options;
    const kind = kindOf(ref);
    if (isOurKind(kind)) admission.changed(kind, ref);
    this.#changed.add(ref);
    if (!this.hasBegun() || this.#stopped) return;
    const waitMs = this.#publishedAt + pauseMs - clock.monotonic();
    if (waitMs <= 0) this.publish();
    else this.#cancel ??= clock.after(waitMs, () => this.publish());
  }

  /** Makes the snapshot anew now, and hands it on if it says something new. */
  publish(): void {
    if (this.#stopped) return;
    const { admission, clock, onSettings, onPublished } = this.#options;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#publishedAt = clock.monotonic();
    const changed = this.#changed;
    this.#changed = new Set();
    for (const ref of admission.rank(clock.now())) changed.add(ref);
    const before = this.#composed;
    this.#composed = this.#compose();
    const { settings, providers } = this.#composed;
    for (const [ref, provider] of providers)
      if (!isDeepStrictEqual(before.providers.get(ref), provider)) changed.add(ref);
    // Windows say whether a licence lets them take effect.
    if (before.settings.edition !== settings.edition) for (const { ref } of settings.windows) changed.add(ref);
    if (!isDeepStrictEqual(this.#published, settings)) {
      this.#published = settings;
      onSettings(settings);
    }
    onPublished(changed);
  }

  /** Nothing is published any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #compose(): Composed {
    const { objects, admission, checks, clock, license, namespace } = this.#options;
    return composeSettings(objects, {
      operatorNamespace: namespace,
      license: license(),
      admits: (kind, ref) => admission.has(kind, ref),
      check: (ref) => checks.get(ref),
      now: clock.now(),
    });
  }
}
