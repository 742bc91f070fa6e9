import type { MaintenanceWindow, MaintenanceWindowStatus } from '../api/maintenance-window.ts';
import { lastInstant } from '../api/rules/opening.ts';
import { type PlannedWindow, windowAt } from '../api/windows.ts';
import { type Edition, features, includes } from '../model/edition.ts';
import type { Opening } from '../model/settings.ts';
import { conditionsOf, instantOf, type Stated, selectsByUnknown, urgencyOf } from './conditions.ts';
import type { DesiredStatus } from './status-writer.ts';

type State = Stated<'MaintenanceWindow'>;
type Parts = {
  /** What it means. */
  readonly planned: PlannedWindow;
  readonly edition: Edition;
  readonly muted: { readonly suppressed: number; readonly lastMatchAt: number } | undefined;
  /** What its status said when this process first saw it: counting goes on from there. */
  readonly mutedBefore: number;
  readonly now: number;
};

/** Whether it is open at `now` (epoch milliseconds). */
function isOpen({ startsAt, endsAt }: Opening, now: number): boolean {
  return startsAt <= now && now < endsAt;
}

function activity({ planned, edition, now }: Parts): State {
  const closed = (reason: 'Closed' | 'Suspended' | 'NotLicensed', message: string): State => ({
    ...{ type: 'Active', status: 'False', reason, message },
  });
  if (!includes(edition, 'maintenance')) return closed('NotLicensed', notLicensed);
  if (planned.suspended) return closed('Suspended', suspended);
  const { opening } = windowAt(planned, now);
  if (opening === undefined) return closed('Closed', 'It is over and does not open again.');
  if (!isOpen(opening, now)) return closed('Closed', `Opens at ${instantOf(opening.startsAt)}.`);
  const until =
    opening.endsAt === lastInstant
      ? 'and never closes: each opening lasts until the next one begins'
      : `until ${instantOf(opening.endsAt)}`;
  return {
    ...{ type: 'Active', status: 'True', reason: 'Open' },
    message: `Holds back the incidents it selects ${until}.`,
  };
}

const notLicensed = `Maintenance windows need a licence. ${features.maintenance.without}`;
const suspended = '`spec.suspend` is true: it stays closed.';
const notStalled: State = {
  type: 'Stalled',
  status: 'False',
  reason: 'NotStalled',
  message: 'No action is needed.',
};

function summary({ planned, edition }: Parts): State {
  const ready = (reason: 'NotLicensed' | 'Suspended' | 'Accepted', message: string): State => ({
    ...{ type: 'Ready', status: 'True', reason, message },
  });
  if (!includes(edition, 'maintenance')) return ready('NotLicensed', notLicensed);
  return planned.suspended ? ready('Suspended', suspended) : ready('Accepted', 'The window is valid.');
}

function stated(parts: Parts): readonly State[] {
  const { settings, openings } = parts.planned;
  if ('wrong' in openings) {
    const { wrong: reason, message } = openings;
    return [
      { type: 'Ready', status: 'False', reason: 'Invalid', message },
      { type: 'Stalled', status: 'True', reason, message },
      { type: 'Active', status: 'False', reason, message },
    ];
  }
  const unknown = selectsByUnknown(settings.selector);
  // It may select by other reasons besides, so it goes on by its times.
  if (unknown) return [...unknown, activity(parts)];
  return [summary(parts), notStalled, activity(parts)];
}

/** The opening it is in and the next one, as far as there are any and they end. */
function times({
  planned,
  edition,
  now,
}: Parts): Pick<MaintenanceWindowStatus, 'currentEndTime' | 'nextStartTime' | 'nextEndTime'> {
  const { openings } = planned;
  const { opening } = windowAt(planned, now);
  if (opening === undefined || 'wrong' in openings) return {};
  const [current, next] = isOpen(opening, now) ? [opening, openings.after(opening)] : [undefined, opening];
  const isEnding = (one: Opening | undefined): one is Opening => one !== undefined && one.endsAt < lastInstant;
  return {
    ...(isEnding(current) && includes(edition, 'maintenance') && { currentEndTime: instantOf(current.endsAt) }),
    ...(next && { nextStartTime: instantOf(next.startsAt) }),
    ...(isEnding(next) && { nextEndTime: instantOf(next.endsAt) }),
  };
}

/** The instant (epoch milliseconds) at which the status of a window changes by time alone, if any. */
export function windowChangesAt(planned: PlannedWindow, now: number): number | undefined {
  const { opening } = windowAt(planned, now);
  return opening && [opening.startsAt, opening.endsAt].find((at) => at > now);
}

/** The status of a MaintenanceWindow. One that is over stays and is healthy. */
export function windowStatus(object: MaintenanceWindow, parts: Parts): DesiredStatus<'MaintenanceWindow'> {
  const { muted, mutedBefore, now } = parts;
  const { generation: observedGeneration } = object.metadata;
  const conditions = conditionsOf<'MaintenanceWindow'>(
    stated(parts),
    object.status?.conditions,
    observedGeneration,
    now,
  );
  const suppressed = mutedBefore + (muted?.suppressed ?? 0);
  const lastMatchTime = muted ? instantOf(muted.lastMatchAt) : object.status?.lastMatchTime;
  const status = {
    ...{ observedGeneration, conditions, ...times(parts), suppressed },
    ...(lastMatchTime !== undefined && { lastMatchTime }),
  };
  // What it holds back shows at once, as it does on a Silence.
  return { status, urgent: urgencyOf(conditions, suppressed) };
}
