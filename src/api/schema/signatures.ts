import { list, object, oneOf, required, text } from '../../model/schema.ts';
import { severities } from '../../model/severity.ts';
import { globs, seconds } from './common.ts';

/** Signatures of one AlertConfig; all of them are tried on every object that changes. */
const maxSignatures = 50;

/** Three characters of its own at least, none of them a wildcard: what fits everything tells nothing. */
const pattern = (description: string) =>
  text(description, { min: 3, max: 200, pattern: '[^*?\\s][*?\\s]*[^*?\\s][*?\\s]*[^*?\\s]' });

const condition = object('A condition in the status of an object.', {
  type: required(text('Type of the condition, such as Ready.', { min: 1, max: 316 })),
  status: oneOf('Status of the condition; by default False.', ['True', 'False', 'Unknown']),
  reason: pattern('Text that its reason contains; `*` and `?` are wildcards.'),
  message: pattern('Text that its message contains; `*` and `?` are wildcards.'),
});

const event = object('An Event of type Warning about an object.', {
  reason: required(pattern('Text that its reason contains; `*` and `?` are wildcards.')),
  message: pattern('Text that its message contains; `*` and `?` are wildcards.'),
});

const signature = object(
  'What a failure is known by, and what to call it.',
  {
    name: required(
      text('Name of the signature in CamelCase, such as PoolExhausted.', {
        min: 1,
        max: 63,
        pattern: '^[A-Z][A-Za-z0-9]*$',
      }),
    ),
    says: required(
      text('What is wrong, after the name of the object, such as: has no database connections left.', {
        min: 3,
        max: 100,
        pattern: '^[^\\s].*[^\\s.]$',
      }),
    ),
    kinds: list(
      'Kinds of objects, such as Pod; without it, all that are watched.',
      text(
        'A kind as manifests write it, with its group where several have one of that name: Cluster.postgresql.cnpg.io.',
        {
          min: 1,
          max: 253,
          pattern: '^[A-Z][A-Za-z0-9]*(\\.[a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$',
        },
      ),
      {
        max: 20,
        type: 'set',
      },
    ),
    namespaces: globs('Only in these namespaces; `*` and `?` are wildcards, `!` in front excludes.'),
    condition,
    event,
    lastLine: pattern(
      'Text that the last line of a Pod contains that is not ready, in its log or termination message; `*` and `?` are wildcards.',
    ),
    severity: oneOf('Severity before its impact is judged; by default medium.', severities),
    forSeconds: seconds('How long it must be so before it counts.', 0, 3_600),
  },
  [
    {
      rule: '(has(self.condition) ? 1 : 0) + (has(self.event) ? 1 : 0) + (has(self.lastLine) ? 1 : 0) == 1',
      message: 'set exactly one of `condition`, `event` and `lastLine`',
    },
    {
      rule: "!has(self.lastLine) || !has(self.kinds) || self.kinds == ['Pod']",
      message: 'only Pods end with a line: leave `kinds` out',
    },
  ],
);

/** `spec.signatures` of the AlertConfig. */
export const signatures = list(
  'Failures of your own that Tocsin is to know; of those that fit an object the first counts.',
  signature,
  {
    max: maxSignatures,
    type: 'map',
    keys: ['name'],
  },
);
