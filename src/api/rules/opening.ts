import { Cron } from 'croner';
import type { MaintenanceWindowSpec } from '../maintenance-window.ts';

/** The next opening of a window, or what is wrong with its schedule. Times are epoch milliseconds. */
export type Opening =
  | { readonly startsAt: number; readonly endsAt: number }
  | { readonly wrong: 'InvalidSchedule' | 'UnknownTimeZone'; readonly path: string; readonly message: string };

/** When a window opens next after `now`; `undefined` when it never does again. */
export function nextOpening(spec: MaintenanceWindowSpec, now: number): Opening | undefined {
  if (spec.schedule === undefined) {
    const [startsAt, endsAt] = [Date.parse(spec.startsAt ?? ''), Date.parse(spec.endsAt ?? '')];
    if (!(startsAt < endsAt)) {
      const message =
        '`spec` has neither a `schedule` nor a `startsAt` before an `endsAt`: write one of them, instants as 2026-12-02T06:00:00Z';
      return { wrong: 'InvalidSchedule', path: 'spec', message };
    }
    return startsAt > now ? { startsAt, endsAt } : undefined;
  }
  const timezone = spec.timeZone ?? 'UTC';
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    const message = `\`spec.timeZone\` is "${timezone}", which is no IANA time zone: write one such as Europe/Berlin`;
    return { wrong: 'UnknownTimeZone', path: 'spec.timeZone', message };
  }
  try {
    const next = new Cron(spec.schedule, { timezone, mode: '5-part', paused: true }).nextRun(new Date(now));
    if (!next) return undefined;
    return { startsAt: next.getTime(), endsAt: next.getTime() + (spec.durationSeconds ?? 0) * 1000 };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `\`spec.schedule\` is "${spec.schedule}", which is no cron expression of five fields (${why}): write one such as "0 2 * * 6"`;
    return { wrong: 'InvalidSchedule', path: 'spec.schedule', message };
  }
}
