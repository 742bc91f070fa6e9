import type { Decision, IncidentState } from '../model/incident.ts';

/**
 * What happens to an incident. `settled`: it has been failing long enough to tell. `absorbed`: what it is about belongs to
 * another incident's explanation now. `held`: everything stayed healthy for the hold. `expired`: past its retention.
 */
export type IncidentEvent = 'settled' | 'failing' | 'clear' | 'absorbed' | 'held' | 'expired';

/** One row of the life of an incident. `to: null`: it is forgotten. */
export type Transition = {
  readonly from: IncidentState;
  readonly on: IncidentEvent;
  readonly to: IncidentState | null;
  readonly action: Decision['action'];
  readonly reasonCode: string;
};

/** The whole life. An event without a row leaves the state as it is. */
const transitions: readonly Transition[] = [
  { from: 'Settling', on: 'settled', to: 'Open', action: 'open', reasonCode: 'Settled' },
  { from: 'Settling', on: 'clear', to: null, action: 'forget', reasonCode: 'ClearedWhileSettling' },
  { from: 'Settling', on: 'absorbed', to: null, action: 'fold', reasonCode: 'PartOfAnother' },
  { from: 'Open', on: 'clear', to: 'Recovering', action: 'recover', reasonCode: 'AllClear' },
  { from: 'Open', on: 'absorbed', to: 'Open', action: 'fold', reasonCode: 'PartOfAnother' },
  { from: 'Recovering', on: 'failing', to: 'Open', action: 'recover', reasonCode: 'FailedAgain' },
  { from: 'Recovering', on: 'absorbed', to: 'Open', action: 'fold', reasonCode: 'PartOfAnother' },
  { from: 'Recovering', on: 'held', to: 'Resolved', action: 'resolve', reasonCode: 'HeldGood' },
  { from: 'Resolved', on: 'settled', to: 'Open', action: 'reopen', reasonCode: 'FailedAgainInCooldown' },
  { from: 'Resolved', on: 'expired', to: null, action: 'forget', reasonCode: 'RetentionOver' },
];

/** The row for an event in a state, if it has one. */
export function transition(from: IncidentState, on: IncidentEvent): Transition | undefined {
  return transitions.find((row) => row.from === from && row.on === on);
}
