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
import { isTls, sentSecrets, tlsOf } from '../../providers/kit/tls.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Outbound } from './outbound.ts';
import { keyOf, pause, type Wanted, WhileWanted } from './while-wanted.ts';

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
  /** For questions that are held open, and conversations. */
  readonly ways: Outbound['held'];
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
  /** By channel. */
  readonly #heard = new WhileWanted();
  /** Press → what it takes to answer it. It is not kept: it lets anybody speak. */
  readonly #replies = new BoundedMap<string, Reference>(mostReplies);

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** Follows the settings. */
  configure({ providers, operatorNamespace }: Pick<Settings, 'providers' | 'operatorNamespace'>): void {
    const wanted = new Map<string, Wanted>();
    for (const provider of providers) {
      const definition = this.#options.definitions.find(({ type }) => type === provider.type);
      if (definition?.listening === undefined || provider.namespace !== operatorNamespace || !listens(provider))
        continue;
      const channel = channelOf(provider, definition.listening.eachForItself);
      const run = (signal: AbortSignal): Promise<void> => this.#listen(channel, { provider, definition }, signal);
      if (!wanted.has(channel)) wanted.set(channel, { key: keyOf(provider), run });
    }
    this.#heard.configure(wanted);
  }

  /** The lock is held. */
  resume(): void {
    this.#heard.resume();
  }

  /** The lock is lost, or the process ends: what is under way is not heard any more. */
  pause(): void {
    this.#heard.pause();
  }

  /** What it takes to answer a press; `undefined`: it was heard by an earlier process, or too many have been since. */
  replyTo({ id }: Pick<Press, 'id'>): Reference | undefined {
    return this.#replies.get(id);
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
    const { secrets, ways, cursor, heard } = this.#options;
    let opened: OpenedSecrets | undefined;
    try {
      const found = await secrets.open(provider.ref, false);
      if ('missing' in found) return unopened;
      opened = found;
      if (signal.aborted || definition.listening === undefined) return { is: 'delivered' };
      const from = cursor(channel);
      const outcome = await definition.listening.listen({
        ...{ config: joinConfig(definition, provider.config, found.values), uid: provider.uid, signal },
        ...ways(tlsOf(found.values)),
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
      return blankOutcome(outcome, sentSecrets(found.values));
    } catch (error) {
      return blankOutcome(outcomeOfError(error), opened ? sentSecrets(opened.values) : []);
    }
  }
}

const unopened: Outcome = { is: 'retryable', reason: 'its Secrets cannot be read', mayHaveArrived: false };

/** Whether there is somebody to be heard. */
function listens(provider: ProviderSettings): boolean {
  return provider.usable && !provider.suspended && provider.active.is && whoMayPress(provider).length > 0;
}

/** The same for providers that name the same credentials: what is in a Secret is not looked at. */
function channelOf({ type, uid, secrets }: ProviderSettings, eachForItself = false): string {
  const credentials = Object.entries(secrets).filter(([path]) => !isTls(path));
  const isAlone = eachForItself || credentials.some(([, location]) => 'inline' in location);
  const places = credentials.sort(([a], [b]) => (a < b ? -1 : 1));
  return shortHash([type, isAlone ? uid : JSON.stringify(places)]);
}
