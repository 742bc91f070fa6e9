import { blankOutcome } from '../../delivery/blank.ts';
import { failureOf, outcomeOfError } from '../../delivery/classify.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { acknowledgementIn, acknowledgementText } from '../../model/acknowledgement.ts';
import { backoffMs } from '../../model/backoff.ts';
import type { Clock } from '../../model/clock.ts';
import type { Reference } from '../../model/delivery.ts';
import type { Incident } from '../../model/incident.ts';
import { isAwaited, isNewFinding, readsBack } from '../../model/read-back.ts';
import type { Ref } from '../../model/ref.ts';
import type { OpenedSecrets, SecretSource } from '../../model/secret-source.ts';
import type { ProviderSettings, Settings } from '../../model/settings.ts';
import { doDeed } from '../../operator/deeds.ts';
import { joinConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import { sentSecrets, tlsOf } from '../../providers/kit/tls.ts';
import type { Seen } from '../../providers/provider.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Outbound } from './outbound.ts';
import { keyOf, pause, type Wanted, WhileWanted } from './while-wanted.ts';

/** Between two rounds of questions to one product: a minute, after failures in a row up to 15; milliseconds. */
const rest = { firstMs: 60_000, longestMs: 15 * 60_000 };
/** Incidents that one round asks about, one after the other. Who is not among them comes first in the next. */
const mostAsked = 20;

/** What reading back works with. */
export type ReadBackOptions = {
  /** Writes only while the lock is held. */
  readonly client: Pick<ApiClient, 'json'>;
  /** The operator's. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly definitions: readonly AnyProvider[];
  readonly secrets: SecretSource;
  readonly send: Outbound['send'];
  /** Those that are known now. */
  readonly incidents: () => Iterable<Incident>;
  readonly reference: (incident: string, providerUid: string) => Reference | undefined;
  /** Whether an AlertProvider can be read back has changed. */
  readonly changed: (provider: Ref) => void;
};

type Source = { readonly provider: ProviderSettings; readonly definition: AnyProvider };
/** What is asked with: opened for one round. */
type Opened = Source & { readonly values: OpenedSecrets['values'] };

/**
 * Reads back who has taken incidents on where they were told, as long as the lock is held: a minute after one was told for the first time, and
 * only while it is open and nobody has. What is found is written down as people write it, so that everything follows that follows from
 * that. Deliveries know nothing of it.
 */
export class ReadBack {
  readonly #options: ReadBackOptions;
  /** By UID of the AlertProvider. */
  readonly #asked = new WhileWanted();
  /** By UID: why nothing is read back. */
  readonly #failures = new Map<string, string>();

  constructor(options: ReadBackOptions) {
    this.#options = options;
  }

  /** Follows the settings. */
  configure({ providers, operatorNamespace }: Pick<Settings, 'providers' | 'operatorNamespace'>): void {
    const wanted = new Map<string, Wanted>();
    for (const provider of providers) {
      const definition = this.#options.definitions.find(({ type }) => type === provider.type);
      const { uid, namespace, usable, suspended, active } = provider;
      if (definition?.readBack === undefined || namespace !== operatorNamespace || !readsBack(provider)) continue;
      if (!usable || suspended || !active.is) continue;
      wanted.set(uid, { key: keyOf(provider), run: (signal) => this.#follow({ provider, definition }, signal) });
    }
    for (const uid of this.#failures.keys()) if (!wanted.has(uid)) this.#failures.delete(uid);
    this.#asked.configure(wanted);
  }

  /** The lock is held. */
  resume(): void {
    this.#asked.resume();
  }

  /** The lock is lost, or the process ends. */
  pause(): void {
    this.#asked.pause();
  }

  /** Why nothing can be read back of an AlertProvider, for people and without secrets; `undefined`: nothing is in the way, as far as is known. */
  failure(uid: string): string | undefined {
    return this.#failures.get(uid);
  }

  /** Asks again and again. Never rejects. */
  async #follow(source: Source, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let failures = 0;
    let waitMs = rest.firstMs;
    let last = '';
    while (!signal.aborted) {
      await pause(clock, waitMs, signal);
      if (signal.aborted) return;
      const waiting = [...this.#options.incidents()].filter((incident) => isAwaited(incident, source.provider));
      const round = inTurn(waiting, last).slice(0, mostAsked);
      waitMs = rest.firstMs;
      if (round.length === 0) continue;
      const failure = await this.#ask(source, round, signal);
      if (signal.aborted) return;
      last = round.at(-1)?.id ?? last;
      failures = failure === undefined ? 0 : failures + 1;
      if (failure) waitMs = Math.max(failure.afterMs ?? 0, backoffMs(rest, failures));
      this.#note(source, failure?.message);
    }
  }

  /** One round; resolves with what ended it before its time. */
  async #ask(source: Source, round: readonly Incident[], signal: AbortSignal): Promise<Failure | undefined> {
    let values: OpenedSecrets['values'] = new Map();
    try {
      const found = await this.#options.secrets.open(source.provider.ref, false);
      if ('missing' in found) return { message: 'its Secrets cannot be read' };
      values = found.values;
      for (const { id } of round) {
        const incident = this.#awaited(id, source.provider);
        const failure = incident && (await this.#askAbout(incident, { ...source, values }, signal));
        if (failure || signal.aborted) return failure;
      }
      return undefined;
    } catch (error) {
      return failureIn({ outcome: outcomeOfError(error) }, values);
    }
  }

  async #askAbout(
    incident: Incident,
    { provider, definition, values }: Opened,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    const { clock, reference, log } = this.#options;
    const send = this.#options.send(provider, definition, tlsOf(values));
    const ref = reference(incident.id, provider.uid);
    const config = joinConfig(definition, provider.config, values);
    const { alertKey } = incident;
    const look = { config, send, now: clock.now(), delivery: { alertKey }, ...(ref && { ref }) };
    const seen = (await definition.readBack?.(look)) ?? nothingSeen;
    const failure = failureIn(seen, values);
    // Meanwhile somebody may have taken it on here.
    if (failure || seen.taken === undefined || signal.aborted || !this.#awaited(incident.id, provider)) return failure;
    // As it will be read, so that it is known again.
    const acknowledgement = acknowledgementIn(acknowledgementText({ ...seen.taken, via: definition.product }));
    if (!isNewFinding(acknowledgement, incident)) return undefined;
    const why = await doDeed({ is: 'acknowledge', incident: incident.id, acknowledgement }, this.#options);
    if (why !== undefined) return { message: `it was acknowledged there by ${acknowledgement.by}. ${why}` };
    const { by: name } = acknowledgement;
    log.info({ provider: provider.ref, name, incident: incident.id }, 'an acknowledgement was read back');
    return undefined;
  }

  /** An incident, if there is still something to ask about it. */
  #awaited(id: string, provider: ProviderSettings): Incident | undefined {
    for (const incident of this.#options.incidents())
      if (incident.id === id) return isAwaited(incident, provider) ? incident : undefined;
    return undefined;
  }

  /** Says once that it fails, or does no more. */
  #note({ provider: { ref: provider, uid } }: Source, why: string | undefined): void {
    const { log, changed } = this.#options;
    if (this.#failures.get(uid) === why) return;
    if (why === undefined) {
      this.#failures.delete(uid);
      log.info({ provider }, 'who acknowledges there is read back again');
    } else {
      this.#failures.set(uid, why);
      log.warn({ provider, why }, 'who acknowledges there cannot be read back; it is tried again');
    }
    changed(provider);
  }
}

/** What ended a round, for people; `afterMs`: how long the product wants to be left alone. */
type Failure = { readonly message: string; readonly afterMs?: number };

const nothingSeen: Seen = { outcome: { is: 'delivered' } };

function failureIn({ outcome }: Seen, values: OpenedSecrets['values']): Failure | undefined {
  const blanked = blankOutcome(outcome, sentSecrets(values));
  const failure = failureOf(blanked);
  if (failure === undefined) return undefined;
  const { afterMs } = 'afterMs' in blanked ? blanked : {};
  return { message: failure.message, ...(afterMs !== undefined && { afterMs }) };
}

/** In the order of their IDs, from the one after the last that was asked about. */
function inTurn(incidents: readonly Incident[], last: string): readonly Incident[] {
  const sorted = incidents.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const next = sorted.findIndex(({ id }) => id > last);
  return next <= 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
}
