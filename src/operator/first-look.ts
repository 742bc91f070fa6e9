import { kindNames } from '../api/group.ts';
import type { Coverage } from '../model/coverage.ts';
import type { Logger } from '../telemetry/logger.ts';

/** What a person can do about one of our own kinds that cannot be watched. */
const remedies: Readonly<Partial<Record<Coverage['state'], string>>> = {
  NotServed: 'the API server does not know this resource of Tocsin: install the CRDs (`kubectl apply -k config/crd`)',
  Denied: 'Tocsin may not list and watch its own resource: apply its roles (`kubectl apply -k config/rbac`)',
};

/** Waits for the first complete list of all four kinds. */
export type FirstLook = { see(coverage: Coverage): void };

/** Calls `done` once, when every kind has been listed; logs the remedy whenever one of them cannot be. */
export function createFirstLook(options: { readonly log: Logger; readonly done: () => void }): FirstLook {
  const listed = new Set<string>();
  return {
    see({ kind, source, state }) {
      const remedy = remedies[state];
      if (remedy !== undefined) options.log.error({ source }, remedy);
      if (state !== 'Watching' || listed.has(kind)) return;
      listed.add(kind);
      if (listed.size === kindNames.length) options.done();
    },
  };
}
