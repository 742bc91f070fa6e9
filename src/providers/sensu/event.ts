import { clip } from '../../message/render/kit/clip.ts';
import { detailsOf, labelKeys } from '../../message/render/kit/details.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import { headline } from '../../message/render/kit/headline.ts';
import { plainBody } from '../../message/render/kit/plain-text.ts';
import { stateOf } from '../../message/render/kit/state.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import type { Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf, namespaceOf } from '../../model/ref.ts';

/** Where an event belongs, by the three names that backends know it by, and who is handed it. */
export type Place = {
  readonly namespace: string;
  readonly entity: string;
  readonly check: string;
  readonly handlers: readonly string[];
};

/** State → status of a check: 0 OK, 1 WARNING, 2 CRITICAL. */
const statuses = { critical: 2, high: 2, medium: 1, low: 1, resolved: 0 } as const;

/** A backend takes 512,000 bytes, etcd behind it about 1.5 MB; beyond these nobody reads on. Bytes. */
const maxOutputBytes = 16_384;
const maxAnnotationBytes = 8_192;
/** UTF-16 units. */
const maxLabel = 256;
const maxHeadline = 400;
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 20, links: 8 };
/** Required of every check; nothing runs this one. Filters that count occurrences divide by it. Seconds. */
const intervalSeconds = 60;

/** The body of `PUT …/events/<entity>/<check>`. `over`: the problem ended, whatever the notification says. */
export function eventOf(notification: Notification, { namespace, entity, check, handlers }: Place, over: boolean) {
  const { excerpt: _log, ...brief } = notification;
  const { labels: _asOne, ...details } = detailsOf(brief, { max: maxAnnotationBytes, quiet });
  const status = over ? 0 : statuses[stateOf(notification)];
  const at = Math.floor(notification.at / 1000);
  // Many handlers show the first line alone, with a word of their own for the status.
  const write = (told: Notification): string =>
    `${headline(told, maxHeadline, 'utf16', quiet)}\n\n${quiet(plainBody(told))}`;
  return {
    entity: { entity_class: 'proxy', metadata: { name: entity, namespace } },
    check: {
      metadata: {
        name: check,
        namespace,
        labels: labelsOf(notification),
        annotations: {
          title: truncate(quiet(notification.title), maxLabel, 'utf16'),
          ...details,
        },
      },
      output: fitted(clip(notification, room), { max: maxOutputBytes, unit: 'bytes' }, write),
      status,
      state: status === 0 ? 'passing' : 'failing',
      interval: intervalSeconds,
      issued: at,
      executed: at,
      handlers,
    },
  };
}

/** What selectors and filters of Sensu go by. */
function labelsOf(notification: Notification): Readonly<Record<string, string>> {
  const { severity, cluster, incident } = notification;
  const all: Readonly<Record<string, string>> = {
    severity,
    cluster,
    ...(incident && {
      reason: incident.reason,
      incident_id: incident.id,
      kube_namespace: namespaceOf(incident.root),
      kube_kind: kindNameOf(incident.root),
      kube_name: nameOf(incident.root),
    }),
    ...labelKeys(notification),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === '' ? [] : [[name, truncate(quiet(value).replace(/\s+/g, ' '), maxLabel, 'utf16')] as const],
    ),
  );
}

/** Handlers put texts into templates (`{{ }}`) and into chats, where `<!here>` and `<@U1>` ring people and `<https…>` links. */
function quiet(text: string): string {
  return text
    .replace(/(?![\n\t])\p{Cc}/gu, ' ')
    .replace(/\{(?=\{)|\}(?=\})/g, '$& ')
    .replace(/<(?=[!@#/a-z])/gi, '<\u200b');
}
