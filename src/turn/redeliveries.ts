import type { RedeliveryPlan } from '../incident/redelivery.ts';
import { sentAgain } from '../message/sent-again.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import { type Delivery, type DeliveryReport, deliveryKeys } from '../model/delivery.ts';
import { leavesTheList, type Redelivery, type RedeliveryRequest, type RedeliveryVerdict } from '../model/redelivery.ts';
import type { Ref } from '../model/ref.ts';
import { fits, listOf, number, record, ref, tableOf, text } from '../model/shape.ts';

/** Providers whose last request is remembered; the one asked longest ago is forgotten first. */
const remembered = 1_000;

/** A request that was decided, and which of its deliveries have not ended. */
type Decided = { readonly provider: Ref; readonly outcome: Redelivery; readonly waiting: readonly string[] };

/** Whether a saved value is one. */
export const isDecided = fits(
  record<Decided>({
    provider: ref,
    outcome: record<Redelivery>(
      { nonce: text, at: number, sent: number, delivered: number, failed: number, left: tableOf(number) },
      { failure: text },
    ),
    waiting: listOf(text),
  }),
);

/** What is told with the words it had: its incident is forgotten. Where it may have arrived it is the repeat of that attempt. */
function asItWas({ lost, to }: RedeliveryPlan['asItWas'][number], now: number): Delivery {
  const { stream, act, sequence, attemptKey, alertKey, notification } = lost.delivery;
  return {
    ...{ stream, act, alertKey, createdAt: now, notBefore: now, sequence: sequence + 1 },
    ...deliveryKeys(stream, to.uid, act, sequence + 1),
    ...(lost.mayHaveArrived && { attemptKey }),
    ...{ provider: to.ref, providerUid: to.uid, again: true },
    notification: sentAgain(notification, lost.endedAt, now),
  };
}

/** How many were judged in each of the ways that send nothing. */
function countLeft(verdicts: readonly RedeliveryVerdict[]): Redelivery['left'] {
  const counts = [...Map.groupBy(verdicts, (verdict) => verdict)].map(([verdict, alike]) => [verdict, alike.length]);
  return Object.fromEntries(counts.filter(([verdict]) => verdict !== 'sentAgain'));
}

/** What was asked to be sent again, and what came of it. Part of the pure core. */
export class Redeliveries {
  /** Asked before the cluster was known: what is open decides. */
  #asked: readonly RedeliveryRequest[] = [];
  /** By the UID of the provider that was asked for. */
  readonly #decided = new BoundedMap<string, Decided>(remembered);

  /** By the UID of the provider. */
  memory(): ReadonlyMap<string, unknown> {
    return new Map(this.#decided.entries());
  }

  /** Goes on from what an earlier process had decided. */
  restore(memory: ReadonlyMap<string, Decided>): void {
    for (const [uid, decided] of memory) this.#decided.set(uid, decided);
  }

  ask(request: RedeliveryRequest): void {
    this.#asked = [...this.#asked.filter(({ provider }) => provider !== request.provider), request];
  }

  /** The requests to decide now. */
  take(): readonly RedeliveryRequest[] {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }

  /**
   * A request was decided. `told`: what this turn tells anyhow, of which some is because of it. Returns what is to be told besides,
   * and the dead letters that leave the list.
   */
  decided(
    { request, messages, asItWas: kept, verdicts }: RedeliveryPlan,
    uid: string,
    told: readonly Delivery[],
    now: number,
  ): { readonly enqueue: readonly Delivery[]; readonly forgetFailed: readonly string[] } {
    const enqueue = kept.map((one) => asItWas(one, now));
    const streams = new Set(messages.map(({ notice, provider }) => `${notice.incident}|${provider.uid}`));
    const again = told.filter(({ stream, providerUid }) => streams.has(`${stream}|${providerUid}`));
    const lists = told.filter(({ act, providerUid }) => act === 'startup' && providerUid === uid);
    const waiting = [...again, ...lists, ...enqueue].map(({ id }) => id);
    // A storm of them is told as one list.
    const collapsed = Array<RedeliveryVerdict>(Math.max(0, messages.length - again.length)).fill('listedAnew');
    const outcome: Redelivery = {
      ...{ nonce: request.nonce, at: now, sent: waiting.length, delivered: 0, failed: 0 },
      left: countLeft([...verdicts.map(({ verdict }) => verdict), ...collapsed]),
    };
    this.#decided.set(uid, { provider: request.provider, outcome, waiting });
    const over = verdicts.filter(({ verdict }) => leavesTheList(verdict));
    return { enqueue, forgetFailed: over.map(({ lost }) => lost.delivery.id) };
  }

  /** A delivery has ended, or an attempt. The providers of whose request it is part. */
  learn({ delivery, ended, failure }: DeliveryReport): readonly Ref[] {
    if (ended === 'pending') return [];
    const concerned = [...this.#decided.entries()].filter(([, { waiting }]) => waiting.includes(delivery));
    for (const [uid, { provider, outcome, waiting }] of concerned) {
      const arrived = ended === 'delivered';
      const counted = arrived
        ? { ...outcome, delivered: outcome.delivered + 1 }
        : { ...outcome, failed: outcome.failed + 1, ...(failure && { failure: failure.message }) };
      this.#decided.set(uid, {
        ...{ provider, outcome: counted },
        waiting: waiting.filter((id) => id !== delivery),
      });
    }
    return concerned.map(([, { provider }]) => provider);
  }

  /** What came of the last request of a provider. */
  get(uid: string): Redelivery | undefined {
    return this.#decided.get(uid)?.outcome;
  }
}
