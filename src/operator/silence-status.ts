import type { Silence } from '../api/silence.ts';
import type { SilenceSettings } from '../model/settings.ts';
import { conditionsOf, instantOf, type Stated, selectsByUnknown, urgencyOf } from './conditions.ts';
import type { DesiredStatus } from './status-writer.ts';

type State = Stated<'Silence'>;

function activity(settings: SilenceSettings, now: number): State {
  if (now >= settings.endsAt)
    return {
      type: 'Active',
      status: 'False',
      reason: 'Expired',
      message: `Ended at ${instantOf(settings.endsAt)}; it no longer mutes anything.`,
    };
  if (now < settings.startsAt)
    return {
      type: 'Active',
      status: 'False',
      reason: 'Pending',
      message: `Starts at ${instantOf(settings.startsAt)}.`,
    };
  return {
    type: 'Active',
    status: 'True',
    reason: 'Active',
    message: `Mutes the incidents it selects until ${instantOf(settings.endsAt)}.`,
  };
}

const invalid =
  'Its times cannot be read: write `startsAt` and `endsAt` as RFC 3339, 2026-12-02T06:00:00Z, before the year 3000.';

function stated(settings: SilenceSettings | undefined, now: number): readonly State[] {
  if (!settings)
    return [
      { type: 'Ready', status: 'False', reason: 'Invalid', message: invalid },
      { type: 'Stalled', status: 'True', reason: 'InvalidSpec', message: invalid },
      { type: 'Active', status: 'False', reason: 'Invalid', message: invalid },
    ];
  const unknown = selectsByUnknown(settings.selector);
  // It may select by other reasons besides, so it goes on by its times.
  if (unknown) return [...unknown, activity(settings, now)];
  return [
    { type: 'Ready', status: 'True', reason: 'Accepted', message: 'The silence is valid.' },
    { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'No action is needed.' },
    activity(settings, now),
  ];
}

/** The instant (epoch milliseconds) at which the status of a Silence changes by time alone, if any. */
export function silenceChangesAt(settings: SilenceSettings, now: number): number | undefined {
  return [settings.startsAt, settings.endsAt].find((at) => at > now);
}

/**
 * The status of a Silence. An expired one stays and is healthy. `mutedBefore`: what its status said when this process first
 * saw it, since counting goes on from there.
 */
export function silenceStatus(
  object: Silence,
  parts: {
    readonly settings: SilenceSettings | undefined;
    readonly muted: { readonly suppressed: number; readonly lastMatchAt: number } | undefined;
    readonly mutedBefore: number;
    readonly now: number;
  },
): DesiredStatus<'Silence'> {
  const { settings, muted, mutedBefore, now } = parts;
  const conditions = conditionsOf<'Silence'>(
    stated(settings, now),
    object.status?.conditions,
    object.metadata.generation,
    now,
  );
  const lastMatchTime = muted ? instantOf(muted.lastMatchAt) : object.status?.lastMatchTime;
  const status = {
    observedGeneration: object.metadata.generation,
    conditions,
    ...(settings && { startTime: instantOf(settings.startsAt), endTime: instantOf(settings.endsAt) }),
    suppressed: mutedBefore + (muted?.suppressed ?? 0),
    ...(lastMatchTime !== undefined && { lastMatchTime }),
  };
  // A muted incident shows at once: it is what people look for after applying a silence.
  return { status, urgent: urgencyOf(conditions, status.suppressed) };
}
