/** What must be there of what is saved of deliveries: what delivery and the products' renderers read without asking. */
import { type Delivery, type DeliveryFailure, failureClasses } from '../../model/delivery.ts';
import { acts, type IncidentFace, type ListedIncident, type Notification } from '../../model/notification.ts';
import { confidences, severities } from '../../model/severity.ts';
import { flag, listOf, number, oneOf, record, ref, type Shape, set, tableOf, text, word } from '../../model/shape.ts';
import type { DeadLetter, StoredDelivery, StreamMemory } from '../../model/store.ts';

const face: Shape<IncidentFace> = record(
  {
    id: text,
    alertKey: text,
    revision: number,
    status: oneOf(['open', 'resolved']),
    reason: word(),
    root: ref,
    confidence: oneOf(confidences),
    affected: record({ count: number, sample: listOf(ref) }),
    pods: listOf(record({ name: text, namespace: text }, { node: text, container: text })),
    podCount: number,
    labels: tableOf(text),
    startedAt: number,
    updatedAt: number,
  },
  {
    previousSeverity: oneOf(severities),
    ring: set,
    acknowledged: set,
    cause: text,
    owners: listOf(text),
    resolvedAt: number,
  },
);

const listed: Shape<ListedIncident> = record(
  {
    severity: oneOf(severities),
    reason: word(),
    root: ref,
    says: text,
    affected: number,
  },
  {
    startedAt: number,
    over: set,
  },
);

/** The shape of what a message says. */
export const notificationShape: Shape<Notification> = record(
  {
    act: oneOf(acts),
    severity: oneOf(severities),
    title: text,
    lead: text,
    evidence: listOf(text),
    facts: listOf(record({ name: text, value: text })),
    links: listOf(record({ title: text, url: text })),
    cluster: text,
    at: number,
  },
  {
    impact: text,
    inTitle: record({}, { evidence: number, impact: set }),
    nextStep: record({ command: word(), changesCluster: flag }),
    excerpt: record({ source: text, lines: listOf(text) }),
    note: text,
    incident: face,
    over: set,
    list: record({
      entries: listOf(listed),
      total: number,
      bySeverity: record({ critical: number, high: number, medium: number, low: number }),
    }),
  },
);

const delivery: Shape<Delivery> = record(
  {
    id: text,
    stream: text,
    provider: ref,
    providerUid: text,
    act: oneOf(acts),
    sequence: number,
    attemptKey: text,
    alertKey: text,
    createdAt: number,
    notBefore: number,
    notification: notificationShape,
  },
  {
    previous: text,
    again: set,
    unsent: set,
  },
);

const failure: Shape<DeliveryFailure> = record({ class: oneOf(failureClasses), code: word(), message: text });

/** The shape of a delivery that waits. */
export const storedDeliveryShape: Shape<StoredDelivery> = record({
  delivery,
  attempts: number,
  nextAttemptAt: number,
  mayHaveArrived: flag,
  inFlight: flag,
});

/** The shape of a delivery that failed for good. */
export const deadLetterShape: Shape<DeadLetter> = record({
  delivery,
  endedAt: number,
  attempts: number,
  mayHaveArrived: flag,
  failure,
});

/** The shape of what is remembered of a stream. */
export const streamShape: Shape<StreamMemory> = record({
  stream: text,
  references: tableOf(tableOf(text)),
});
