import type { DeliveryReport } from '../model/delivery.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import { TokenBucket } from '../model/token-bucket.ts';
import type { Pacing } from '../providers/provider.ts';
import { type Circuit, createCircuit } from './circuit.ts';

/** Attempts that run at once for one provider, each of another stream. */
const maxConcurrent = 4;

/** One provider as the dispatcher knows it: how it has been answering, and what it allows. */
export type Destination = {
  /** A provider made anew under the same name begins anew. */
  readonly uid: string;
  readonly circuit: Circuit;
  readonly bucket: TokenBucket;
  /** Epoch milliseconds: the product asked not to be called before. */
  quietUntil: number;
  running: number;
  /** What its Secret lacked when last opened, so that it is reported once. */
  missingSecret: string | undefined;
  /** Whether another attempt may begin beside those that run. */
  hasRoom(): boolean;
  /** Counts an outcome for the view. */
  record(report: DeliveryReport, fallback?: Ref): void;
  view(): Omit<ProviderView, 'pending' | 'oldestPendingTime'>;
};

/** A provider nothing is known of yet. */
export function createDestination(uid: string, pacing: Pacing, random: () => number, now: number): Destination {
  const circuit = createCircuit(random);
  let delivered = 0;
  let failed = 0;
  let failing = false;
  let fallbackInUse: Ref | undefined;
  let last: Pick<ProviderView, 'lastDelivery' | 'lastFailure' | 'lastTest'> = {};
  return {
    uid,
    circuit,
    bucket: new TokenBucket(pacing, now),
    quietUntil: 0,
    running: 0,
    missingSecret: undefined,
    hasRoom() {
      return this.running < (circuit.probeAt() === undefined ? maxConcurrent : 1);
    },
    record(report, fallback) {
      const { at: time, stream, act, attempts, durationMs, ended, failure } = report;
      if (ended === 'dropped') return;
      if (ended === 'delivered') {
        delivered += 1;
        failing = false;
        fallbackInUse = undefined;
        last = { ...last, lastDelivery: { time, stream, act, attempts, durationMs } };
      } else {
        if (ended === 'failed') failed += 1;
        failing = true;
        fallbackInUse = fallback ?? fallbackInUse;
        if (failure) last = { ...last, lastFailure: { time, stream, act, ...failure } };
      }
      if (act !== 'test') return;
      last = { ...last, lastTest: { time, stream, delivered: ended === 'delivered', message: failure?.message ?? '' } };
    },
    view: () => ({
      delivered,
      failed,
      ...last,
      failing,
      ...(fallbackInUse !== undefined && { fallbackInUse }),
      probing: circuit.probeAt() !== undefined,
    }),
  };
}
