import type { Delivery, DeliveryReport } from '../model/delivery.ts';
import { untoldBy } from './fallback.ts';
import type { DispatcherOptions } from './types.ts';

/** How an attempt or a delivery ended. Without `durationMs` nothing was tried. */
export type End = Pick<DeliveryReport, 'ended' | 'attempts' | 'mayHaveArrived' | 'failure' | 'fallback'> & {
  readonly durationMs?: number;
};

/** The report of an end. `at`: epoch milliseconds. */
export function reportOf(delivery: Delivery, end: End, at: number): DeliveryReport {
  const { id, stream, provider, providerUid, act } = delivery;
  const untold = end.fallback === undefined ? untoldBy(delivery, end) : [];
  return { delivery: id, stream, provider, providerUid, act, at, durationMs: 0, untold, ...end };
}

/** Writes a report to the log and the metrics. `type`: of the provider, empty when there is none any more. */
export function writeReport(
  { provider, stream, act, attempts, ended, failure, fallback }: DeliveryReport,
  type: string,
  { log, metrics }: Pick<DispatcherOptions, 'log' | 'metrics'>,
): void {
  const fields = { provider, stream, act, attempts, ...(fallback !== undefined && { fallback }), ...failure };
  if (ended !== 'failed') {
    log.debug({ ...fields, ended }, 'delivery');
    return;
  }
  if (failure) metrics.add('tocsin_delivery_failed_total', { provider, type, reason: failure.code });
  log.warn(fields, 'delivery failed');
}
