import type { Metrics } from '../../telemetry/metrics.ts';
import type { StateVolume } from './state-volume.ts';

/** Fills, at every scrape, the metrics of saved state. */
export function exposeState(metrics: Metrics, volume: StateVolume): void {
  let counted = { transactions: 0, bytes: 0 };
  metrics.beforeScrape(() => {
    const { transactions, bytes, lastMs } = volume.directory.journal.figures;
    metrics.add('tocsin_state_transactions_total', {}, transactions - counted.transactions);
    metrics.add('tocsin_state_written_bytes_total', {}, bytes - counted.bytes);
    counted = { transactions, bytes };
    metrics.set('tocsin_state_last_save_seconds', {}, lastMs / 1000);
    metrics.reset('tocsin_state_problem');
    const { problem, setAside } = volume.view();
    metrics.set('tocsin_state_rows_set_aside', {}, setAside?.rows ?? 0);
    if (problem) metrics.set('tocsin_state_problem', { code: problem.code }, 1);
  });
}
