import type { HealthView } from './views.ts';

/** A time as JSON has it. */
function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Whole seconds since an instant, never negative. */
function ageSeconds(since: number, now: number): number {
  return Math.max(0, Math.floor((now - since) / 1000));
}

/** The JSON of `/health` (`docs/health.schema.json`): codes, counts and ages. `now`: epoch milliseconds. */
export function healthBody(view: HealthView, now: number): object {
  return {
    status: view.reasons.length === 0 ? 'ok' : 'degraded',
    reasons: [...view.reasons],
    edition: view.edition,
    version: view.version,
    coverage: {
      watching: view.coverage.filter((row) => row.state === 'Watching').length,
      total: view.coverage.length,
      resources: view.coverage.map((row) => ({
        resource: row.source,
        kind: row.kind,
        state: row.state,
        reason: row.reason,
        required: row.required,
        objects: row.objects,
        notJudged: row.notJudged,
        since: rfc3339(row.since),
        ageSeconds: ageSeconds(row.since, now),
        lastHeardSeconds: row.heardAt === undefined ? null : ageSeconds(row.heardAt, now),
      })),
    },
  };
}
