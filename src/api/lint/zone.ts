import { noTimeZone, wallClockOf } from '../rules/time-zone.ts';
import type { Remark } from './remark.ts';

/** That a field names no time zone: times stay in UTC then. */
export function zoneRemarks(path: string, timeZone: string | undefined): readonly Remark[] {
  if (timeZone === undefined || wallClockOf(timeZone)) return [];
  return [{ rule: 'UnknownTimeZone', path, message: noTimeZone(path, timeZone) }];
}
