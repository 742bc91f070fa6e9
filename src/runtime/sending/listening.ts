import { blankOutcome } from '../../delivery/blank.ts';
import { failureOf, outcomeOfError } from '../../delivery/classify.ts';
import { backoffMs } from '../../model/backoff.ts';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { Clock } from '../../model/clock.ts';
import type { Outcome, Reference } from '../../model/delivery.ts';
import { shortHash } from '../../model/hash.ts';
import { type HeardPresses, type Press, whoMayPress } from '../../model/press.ts';
import type { OpenedSecrets, SecretSource } from '../../model/secret-source.ts';
import type { ProviderSettings, Settings } from '../../model/settings.ts';
import { joinConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import type { Converse, Send } from '../../providers/provider.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** Between two questions after one that failed: doubling, milliseconds. */
const retry = { firstMs: 1_000, longestMs: 60_000 };
/** Presses that can be answered. */
const mostReplies = 500;
/** Questions follow each other not faster than this, whatever the product answers; milliseconds. */
const fastestMs = 200;

/** What listening works with. */
export type ListeningOptions = {
  readonly clock: Clock;
  readonly log: Logger;
  readonly definitions: readonly AnyProvider[];
  readonly secrets: SecretSource;
  /** For questions that are held open. */
  readonly send: Send;
  readonly converse: Converse;
  /** Whether what is heard can be decided: before, it would be told again and again. */
  readonly isReady: () => boolean;
  /** Where a channel goes on from. */
  readonly cursor: (channel: string) => string | undefined;
  readonly heard: (heard: HeardPresses) => void;
};

/** Who is heard for a channel. */
type Listener = { readonly provider: ProviderSettings; readonly definition: AnyProvider };

/**
 * Hears what is pressed on messages of providers that let somebody, as long as the lock is held: products give each press to one who asks, and
 * refuse two. Providers that share a credential share one channel, since the buttons say whose they are.
 */
export class Listening {
  readonly #options: ListeningOptions;
  /** Channel → what was begun, and with what. */
  readonly #begun = new Map<string, { readonly key: string; readonly stop: AbortController }>();
  #wanted: ReadonlyMap<string, Listener> = new Map();
  #isHeld = false;
  /** Press → what it takes to answer it. It is not kept: it lets anybody speak. */
  readonly #replies = new BoundedMap<string, Reference>(mostReplies);

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** Follows the settings. */
  configure({ providers, operatorNamespace }: Pick<Settings, 'providers' | 'operatorNamespace'>): void {
    const wanted = new Map<string, Listener>();
    for (const provider of providers) {
      const definition = this.#options.definitions.find(({ type }) => type === provider.type);
      if (definition?.listening === undefined || provider.namespace !== operatorNamespace || !listens(provider))
        continue;
      const channel = channelOf(provider);
      if (!wanted.has(channel)) wanted.set(channel, { provider, definition });
    }
    this.#wanted = wanted;
    this.#follow();
  }

  /** The lock is held. */
  resume(): void {
    this.#isHeld = true;
    this.#follow();
  }

  /** The lock is lost, or the process ends: what is under way is not heard any more. */
  pause(): void {
    this.#isHeld = false;
    this.#follow();
  }

  /** What it takes to answer a press; `undefined`: it was heard by an earlier process, or too many have been since. */
  replyTo({ id }: Pick<Press, 'id'>): Reference | undefined {
    return this.#replies.get(id);
  }

  #follow(): void {
    const wanted = this.#isHeld ? this.#wanted : new Map<string, Listener>();
    for (const [channel, { key, stop }] of this.#begun) {
      const listener = wanted.get(channel);
      if (listener && keyOf(listener.provider) === key) continue;
      stop.abort();
      this.#begun.delete(channel);
    }
    for (const [channel, listener] of wanted) {
      if (this.#begun.has(channel)) continue;
      const stop = new AbortController();
      this.#begun.set(channel, { key: keyOf(listener.provider), stop });
      void this.#listen(channel, listener, stop.signal);
    }
  }

  async #listen(channel: string, listener: Listener, signal: AbortSignal): Promise<void> {
    const { clock, log, isReady } = this.#options;
    const provider = listener.provider.ref;
    let failures = 0;
    let said: string | undefined = '';
    while (!signal.aborted) {
      if (!isReady()) {
        await pause(clock, retry.firstMs, signal);
        continue;
      }
      const askedAt = clock.monotonic();
      const outcome = await this.#ask(channel, listener, signal);
      if (signal.aborted) return;
      const why = failureOf(outcome)?.message;
      failures = why === undefined ? 0 : failures + 1;
      if (why !== said && why === undefined) log.info({ provider }, 'the buttons of its messages are heard');
      else if (why !== said)
        log.warn({ provider, why }, 'the buttons of its messages are not heard; it is tried again');
      said = why;
      const afterMs = 'afterMs' in outcome ? (outcome.afterMs ?? 0) : 0;
      const waitMs =
        failures > 0 ? Math.max(afterMs, backoffMs(retry, failures)) : fastestMs - clock.monotonic() + askedAt;
      if (waitMs > 0) await pause(clock, waitMs, signal);
    }
  }

  /** One question. Never rejects. */
  async #ask(channel: string, { provider, definition }: Listener, signal: AbortSignal): Promise<Outcome> {
    const { secrets, send, converse, cursor, heard } = this.#options;
    let opened: OpenedSecrets | undefined;
    try {
      const found = await secrets.open(provider.ref, false);
      if ('missing' in found) return unopened;
      opened = found;
      if (signal.aborted || definition.listening === undefined) return { is: 'delivered' };
      const from = cursor(channel);
      const outcome = await definition.listening.listen({
        ...{ config: joinConfig(definition, provider.config, found.values), send, converse, signal },
        ...(from !== undefined && { cursor: from }),
        heard: (answerable, next) => {
          // Who listens by now is told of it again.
          if (signal.aborted) return;
          const presses = answerable.map(({ reply, ...press }) => {
            this.#replies.set(press.id, reply);
            return press;
          });
          const { ref } = provider;
          const { product } = definition;
          heard({ channel, provider: ref, product, presses, ...(next !== undefined && { cursor: next }) });
        },
      });
      return blankOutcome(outcome, found.values.values());
    } catch (error) {
      return blankOutcome(outcomeOfError(error), opened?.values.values() ?? []);
    }
  }
}

const unopened: Outcome = { is: 'retryable', reason: 'its Secrets cannot be read', mayHaveArrived: false };

/** Whether there is somebody to be heard. */
function listens(provider: ProviderSettings): boolean {
  return provider.usable && !provider.suspended && provider.active.is && whoMayPress(provider).length > 0;
}

/** The same for providers that name the same credentials: what is in a Secret is not looked at. */
function channelOf({ type, uid, secrets }: ProviderSettings): string {
  const isInline = Object.values(secrets).some((location) => 'inline' in location);
  const places = Object.entries(secrets).sort(([a], [b]) => (a < b ? -1 : 1));
  return shortHash([type, isInline ? uid : JSON.stringify(places)]);
}

/** What listening is begun anew for. */
const keyOf = ({ uid, generation, credentialVersion = '' }: ProviderSettings): string =>
  [uid, generation, credentialVersion].join(' ');

/** Waits, or less where nobody listens any more. */
function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const cancel = clock.after(milliseconds, end);
  signal.addEventListener('abort', end, { once: true });
  return promise.finally(() => {
    cancel();
    signal.removeEventListener('abort', end);
  });
}
