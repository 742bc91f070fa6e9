import { type BackoffRange, backoffMs, jittered } from '../model/backoff.ts';

/** Consecutive failures after which a provider is probed by one delivery at a time. */
const failuresToOpen = 5;
/** The first wait between probes, doubling to the longest; milliseconds. */
const probeWaits: BackoffRange = { firstMs: 5_000, longestMs: 5 * 60_000 };

/** Whether a provider is worth asking. Waiting for it spends no attempt. */
export type Circuit = {
  /** Epoch milliseconds of the next probe while it is open, `undefined` while all is well. */
  probeAt(): number | undefined;
  /** Epoch milliseconds since when it has been open. */
  openSince(): number | undefined;
  succeeded(): void;
  failed(now: number): void;
};

/** A closed circuit. `random`: from 0 up to 1, for the jitter (half of each wait is fixed). */
export function createCircuit(random: () => number): Circuit {
  let failures = 0;
  let probeAt: number | undefined;
  let openSince: number | undefined;
  return {
    probeAt: () => probeAt,
    openSince: () => openSince,
    succeeded() {
      failures = 0;
      probeAt = undefined;
      openSince = undefined;
    },
    failed(now) {
      failures += 1;
      if (failures < failuresToOpen) return;
      openSince ??= now;
      probeAt = now + jittered(backoffMs(probeWaits, failures - failuresToOpen + 1), 0.5, random());
    },
  };
}
