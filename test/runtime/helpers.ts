import type { Coverage } from '../../src/model/coverage.ts';
import { type Effects, emptyBatch } from '../../src/model/turn.ts';

/** What a turn asks for in which nothing happens. */
export const noEffects: Effects = {
  save: emptyBatch,
  fetch: [],
  events: [],
  statuses: [],
  counters: [],
};

const reasons: Readonly<Record<Coverage['state'], Coverage['reason']>> = {
  ...{ Watching: 'Synced', Syncing: 'InitialList', Denied: 'Forbidden', NotServed: 'NotServed' },
  ...{ Failing: 'ConnectionLost', Disabled: 'OptIn' },
};

/** A row of coverage. */
export function coverage(source: string, state: Coverage['state'], required = true): Coverage {
  return { source, kind: source, state, reason: reasons[state], since: 0, required };
}
