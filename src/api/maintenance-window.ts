import { count, flag, instant, object, required, type TypeOf, text } from '../model/schema.ts';
import { conditions, endsAfterStart, maxSpanSeconds, observedGeneration, seconds, selector } from './schema/common.ts';
import {
  ageColumn,
  conditionColumn,
  type OwnObject,
  type ResourceDefinition,
  reasonColumn,
} from './schema/resource.ts';

const spec = object(
  'What is being worked on, and when.',
  {
    selector: required(
      selector('Incidents to hold back: those that match all of these fields; an empty selector means all in scope.'),
    ),
    schedule: text('When it opens, as a cron expression of five fields, such as 0 22 * * 6.', { min: 9, max: 100 }),
    durationSeconds: seconds('How long it stays open each time.', 60, maxSpanSeconds),
    startsAt: instant('When it opens, if only once.'),
    endsAt: instant('When it closes, if only once.'),
    timeZone: text('IANA time zone of the schedule, such as Europe/Berlin.', { min: 1, max: 63, default: 'UTC' }),
    comment: text('What is done in it, for whoever comes across it.', { max: 1024 }),
    suspend: flag('Keep it closed.', false),
  },
  [
    {
      rule: 'has(self.schedule) ? has(self.durationSeconds) && !has(self.startsAt) && !has(self.endsAt) : has(self.startsAt) && has(self.endsAt) && !has(self.durationSeconds)',
      message: 'set `schedule` with `durationSeconds` (again and again), or `startsAt` with `endsAt` (once)',
    },
    endsAfterStart,
  ],
);

const status = object('The current state; rebuilt after a restart.', {
  observedGeneration,
  conditions,
  currentEndTime: instant('When the open window closes.'),
  nextStartTime: instant('When it opens next.'),
  nextEndTime: instant('When the next opening ends.'),
  suppressed: count('How many incidents it has held back.'),
  lastMatchTime: instant('When it last held an incident back.'),
});

/** The spec. */
export type MaintenanceWindowSpec = TypeOf<typeof spec>;
/** The status. */
export type MaintenanceWindowStatus = TypeOf<typeof status>;
/** A MaintenanceWindow. */
export type MaintenanceWindow = OwnObject<MaintenanceWindowSpec, MaintenanceWindowStatus>;

/** The kind. */
export const maintenanceWindow: ResourceDefinition<MaintenanceWindowSpec, MaintenanceWindowStatus> = {
  kind: 'MaintenanceWindow',
  description:
    'Holds notifications back during planned work, once or by a schedule (Pro). In the namespace of Tocsin it speaks for the whole cluster, elsewhere for its own namespace.',
  spec,
  specRequired: true,
  status,
  columns: [
    conditionColumn('Active', 'Whether it is open now.'),
    conditionColumn('Ready', 'Whether its configuration is valid.'),
    { name: 'Next Start', type: 'string', path: '.status.nextStartTime', description: 'When it opens next.' },
    { name: 'Time Zone', type: 'string', path: '.spec.timeZone', description: 'Time zone of the schedule.' },
    { name: 'Schedule', type: 'string', path: '.spec.schedule', description: 'When it opens.' },
    {
      name: 'Suppressed',
      type: 'integer',
      path: '.status.suppressed',
      description: 'How many incidents it has held back.',
    },
    reasonColumn,
    ageColumn,
  ],
  validations: [],
  sample: `apiVersion: tocsin.dev/v1beta1
kind: MaintenanceWindow
metadata:
  name: weekly-node-upgrades
  namespace: tocsin
spec:
  selector:
    nodes: ["*"]
  schedule: "0 2 * * 6"
  durationSeconds: 7200
  timeZone: Europe/Berlin
  comment: weekly node upgrades
`,
};
