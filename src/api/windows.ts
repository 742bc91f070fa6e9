import { refOf } from '../model/ref.ts';
import type { WindowSettings } from '../model/settings.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { type Openings, openingsOf, type WrongSchedule } from './rules/opening.ts';
import { selectorOf } from './selector.ts';

/** What a MaintenanceWindow means, whatever the time is. */
export type PlannedWindow = {
  readonly settings: Omit<WindowSettings, 'opening'>;
  readonly openings: Openings | WrongSchedule;
  readonly suspended: boolean;
};

/** What a MaintenanceWindow means. */
export function plannedWindow({ metadata: { name, namespace }, spec }: MaintenanceWindow): PlannedWindow {
  return {
    settings: {
      ref: refOf('MaintenanceWindow', namespace, name),
      namespace,
      selector: selectorOf(spec.selector),
      ...(spec.comment !== undefined && { comment: spec.comment }),
    },
    openings: openingsOf(spec),
    suspended: spec.suspend === true,
  };
}

/** The window with the opening that it is in at `now` (epoch milliseconds), else its next one. */
export function windowAt({ settings, openings, suspended }: PlannedWindow, now: number): WindowSettings {
  const opening = suspended || 'wrong' in openings ? undefined : openings.at(now);
  return opening ? { ...settings, opening } : settings;
}
