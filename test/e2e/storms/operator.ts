/**
 * The operator in a process of its own, with a licence: `operator.ts <kubeconfig> <JSON Web Key Set>`. Whatever it is sent, it answers
 * with a `Report` of the time since it was last asked. Ends at SIGTERM. `STORM_RECORD=FILE` keeps what it saw, to be replayed.
 */
import packageJson from '../../../package.json' with { type: 'json' };
import { licenseKeysOf } from '../../../src/edition/keys.ts';
import { createApiClient } from '../../../src/kube/client.ts';
import { loadClusterConfig } from '../../../src/kube/load-config.ts';
import { systemClock } from '../../../src/kube/system-clock.ts';
import { redact } from '../../../src/model/redact.ts';
import { startRuntime } from '../../../src/runtime/runtime.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../../src/telemetry/metrics.ts';

/** How it went since it was last asked. */
export type Report = {
  readonly longestTurnSeconds: number;
  /** How many objects each incident affected at most, by its id. */
  readonly affected: Readonly<Record<string, number>>;
};

const [kubeconfig = '', keys = ''] = process.argv.slice(2);
const { STORM_RECORD: record } = process.env;
const config = await loadClusterConfig({ kubeconfig, env: {}, clock: systemClock });
const client = createApiClient(config, { clock: systemClock, version: packageJson.version });
const measured = createMetrics({ process: true });
let longestTurnSeconds = 0;
let affected: Record<string, number> = {};
const metrics: Metrics = {
  ...measured,
  observe(name, labels, value) {
    if (name === 'tocsin_turn_duration_seconds') longestTurnSeconds = Math.max(longestTurnSeconds, value);
    measured.observe(name, labels, value);
  },
};
const runtime = await startRuntime({
  client,
  ...{ namespace: 'tocsin', identity: `storm-${process.pid}`, version: packageJson.version },
  listen: { host: '127.0.0.1', port: 0 },
  ...(record && { record }),
  observe({ save }) {
    for (const { id, explanation } of save.incidents)
      affected[id] = Math.max(affected[id] ?? 0, explanation.affected.length);
  },
  ...{ clock: systemClock, random: Math.random, licenseKeys: licenseKeysOf(JSON.parse(keys)) },
  log: createLogger({ redact, level: 'info', stream: process.stderr }),
  metrics,
});
process.on('message', () => {
  process.send?.({ longestTurnSeconds, affected } satisfies Report);
  longestTurnSeconds = 0;
  affected = {};
});
process.once('SIGTERM', () => {
  process.disconnect?.();
  void runtime.stop().then(() => client.close());
});
console.log(JSON.stringify({ port: runtime.port }));
