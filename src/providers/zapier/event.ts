import { fitted } from '../../message/render/kit/fitted.ts';
import { quietText } from '../../message/render/kit/quiet.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import { severities } from '../../model/severity.ts';
import { type WebhookEvent, writeEvent } from '../kit.ts';

/** What Zaps hand texts to cuts sooner. Characters. */
const maxMessage = 10_000;
const maxTitle = 250;
const maxPods = 1_000;

type Value = string | number;
/** Flat, since the editor of Zaps flattens everything; every key is in every event, since it learns them from one sample. */
type ZapierEvent = Readonly<Record<string, Value>>;

/** The event a delivery tells, empty strings for what is not known. `plainTitle`: of messages that are no incident. */
export function zapierEvent(
  notification: Notification,
  delivery: Pick<Delivery, 'attemptKey'>,
  plainTitle: string | undefined,
): ZapierEvent {
  const { event } = writeEvent(notification, { delivery, plainTitle });
  const { severity, cluster } = notification;
  const text = (value: string, max: number): string =>
    truncate(quietText(value).replace(/\s+/g, ' '), max, 'characters');
  return {
    event: event.type,
    delivery_id: event.id,
    // Messages that are no incident have these too, so that a filter lets the overview of a storm pass.
    severity,
    severity_rank: severities.indexOf(severity) + 1,
    title: text(event.title, maxTitle),
    message: fitted(notification, { max: maxMessage, unit: 'characters', encode: quietText }),
    cluster: text(cluster, maxTitle),
    ...(notification.act === 'test' ? sample(event) : incidentOf(event)),
  };
}

function incidentOf({ incident, status }: WebhookEvent): ZapierEvent {
  return {
    incident_id: incident?.id ?? '',
    incident_key: incident?.key ?? '',
    revision: incident?.revision ?? '',
    status: status ?? '',
    namespace: incident?.root.namespace ?? '',
    kind: incident?.root.kind ?? '',
    name: quietText(incident?.root.name ?? ''),
    reason: incident?.reason ?? '',
    pod_count: incident?.podCount ?? '',
    pods: truncate(incident?.pods.map(({ name }) => name).join(', ') ?? '', maxPods, 'characters', quietText),
    started_at: incident?.startedAt ?? '',
    updated_at: incident?.updatedAt ?? '',
    resolved_at: incident?.resolvedAt ?? '',
    url: addressOf(incident?.links[0]?.url),
  };
}

/** The first link, percent-encoded where that is needed. */
function addressOf(url = ''): string {
  return URL.canParse(url) ? new URL(url).href : '';
}

/** Every key filled, so that people can map the fields of their Zap with a test message. */
function sample({ timestamp }: WebhookEvent): ZapierEvent {
  return {
    incident_id: 'inc-example',
    incident_key: 'example',
    revision: 1,
    status: 'open',
    namespace: 'example',
    kind: 'Deployment',
    name: 'example',
    reason: 'CrashLoopBackOff',
    pod_count: 2,
    pods: 'example-1, example-2',
    started_at: timestamp,
    updated_at: timestamp,
    resolved_at: timestamp,
    url: 'https://example.com/',
  };
}
