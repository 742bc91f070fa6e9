import type { Incident } from '../../model/incident.ts';
import { clockTime } from './times.ts';

/** `10:56 UTC by Ada via Telegram`: since when an incident is taken on, and by whom; `undefined`: nobody has. `now`: epoch milliseconds. */
export function acknowledgedInWords({ acknowledged }: Pick<Incident, 'acknowledged'>, now: number): string | undefined {
  if (acknowledged === undefined) return undefined;
  const { at, by, via } = acknowledged;
  return `${clockTime(at, now)} by ${by}${via === undefined ? '' : ` via ${via}`}`;
}
