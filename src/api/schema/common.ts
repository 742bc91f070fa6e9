import { maxOwnerLength } from '../../model/owner.ts';
import { instant, list, object, oneOf, required, table, text, type Validation, whole } from '../../model/schema.ts';
import { severities } from '../../model/severity.ts';
import { nameLength } from '../../schema/secret.ts';

/** The longest message in a status; longer ones are clipped before they are written. */
export const messageLength = 1024;

/** A glob as selectors read it: `*`, `?`, and `!` in front to exclude. */
const globPattern = '^!?[^!\\s]+$';

/** The same for owners, whose names may hold spaces. */
const ownerGlob = '^!?[^!\\s]([^\\t\\n\\r]*[^\\s])?$';

/** A list of globs. */
export const globs = (description: string, limits: { readonly min?: number; readonly default?: readonly [] } = {}) =>
  list(
    description,
    text('A name; `*` and `?` are wildcards, `!` in front excludes.', { max: nameLength, pattern: globPattern }),
    {
      max: 100,
      type: 'atomic',
      ...limits,
    },
  );

const selectorProperties = {
  namespaces: globs(
    'Namespaces of the root object or of an affected one; `*` and `?` are wildcards, `!` in front excludes.',
    { min: 1 },
  ),
  reasons: globs('Reasons, as message titles show them; wildcards as for `namespaces`.', { min: 1 }),
  severities: list('Severities of incidents; by default, all.', oneOf('A severity.', severities), {
    min: 1,
    max: 4,
    type: 'set',
  }),
  kinds: list('Kinds of the root object.', text('A kind, such as Deployment.', { min: 1, max: 63 }), {
    min: 1,
    max: 50,
    type: 'atomic',
  }),
  names: globs('Names of the root object; wildcards as for `namespaces`.', { min: 1 }),
  nodes: globs('Nodes: the root is one of them, or all affected Pods run on them; wildcards as for `namespaces`.', {
    min: 1,
  }),
  labels: table('Labels of the root object or of an affected one.', text('The value.', { max: 63 }), {
    min: 1,
    max: 20,
  }),
  owners: list(
    'Owners of the root object or of an affected one; wildcards as for `namespaces`.',
    text('A name; `*` and `?` are wildcards, `!` in front excludes.', { max: maxOwnerLength + 1, pattern: ownerGlob }),
    { min: 1, max: 100, type: 'atomic' },
  ),
};

/** Which incidents? All given fields must match; an absent one matches everything. */
export const selector = (description: string, validations: readonly Validation[] = []) =>
  object(description, selectorProperties, validations);

/** The fields of a selector, for rules that ask for at least one. */
export const selectorFields: readonly string[] = Object.keys(selectorProperties);

/** The longest time a thing can be planned for (seconds): a year. */
export const maxSpanSeconds = 31_536_000;

/** Of `startsAt` and `endsAt`, as far as both are given. */
export const endsAfterStart: Validation = {
  rule: '!has(self.startsAt) || !has(self.endsAt) || self.startsAt < self.endsAt',
  message: '`endsAt` must be after `startsAt`',
};

/** A length of time in seconds. */
export const seconds = (description: string, min: number, max: number, preset?: number) =>
  whole(description, { min, max, ...(preset !== undefined && { default: preset }) });

/** `metadata.generation` as last seen. */
export const observedGeneration = whole('Generation of the spec that this status describes.', {
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
});

/** Conditions by the API conventions (metav1.Condition). */
export const conditions = list(
  'The current state, by type.',
  object('A condition.', {
    type: required(text('Type of the condition.', { min: 1, max: 63 })),
    status: required(oneOf('Whether the condition holds.', ['True', 'False', 'Unknown'])),
    reason: required(text('Reason code for the status, from the documented list.', { min: 1, max: 63 })),
    message: required(text('What it means and, where something is wrong, what to do.', { max: messageLength })),
    lastTransitionTime: required(instant('When the status last changed.')),
    observedGeneration: whole('Generation of the spec that this condition describes.', {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
  }),
  { max: 10, type: 'map', keys: ['type'] },
);
