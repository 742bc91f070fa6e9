import { failureClasses, failureCodes } from './delivery.ts';
import { editions } from './edition.ts';
import { decisionActions, dispositions, incidentStates } from './incident.ts';
import { acts } from './notification.ts';
import {
  count,
  flag,
  instant,
  list,
  type ObjectOf,
  object,
  oneOf,
  type Properties,
  required,
  type Schema,
  text,
  whole,
} from './schema.ts';
import { confidences, severities } from './severity.ts';

/** Version of the schema of the lines. Fields are added within a version; whatever else changes is a new one. */
export const auditVersion = 1;

/** Longest texts of the table below, in characters. */
const idLength = 253;
const refLength = 700;
const sentenceLength = 1_000;
/** Steps of a trace that are kept; longer ones are cut. */
export const maxSteps = 100;
/** A score beyond this says no more; percent. */
const maxScore = 10_000;
/** Characters of a torn line that are kept. */
export const maxTornChars = 16_384;

/** What every line begins with. */
const common = {
  log: required(oneOf('Tells these lines from log lines, which have a `level` instead.', ['audit'])),
  version: required(whole('Version of this schema.', { min: auditVersion, max: auditVersion })),
  run: required(text('The process that wrote it: another one after each start.', { min: 1, max: 63 })),
  sequence: required(
    whole(
      'Counts the lines of a run from 1: one that is missing was lost, one that is there twice is the same. 0 on a `repaired` line.',
      {
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
      },
    ),
  ),
  time: required(instant('When it happened.')),
} satisfies Properties;

const root = text('The object at the root, as kind/namespace/name.', { max: refLength });
const step = object('One step of the reasoning.', {
  rule: required(text('The rule or scorer.', { max: idLength })),
  about: required(text('The object, as kind/namespace/name.', { max: refLength })),
  says: required(text('What it says.', { max: sentenceLength })),
  scorePercent: whole('How much it weighs, of 100.', { min: -maxScore, max: maxScore }),
});

/** What a line tells besides, by its kind. */
const kinds = {
  decision: {
    description: 'What was done about an incident, and why.',
    fields: {
      incident: required(text('ID of the incident.', { max: idLength })),
      action: required(oneOf('What was done.', decisionActions)),
      from: oneOf('The state before; absent at the first.', incidentStates),
      to: oneOf('The state after; absent at the last.', incidentStates),
      audience: required(text('Whom it is for: a namespace, or empty for the whole cluster.', { max: idLength })),
      disposition: required(oneOf('What became of it.', dispositions)),
      reasonCode: required(text('Why, as a code.', { max: idLength })),
      by: text('What held it back or absorbed it: a Silence, a window, an incident.', { max: refLength }),
      root: required(root),
      reason: required(text('What is wrong with it.', { max: idLength })),
      severity: required(oneOf('How bad it is.', severities)),
      confidence: required(oneOf('How sure Tocsin is of the cause.', confidences)),
      affected: required(count('Objects affected.')),
      trace: required(list('How the cause was found.', step, { max: maxSteps, type: 'atomic' })),
    },
  },
  delivery: {
    description: 'How a delivery ended.',
    fields: {
      delivery: required(text('ID of the delivery.', { max: idLength })),
      stream: required(text('ID of the incident, or of a message that is about none.', { max: idLength })),
      provider: required(text('The AlertProvider, as kind/namespace/name.', { max: refLength })),
      providerUid: required(text('Its UID.', { max: idLength })),
      act: required(oneOf('What the message said.', acts)),
      ended: required(oneOf('How.', ['delivered', 'failed', 'dropped'])),
      attempts: required(count('Attempts that were made.')),
      mayHaveArrived: required(flag('Whether the product may have it.')),
      failure: object('Why it failed.', {
        class: required(oneOf('Whether another try could have helped.', failureClasses)),
        code: required(oneOf('Why, as a code.', failureCodes)),
        message: required(text('Why, in words.', { max: sentenceLength })),
      }),
    },
  },
  lock: {
    description: 'The state lock was gained or lost: without it nobody is told anything.',
    fields: { held: required(flag('Whether it is held from then on.')) },
  },
  started: {
    description: 'From here on everything is written.',
    fields: {
      tocsin: required(text('Version of Tocsin.', { max: 63 })),
      cluster: required(text('UID of the namespace kube-system.', { max: idLength })),
      edition: required(oneOf('The edition.', editions)),
    },
  },
  stopped: {
    description: 'From here on nothing is written until the next `started`.',
    fields: { reason: required(oneOf('Why.', ['Stopping', 'Disabled', 'NotLicensed', 'Moved'])) },
  },
  gap: {
    description: 'Lines are missing here: there was no room to hold them while they could not be written.',
    fields: {
      lost: required(whole('How many.', { min: 1, max: Number.MAX_SAFE_INTEGER })),
      from: required(instant('When the first of them happened.')),
      until: required(instant('When the last of them happened.')),
    },
  },
  repaired: {
    description: 'The file ended in the middle of a line, as it does when a machine fails.',
    fields: { torn: required(text('What there was of that line.', { max: maxTornChars })) },
  },
} as const satisfies Readonly<Record<string, { readonly description: string; readonly fields: Properties }>>;

/** Kind of a line. */
export type AuditKind = keyof typeof kinds;

/** What a line tells: its kind and the fields of it. `log`, `version`, `run` and `sequence` are added where it is written. */
export type AuditEntry = {
  readonly [K in AuditKind]: { readonly kind: K; readonly time: string } & ObjectOf<(typeof kinds)[K]['fields']>;
}[AuditKind];

/** Kind → the schema of its lines, the field `kind` aside. */
export const auditSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, { description, fields }]) => [kind, object(description, { ...common, ...fields })]),
);

/** What the settings say of the audit log. */
export type AuditSettings = { readonly enabled: boolean; readonly path: string };

/** How the audit log is: for conditions and `/health`. */
export type AuditView = AuditSettings & {
  readonly licensed: boolean;
  /** Why it cannot be written at the moment: a sentence's end. */
  readonly failure?: string;
  /** Lines that found no room, or nobody to write them, since the start. */
  readonly lost: number;
};
