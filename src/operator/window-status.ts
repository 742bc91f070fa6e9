import { Cron } from 'croner';
import type { MaintenanceWindow, MaintenanceWindowSpec } from '../api/maintenance-window.ts';
import { conditionsOf, instantOf, type Stated, urgencyOf } from './conditions.ts';
import type { DesiredStatus } from './status-writer.ts';

type State = Stated<'MaintenanceWindow'>;

/** The next opening of a window, or what is wrong with its schedule. Times are epoch milliseconds. */
export type Opening =
  | { readonly startsAt: number; readonly endsAt: number }
  | { readonly wrong: 'InvalidSchedule' | 'UnknownTimeZone'; readonly message: string }
  | undefined;

/** When a window opens next after `now`; `undefined` when it never does again. */
export function nextOpening(spec: MaintenanceWindowSpec, now: number): Opening {
  if (spec.schedule === undefined) {
    const [startsAt, endsAt] = [Date.parse(spec.startsAt ?? ''), Date.parse(spec.endsAt ?? '')];
    if (!(startsAt < endsAt)) {
      const message =
        '`spec` has neither a `schedule` nor a `startsAt` before an `endsAt`: write one of them, instants as 2026-12-02T06:00:00Z';
      return { wrong: 'InvalidSchedule', message };
    }
    return startsAt > now ? { startsAt, endsAt } : undefined;
  }
  const timezone = spec.timeZone ?? 'UTC';
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    const message = `\`spec.timeZone\` is "${timezone}", which is no IANA time zone: write one such as Europe/Berlin`;
    return { wrong: 'UnknownTimeZone', message };
  }
  try {
    const next = new Cron(spec.schedule, { timezone, mode: '5-part', paused: true }).nextRun(new Date(now));
    if (!next) return undefined;
    return { startsAt: next.getTime(), endsAt: next.getTime() + (spec.durationSeconds ?? 0) * 1000 };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `\`spec.schedule\` is "${spec.schedule}", which is no cron expression of five fields (${why}): write one such as "0 2 * * 6"`;
    return { wrong: 'InvalidSchedule', message };
  }
}

/** The status of a MaintenanceWindow. Windows need a licence; without one they are inactive and say so. */
export function windowStatus(object: MaintenanceWindow, now: number): DesiredStatus {
  const opening = nextOpening(object.spec, now);
  const notLicensed = 'Maintenance windows need a licence (Pro); this one holds nothing back.';
  const stated: readonly State[] =
    opening && 'wrong' in opening
      ? [
          { type: 'Ready', status: 'False', reason: 'Invalid', message: opening.message },
          { type: 'Stalled', status: 'True', reason: opening.wrong, message: opening.message },
          { type: 'Active', status: 'False', reason: opening.wrong, message: opening.message },
        ]
      : [
          { type: 'Ready', status: 'True', reason: 'NotLicensed', message: notLicensed },
          { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'The schedule can be read.' },
          { type: 'Active', status: 'False', reason: 'NotLicensed', message: notLicensed },
        ];
  const conditions = conditionsOf<'MaintenanceWindow'>(
    stated,
    object.status?.conditions,
    object.metadata.generation,
    now,
  );
  const status = {
    observedGeneration: object.metadata.generation,
    conditions,
    ...(opening &&
      'startsAt' in opening && { nextStartTime: instantOf(opening.startsAt), nextEndTime: instantOf(opening.endsAt) }),
    suppressed: 0,
  };
  return { status, urgent: urgencyOf(conditions) };
}
