import type { Coverage } from '../../model/coverage.ts';
import type { Decision, DecisionAction } from '../../model/incident.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** What happens to an incident that whoever reads the log wants to know of; the rest is bookkeeping. */
const words: Readonly<Partial<Record<DecisionAction, string>>> = {
  open: 'incident opened',
  update: 'incident updated',
  suppress: 'incident held back',
  reopen: 'incident reopened',
  resolve: 'incident resolved',
  acknowledge: 'incident acknowledged',
  unacknowledge: 'acknowledgement withdrawn',
};

/** Writes a line for each step of an incident, with what became of it and why. */
export function logDecisions(decisions: readonly Decision[], log: Logger): void {
  for (const { incident, action, root, reason, severity, disposition, reasonCode, by } of decisions) {
    const message = words[action];
    if (message === undefined) continue;
    log.info(
      { incident, root, reason, severity, disposition, why: reasonCode, ...(by !== undefined && { by }) },
      message,
    );
  }
}

/** The one line of the start: how much of the cluster is seen, and why the rest is not. */
export function logBaseline(rows: readonly Coverage[], log: Logger): void {
  const watched = rows.filter(({ state }) => state === 'Watching').length;
  const others = Object.entries(Object.groupBy(rows, ({ state }) => state)).filter(([state]) => state !== 'Watching');
  const counts = Object.fromEntries(others.map(([state, each]) => [state, each?.length ?? 0]));
  log.info(
    { watched, ...counts },
    `ready: ${watched} resources are watched; /health says which, and why others are not`,
  );
}
