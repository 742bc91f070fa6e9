import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { showsAct } from '../model/traits.ts';
import type { Failure } from './classify.ts';
import type { Destination } from './destination.ts';
import { fallbackOf, mayReceive } from './fallback.ts';
import { maxAgeMs } from './retry.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** With a fallback, deliveries wait no longer than this behind a provider that is being probed; milliseconds. */
const probePatienceMs = 2 * 60_000;

/** And no longer than this behind one that asks again and again to be left alone; as long as it may ask for once. Milliseconds. */
const quietPatienceMs = 15 * 60_000;

/** What to do with the head of a lane now. */
export type Verdict =
  | { readonly is: 'start' }
  /** It fails without a further attempt. */
  | { readonly is: 'end'; readonly failure: Failure }
  /** `paced`: only the product's pace holds it back, for a moment. Without `until`, the end of another attempt decides. */
  | { readonly is: 'wait'; readonly until?: number; readonly paced?: boolean };

/** What a verdict goes by. */
type Bench = {
  readonly options: DispatcherOptions;
  readonly destinationOf: (provider: ProviderSettings, type: DispatchedType) => Destination;
  /** The process is stopping: evidence is not waited for. */
  readonly draining: boolean;
};

function end(code: Failure['code'], message: string, failureClass: Failure['class'] = 'permanent'): Verdict {
  return { is: 'end', failure: { class: failureClass, code, message } };
}

/** Whether a delivery may be tried now. A verdict of `start` has taken the destination's token. */
export function judge(stored: StoredDelivery, now: number, bench: Bench): Verdict {
  const { delivery, nextAttemptAt } = stored;
  const { options, destinationOf, draining } = bench;
  const provider = options.providers().get(delivery.provider);
  if (!provider) return end('ProviderDeleted', 'the AlertProvider was deleted');
  const type = options.types(provider.type);
  if (!type) return end('Rejected', `this version has no provider type "${provider.type}"`);
  const destination = destinationOf(provider, type);
  const expiresAt = delivery.createdAt + maxAgeMs;
  if (now >= expiresAt) {
    const last = destination.view().lastFailure;
    const because = last?.stream === delivery.stream ? `: ${last.message}` : '';
    return end('Expired', `not delivered within 24 h${because}`, 'retryable');
  }
  if (!showsAct(type, delivery.act))
    return end('Rejected', `${type.product} cannot show a message that is no incident (${delivery.act})`);
  if (!mayReceive(provider)) return { is: 'wait', until: expiresAt };
  const due = draining && nextAttemptAt <= delivery.notBefore ? now : nextAttemptAt;
  if (due > now && destination.quietUntil <= now) {
    // Who stops waits for what the product is about to have.
    const paced = draining && due - now <= (type.settlesAfterMs ?? 0);
    return { is: 'wait', until: Math.min(due, expiresAt), paced };
  }
  return judgeDestination(stored, destination, now, options);
}

function judgeDestination(
  { delivery, nextAttemptAt }: StoredDelivery,
  destination: Destination,
  now: number,
  options: DispatcherOptions,
): Verdict {
  const { circuit, bucket, quietUntil } = destination;
  const last = destination.view().lastFailure;
  /** Waiting for a product that is not well, unless a fallback could have told it by `patienceEnds`. */
  const waitOrMove = (until: number, patienceEnds: number): Verdict => {
    if (!last || !fallbackOf(delivery, options.providers(), options.types)) return { is: 'wait', until };
    return now >= patienceEnds
      ? end(last.code, last.message, last.class)
      : { is: 'wait', until: Math.min(until, patienceEnds) };
  };
  if (quietUntil > now) return waitOrMove(Math.max(quietUntil, nextAttemptAt), delivery.createdAt + quietPatienceMs);
  const probeAt = circuit.probeAt();
  if (probeAt !== undefined && (probeAt > now || !destination.hasRoom())) {
    // A probe that runs ends by itself: nothing to wake up for.
    const probeWait = probeAt > now ? probeAt : Number.POSITIVE_INFINITY;
    return waitOrMove(probeWait, Math.max(delivery.createdAt, circuit.openSince() ?? now) + probePatienceMs);
  }
  if (!destination.hasRoom()) return { is: 'wait' };
  if (!bucket.take(now)) return { is: 'wait', until: now + bucket.waitMs(now), paced: true };
  return { is: 'start' };
}
