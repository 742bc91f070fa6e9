import type { Delivery, DeliveryReport } from '../model/delivery.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** How an attempt or a delivery ended. Without `durationMs` nothing was tried. */
export type End = Pick<DeliveryReport, 'ended' | 'attempts' | 'mayHaveArrived' | 'failure' | 'overdue' | 'remark'> & {
  readonly durationMs?: number;
};

/** The report of an end. `at`: epoch milliseconds. */
export function reportOf(delivery: Delivery, end: End, at: number): DeliveryReport {
  const { id, stream, provider, providerUid, act, sequence } = delivery;
  return { delivery: id, stream, provider, providerUid, act, sequence, at, durationMs: 0, ...end };
}

/** Counts a report in the metrics. `type`: of the provider, empty when there is none any more. */
export function countReport({ provider, ended, failure }: DeliveryReport, type: string, metrics: Metrics): void {
  if (ended === 'failed' && failure)
    metrics.add('tocsin_delivery_failed_total', { provider, type, reason: failure.code });
}

/** Writes a report to the log. What a namespace has no room for may be thousands: of those there is one line for all. */
export function logReport({ provider, stream, act, attempts, ended, failure }: DeliveryReport, log: Logger): void {
  if (failure?.code === 'NamespaceLimit') return;
  const fields = { provider, stream, act, attempts, ...failure };
  if (ended === 'failed') log.warn(fields, 'delivery failed');
  else log[ended === 'pending' ? 'debug' : 'info']({ ...fields, ended }, 'delivery');
}
