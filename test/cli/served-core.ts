import type { Settings } from '../../src/model/settings.ts';
import { startServer } from '../../src/server/server.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { Core } from '../../src/turn/core.ts';
import { noTenants, nothingPast } from '../server/page-stage.ts';

/** The real endpoints over a core, for commands that ask a running operator. `now`: the time it is there (epoch milliseconds). */
export async function serveCore(
  core: Core,
  settings: Settings,
  now: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const untried = { delivered: 1, failed: 0, pending: 0, failing: false };
  const server = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics(), log: createLogger({ level: 'silent' }) },
    views: {
      alive: () => true,
      ready: () => ({ checks: [] }),
      health: () => ({ reasons: [], edition: 'Pro', version: '1.2.3', coverage: [] }),
      status: () => ({
        allowPlainHTTP: false,
        authorize: async () => 'forbidden',
        ...noTenants,
        why: (asked, at) => core.view.why(asked, now, at),
        report: () => ({ unclear: 'nobody asks' }),
        view: () => ({
          clusterName: settings.app.clusterName,
          settings,
          incidents: [...core.view.incidents()],
          words: (incident) => core.view.words(incident, now),
          ...nothingPast,
          deadLetters: [],
          providers: settings.providers.map((each) => ({ ...each, ...untried })),
        }),
      }),
      metricsGuard: () => undefined,
      now: () => now,
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.close() };
}
