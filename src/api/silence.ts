import { count, instant, object, required, type TypeOf, text } from '../model/schema.ts';
import {
  conditions,
  endsAfterStart,
  maxSpanSeconds,
  observedGeneration,
  seconds,
  selector,
  selectorFields,
} from './schema/common.ts';
import {
  ageColumn,
  conditionColumn,
  type OwnObject,
  type ResourceDefinition,
  reasonColumn,
} from './schema/resource.ts';

const spec = object(
  'What to mute, and until when.',
  {
    selector: required(
      selector('Incidents to mute: those that match all of these fields; at least one is needed.', [
        {
          rule: selectorFields.map((field) => `has(self.${field})`).join(' || '),
          message: `name at least one field (${selectorFields.join(', ')}): an empty selector would mute everything`,
        },
      ]),
    ),
    startsAt: instant('When it starts; by default, when it is created.'),
    endsAt: instant('When it ends.'),
    durationSeconds: seconds('How long it lasts, from startsAt or else from its creation.', 1, maxSpanSeconds),
    comment: text('Why it is muted, for whoever comes across it.', { max: 1024 }),
    createdBy: text('Who requested it.', { max: 253 }),
  },
  [
    {
      rule: 'has(self.endsAt) != has(self.durationSeconds)',
      message: 'set exactly one of `endsAt` and `durationSeconds`: a silence must end',
    },
    endsAfterStart,
  ],
);

const status = object('The current state; rebuilt after a restart.', {
  observedGeneration,
  conditions,
  startTime: instant('When it starts, or started.'),
  endTime: instant('When it ends, or ended.'),
  suppressed: count('How many incidents it has muted.'),
  lastMatchTime: instant('When it last muted an incident.'),
});

/** The spec. */
export type SilenceSpec = TypeOf<typeof spec>;
/** The status. */
export type SilenceStatus = TypeOf<typeof status>;
/** A Silence. */
export type Silence = OwnObject<SilenceSpec, SilenceStatus>;

/** The kind. */
export const silence: ResourceDefinition<SilenceSpec, SilenceStatus> = {
  kind: 'Silence',
  description:
    'Mutes the incidents it selects for a while. In the namespace of Tocsin it speaks for the whole cluster, elsewhere for its own namespace.',
  spec,
  specRequired: true,
  status,
  columns: [
    conditionColumn('Active', 'Whether it is muting now.'),
    conditionColumn('Ready', 'Whether its configuration is valid.'),
    { name: 'Until', type: 'string', path: '.status.endTime', description: 'When it ends.' },
    {
      name: 'Suppressed',
      type: 'integer',
      path: '.status.suppressed',
      description: 'How many incidents it has muted.',
    },
    { name: 'Comment', type: 'string', path: '.spec.comment', description: 'Why.' },
    { name: 'By', type: 'string', path: '.spec.createdBy', description: 'Who requested it.', wide: true },
    reasonColumn,
    ageColumn,
  ],
  validations: [],
  sample: `apiVersion: tocsin.dev/v1beta1
kind: Silence
metadata:
  name: checkout-migration
  namespace: tocsin
spec:
  selector:
    reasons: [CrashLoopBackOff]
    names: [checkout]
  durationSeconds: 3600
  comment: database migration, see OPS-123
`,
};
