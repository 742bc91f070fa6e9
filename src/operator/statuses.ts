import type { Kind } from '../api/group.ts';
import { overLimit } from '../api/limits.ts';
import { misplacedConfig } from '../api/rules/place.ts';
import type { Clock } from '../model/clock.ts';
import type { LicenseStanding } from '../model/license.ts';
import { kindOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { Admission } from './admission.ts';
import { checkFallback } from './check.ts';
import type { Composed } from './compose.ts';
import { conditionsOf, type Stated, urgencyOf } from './conditions.ts';
import { acknowledgedIn, configStatus, ignoredConfigStatus } from './config-status.ts';
import { type Held, isOurKind, isOver, type OwnObjects } from './objects.ts';
import type { StatusViews } from './options.ts';
import type { ProviderChecks } from './provider-checks.ts';
import type { ProviderRequests } from './provider-requests.ts';
import { providerStatus, urgentOf } from './provider-status.ts';
import { RouteProblems, routeState } from './route-status.ts';
import { silenceStatus } from './silence-status.ts';
import type { DesiredStatus } from './status-writer.ts';
import { windowStatus } from './window-status.ts';

/** What statuses are made from. `composed`: the settings as they are now, and what is wrong with them. */
export type StatusesOptions = {
  readonly objects: OwnObjects;
  readonly admission: Admission;
  readonly checks: ProviderChecks;
  readonly requests: ProviderRequests;
  readonly license: () => LicenseStanding;
  readonly views: StatusViews;
  readonly clock: Clock;
  readonly namespace: string;
  readonly composed: () => Composed;
};

/** The status of each of our objects, from everything that is known of it. */
export class Statuses {
  readonly #options: StatusesOptions;
  /** What Silences and windows had muted when this process first saw them: counting goes on from there. */
  readonly #mutedBefore = new Map<Ref, number>();
  readonly #routeProblems = new RouteProblems();

  constructor(options: StatusesOptions) {
    this.#options = options;
  }

  /** How it should be now; `undefined` for an object that is gone or has not been judged yet. */
  desired(ref: Ref): DesiredStatus | undefined {
    const { objects, admission, clock } = this.#options;
    const kind = kindOf(ref);
    const held = isOurKind(kind) ? objects.get(kind, ref) : undefined;
    if (!held || !isOurKind(kind)) return undefined;
    const now = clock.now();
    if (held.unreadable !== undefined) return outsideStatus(held, 'InvalidSpec', held.unreadable, now);
    if (!admission.has(kind, ref) && !isOver(objects, ref, now)) {
      const message = overLimit(kind, namespaceOf(ref), admission.limit(kind, ref));
      return outsideStatus(held, 'NamespaceLimit', message, now);
    }
    return this.#builders[kind](ref, now);
  }

  /** How the API has it, to leave alone what is as it should be. */
  current(ref: Ref): DesiredStatus | undefined {
    const { objects } = this.#options;
    const kind = kindOf(ref);
    const status = isOurKind(kind) ? objects.get(kind, ref)?.object.status : undefined;
    if (!status) return undefined;
    const provider = objects.get('AlertProvider', ref)?.object.status;
    const suppressed =
      objects.get('Silence', ref)?.object.status?.suppressed ??
      objects.get('MaintenanceWindow', ref)?.object.status?.suppressed;
    const config = objects.get('AlertConfig', ref)?.object.status;
    const more = provider
      ? urgentOf(provider.lastTest, provider.lastRedelivery)
      : config
        ? acknowledgedIn(config)
        : suppressed;
    return { status, urgent: urgencyOf(status.conditions, more) };
  }

  /** The object is gone. */
  forget(ref: Ref): void {
    this.#mutedBefore.delete(ref);
  }

  readonly #builders: { readonly [K in Kind]: (ref: Ref, now: number) => DesiredStatus<K> | undefined } = {
    AlertProvider: (ref, now) => this.#provider(ref, now),
    Silence: (ref, now) => this.#silence(ref, now),
    MaintenanceWindow: (ref, now) => this.#window(ref, now),
    AlertConfig: (ref, now) => this.#config(ref, now),
  };

  #provider(ref: Ref, now: number): DesiredStatus<'AlertProvider'> | undefined {
    const { objects, admission, checks, requests, views, composed } = this.#options;
    const object = objects.get('AlertProvider', ref)?.object;
    const check = checks.get(ref);
    if (!object || !check) return undefined;
    const other = (name: Ref) =>
      admission.has('AlertProvider', name) ? objects.get('AlertProvider', name)?.object : undefined;
    const { settings, providers } = composed();
    const own = providers.get(ref);
    const routes = own && routeState(own, settings, this.#routeProblems, views.routes(ref), object.status?.routes);
    return providerStatus(object, {
      check,
      fallback: checkFallback(object, other),
      settings: own,
      routes,
      facts: views.provider(ref),
      requests: requests.get(ref),
      redelivery: views.redelivery(object.metadata.uid),
      now,
    });
  }

  #silence(ref: Ref, now: number): DesiredStatus<'Silence'> | undefined {
    const held = this.#options.objects.get('Silence', ref);
    if (!held) return undefined;
    return silenceStatus(held.object, { settings: held.meaning, ...this.#mutes(ref, held.object), now });
  }

  #window(ref: Ref, now: number): DesiredStatus<'MaintenanceWindow'> | undefined {
    const held = this.#options.objects.get('MaintenanceWindow', ref);
    if (!held?.meaning) return undefined;
    const { edition } = this.#options.composed().settings;
    return windowStatus(held.object, { planned: held.meaning, edition, ...this.#mutes(ref, held.object), now });
  }

  /** What a Silence or window has muted, in this life and before. */
  #mutes(ref: Ref, { status }: { readonly status?: { readonly suppressed?: number } }) {
    const muted = this.#options.views.muted(ref);
    // What was counted before a restart and is remembered counts once.
    const mutedBefore = this.#mutedBefore.get(ref) ?? Math.max(0, (status?.suppressed ?? 0) - (muted?.suppressed ?? 0));
    this.#mutedBefore.set(ref, mutedBefore);
    return { muted, mutedBefore };
  }

  #config(ref: Ref, now: number): DesiredStatus<'AlertConfig'> | undefined {
    const { objects, namespace, composed, license, views } = this.#options;
    const object = objects.get('AlertConfig', ref)?.object;
    if (!object) return undefined;
    const misplaced = misplacedConfig(object.metadata, namespace);
    if (misplaced) return ignoredConfigStatus(object, misplaced, now);
    const { settings, problems } = composed();
    return configStatus(object, { problems, license: license(), providers: settings.providers, views, now });
  }
}

/** The status of an object that takes part in nothing. All kinds but AlertConfig, which is never beyond a limit, have these conditions. */
function outsideStatus(
  { object: { metadata, status } }: Held<Kind>,
  reason: 'InvalidSpec' | 'NamespaceLimit',
  message: string,
  now: number,
): DesiredStatus {
  const active = reason === 'InvalidSpec' ? 'Invalid' : reason;
  const stated: readonly Stated<'Silence'>[] = [
    { type: 'Ready', status: 'False', reason: 'Invalid', message },
    { type: 'Stalled', status: 'True', reason, message },
    { type: 'Active', status: 'False', reason: active, message },
  ];
  const conditions = conditionsOf<'Silence'>(stated, status?.conditions, metadata.generation, now);
  return { status: { observedGeneration: metadata.generation, conditions }, urgent: urgencyOf(conditions) };
}
