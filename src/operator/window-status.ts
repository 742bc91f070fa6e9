import type { MaintenanceWindow } from '../api/maintenance-window.ts';
import { nextOpening } from '../api/rules/opening.ts';
import { conditionsOf, instantOf, type Stated, urgencyOf } from './conditions.ts';
import type { DesiredStatus } from './status-writer.ts';

type State = Stated<'MaintenanceWindow'>;

/** The status of a MaintenanceWindow. Windows need a licence; without one they are inactive and say so. */
export function windowStatus(object: MaintenanceWindow, now: number): DesiredStatus<'MaintenanceWindow'> {
  const opening = nextOpening(object.spec, now);
  const notLicensed = 'Maintenance windows have no effect on Community: this one holds nothing back. A Silence does.';
  const stated: readonly State[] =
    opening && 'wrong' in opening
      ? [
          { type: 'Ready', status: 'False', reason: 'Invalid', message: opening.message },
          { type: 'Stalled', status: 'True', reason: opening.wrong, message: opening.message },
          { type: 'Active', status: 'False', reason: opening.wrong, message: opening.message },
        ]
      : [
          { type: 'Ready', status: 'True', reason: 'NotLicensed', message: notLicensed },
          { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'No action is needed.' },
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
