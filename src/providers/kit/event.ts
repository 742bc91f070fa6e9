import { fitted } from '../../message/render/kit/fitted.ts';
import { plainText } from '../../message/render/kit/plain-text.ts';
import { lastLines, truncate } from '../../message/render/kit/truncate.ts';
import type { Delivery } from '../../model/delivery.ts';
import { shortHash } from '../../model/hash.ts';
import type { Act, IncidentFace, ListedIncident, Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { Severity } from '../../model/severity.ts';

/** An object as receivers get it; `namespace` is null for cluster-scoped ones. */
type EventObject = { readonly kind: string; readonly namespace: string | null; readonly name: string };

/** Act → `type` of the body and, with `tocsin.` and the version around it, of the CloudEvent. */
const eventTypes: Readonly<Record<Act, string>> = {
  open: 'incident.opened',
  update: 'incident.updated',
  resolve: 'incident.resolved',
  reopen: 'incident.reopened',
  digest: 'message.digest',
  startup: 'message.plain',
  overview: 'message.plain',
  test: 'test',
};

/** How much of each part a body holds. */
type Cut = {
  readonly messageBytes: number;
  /** Of one sentence, title or name. */
  readonly textBytes: number;
  /** Of the evidence. */
  readonly sentences: number;
  readonly objects: number;
  readonly labels: number;
};

/** The largest body in bytes, and how much is left out step by step until a larger one fits. */
const maxBodyBytes = 65_536;
const cuts: readonly Cut[] = [
  { messageBytes: 16_384, textBytes: 2_048, sentences: 8, objects: 50, labels: 64 },
  { messageBytes: 16_384, textBytes: 1_024, sentences: 5, objects: 10, labels: 16 },
  { messageBytes: 4_096, textBytes: 512, sentences: 3, objects: 5, labels: 0 },
];
/** Log lines stay at any size: they are why people read on. */
const maxLogBytes = 8_192;
/** Addresses are not cut: a longer one is left out. UTF-16 units. */
const maxUrl = 2_048;
const maxLinks = 10;
/** The longest name of an object (RFC 1123 subdomain). */
const maxNameBytes = 253;
/** It stands in a header too, where every byte may take three; servers take 8 KiB of headers. */
const maxClusterBytes = 253;

/** The body of a request before it is serialized. Every key is always present, null where it does not apply. */
export type WebhookEvent = ReturnType<typeof eventOf>;

/** What a body is made of, besides the notification. */
type Written = {
  readonly delivery: Pick<Delivery, 'attemptKey'>;
  /** For a receiver that found it too large. */
  readonly withoutLogs?: boolean;
  /** Of messages that are no incident, in place of their own. */
  readonly plainTitle?: string | undefined;
};

/**
 * The event a delivery tells, with its body of at most 64 KiB. The same delivery gives the same event, whenever it is tried.
 */
export function writeEvent(
  notification: Notification,
  options: Written,
): { readonly event: WebhookEvent; readonly body: string } {
  const { excerpt, ...brief } = notification;
  const told = options.withoutLogs ? brief : notification;
  const truncated = options.withoutLogs === true && excerpt !== undefined;
  const written = cuts.values().map((cut) => {
    const event = eventOf(told, options, cut, truncated);
    return { event, body: serialized(event) };
  });
  return written.find(({ body }) => Buffer.byteLength(body) <= maxBodyBytes) ?? smallest(told, options);
}

function smallest(notification: Notification, options: Written) {
  const event = eventOf(
    { ...notification, links: [] },
    options,
    { messageBytes: 1_024, textBytes: 256, sentences: 1, objects: 0, labels: 0 },
    true,
  );
  return { event, body: serialized(event) };
}

/** JSON without lone surrogates, which are not UTF-8. */
function serialized(event: WebhookEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}

function eventOf(notification: Notification, { delivery, plainTitle }: Written, cut: Cut, truncated: boolean) {
  const { incident, list, excerpt } = notification;
  const title = incident ? notification.title : (plainTitle ?? notification.title);
  const text = plainText(notification).toWellFormed();
  const message = fitted(notification, { max: cut.messageBytes, unit: 'bytes' }).toWellFormed();
  const log = excerpt?.lines.map((line) => line.toWellFormed()) ?? null;
  const logs = log && lastLines(log, maxLogBytes, 'bytes');
  return {
    version: '1',
    id: `evt_${shortHash([delivery.attemptKey])}`,
    type: eventTypes[notification.act],
    timestamp: instant(notification.at),
    source: `tocsin/${truncate(notification.cluster.toWellFormed(), maxClusterBytes, 'bytes')}`,
    // The end of an overview has no incident, and is an end all the same.
    status: incident?.status ?? (notification.over ? 'resolved' : null),
    severity: notification.severity,
    title: truncate(title.toWellFormed(), cut.textBytes, 'bytes'),
    message,
    truncated: truncated || message !== text || logs !== (log?.join('\n') ?? null),
    incident: incident ? incidentOf(incident, notification, logs, cut) : null,
    incidents: list ? list.entries.map((entry) => listed(entry, cut)) : null,
    counts: list ? { total: list.total, ...list.bySeverity } : null,
  };
}

function incidentOf(face: IncidentFace, notification: Notification, logs: string | null, cut: Cut) {
  const pods = face.pods.slice(0, cut.objects);
  const labels = Object.entries(face.labels).slice(0, cut.labels);
  return {
    id: face.id,
    key: face.alertKey,
    revision: face.revision,
    status: face.status,
    severity: notification.severity,
    previousSeverity: face.previousSeverity ?? null,
    reason: face.reason,
    cluster: notification.cluster,
    root: objectOf(face.root),
    cause: textOrNull(face.cause, cut),
    confidence: face.confidence,
    evidence: notification.evidence
      .slice(0, cut.sentences)
      .map((proof) => truncate(proof.toWellFormed(), cut.textBytes, 'bytes')),
    impact: textOrNull(notification.impact, cut),
    affected: {
      count: face.affected.count,
      sample: face.affected.sample.slice(0, cut.objects).map(objectOf),
    },
    pods: pods.map(({ name, namespace, node, container }) => ({
      name,
      namespace,
      node: node ?? null,
      container: container ?? null,
    })),
    podCount: face.podCount,
    podsTruncated: pods.length < face.podCount,
    startedAt: instant(face.startedAt),
    updatedAt: instant(face.updatedAt),
    resolvedAt: face.resolvedAt === undefined ? null : instant(face.resolvedAt),
    labels: Object.fromEntries(labels),
    owners: face.owners ?? [],
    links: notification.links
      .filter(({ url }) => url.length <= maxUrl)
      .slice(0, maxLinks)
      .map(({ title, url }) => ({ title, url })),
    logs,
  };
}

function textOrNull(text: string | undefined, { textBytes }: Cut): string | null {
  return text === undefined ? null : truncate(text.toWellFormed(), textBytes, 'bytes');
}

function listed(
  entry: ListedIncident,
  { textBytes }: Cut,
): {
  readonly severity: Severity;
  readonly reason: string;
  readonly root: EventObject;
  readonly says: string;
  readonly affected: number;
} {
  const { severity, reason, root, says, affected } = entry;
  return { severity, reason, root: objectOf(root), says: truncate(says.toWellFormed(), textBytes, 'bytes'), affected };
}

function objectOf(ref: Ref): EventObject {
  return {
    kind: kindNameOf(ref),
    namespace: namespaceOf(ref) || null,
    name: truncate(nameOf(ref).toWellFormed(), maxNameBytes, 'bytes'),
  };
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
