import { features } from '../../model/edition.ts';
import type { MaintenanceWindow, MaintenanceWindowSpec } from '../maintenance-window.ts';
import { lastInstant, type Openings, openingsOf } from '../rules/opening.ts';
import { selectorOf } from '../selector.ts';
import { over } from './others.ts';
import type { Remark } from './remark.ts';
import { scopeRemarks, selectorRemarks } from './selectors.ts';
import type { Surroundings } from './surroundings.ts';

const path = 'spec.durationSeconds';

/** Openings that reach into each other: as a rule it was meant to close in between. */
function overlapRemarks(spec: MaintenanceWindowSpec, openings: Openings, now: number): readonly Remark[] {
  const opening = openings.at(now);
  if (opening === undefined || opening.endsAt - opening.startsAt <= openings.durationMs) return [];
  // What closes only for the hour that the clock repeats is open for good all the same.
  const inUTC = openingsOf({ ...spec, timeZone: 'UTC' });
  const neverCloses = 'at' in inUTC && inUTC.at(now)?.endsAt === lastInstant;
  return neverCloses
    ? [
        {
          rule: 'NeverCloses',
          path,
          message: `\`${path}\` is ${spec.durationSeconds}, so that each opening lasts until the next one begins and the window never closes: shorten it`,
        },
      ]
    : [
        {
          rule: 'OpeningsOverlap',
          path,
          message: `\`${path}\` is ${spec.durationSeconds}, longer than the time between some starts of \`spec.schedule\`: such openings are one, until ${new Date(opening.endsAt).toISOString().replace('.000', '')} for the next`,
        },
      ];
}

/** Remarks on a MaintenanceWindow that the schema has taken. */
export function windowRemarks(object: MaintenanceWindow, { now, operatorNamespace }: Surroundings): readonly Remark[] {
  const { spec } = object;
  const openings = openingsOf(spec);
  const endsAt = spec.schedule === undefined ? Date.parse(spec.endsAt ?? '') : Number.NaN;
  return [
    ...('wrong' in openings
      ? [{ rule: openings.wrong, path: openings.path, message: openings.message }]
      : overlapRemarks(spec, openings, now)),
    ...(endsAt <= now ? [over('window', 'spec.endsAt', endsAt)] : []),
    ...selectorRemarks(selectorOf(spec.selector), 'spec.selector'),
    ...scopeRemarks(object, operatorNamespace),
    {
      rule: 'NotLicensed',
      path: '',
      message: `without a licence this window has no effect. ${features.maintenance.without}`,
    },
  ];
}
