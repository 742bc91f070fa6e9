import { headline } from '../../message/render/kit/headline.ts';
import { stateOf } from '../../message/render/kit/state.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import { type Dialect, githubMarkdown, markdown } from '../../message/render/markdown.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { IncidentFace, Notification } from '../../model/notification.ts';
import { kindOf, nameOf } from '../../model/ref.ts';
import { alertName } from '../kit.ts';
import { tagsOf } from './tags.ts';

/** What `alert_type` may be. */
export const alertTypes = [
  ...(['error', 'warning', 'info', 'success', 'user_update', 'recommendation', 'snapshot'] as const),
] as const;

/** Characters; counted in UTF-16 units, which are never fewer. Datadog names no limit for titles. */
export const maxText = 4_000;
export const maxTitle = 250;
const maxAggregationKey = 100;
/** What makes Markdown of the text between. */
const fence = '%%%';
const dialect: Dialect = {
  ...githubMarkdown,
  max: maxText - 2 * (fence.length + 1),
  fence: 'three',
  silence: /%(?=%)/g,
  silenceInCode: /@(?!sha\d{3}:)|%(?=%)/g,
};
/** Datadog refuses events older than 18 h: later ones get the time of the attempt. Milliseconds. */
const oldestMs = 17 * 3_600_000;

type Config = {
  readonly title?: string;
  readonly alertType: (typeof alertTypes)[number];
  readonly tags?: readonly string[];
};

/** The body of `POST /api/v1/events`. `now`: epoch milliseconds of the attempt. */
export function eventOf(
  notification: Notification,
  delivery: Pick<Delivery, 'alertKey'>,
  { title, alertType, tags = [] }: Config,
  now: number,
) {
  const { incident, severity, at } = notification;
  const host = incident && nodeOf(incident);
  const text = `${fence}\n${markdown(notification, dialect, title === undefined ? ['title'] : [])}\n${fence}`;
  return {
    title: title === undefined ? headline(notification, maxTitle, 'utf16', quiet) : truncate(title, maxTitle, 'utf16'),
    text,
    alert_type: alertTypeOf(notification, alertType),
    priority: isOfIncidents(notification) && severity !== 'low' ? 'normal' : 'low',
    ...(incident && { aggregation_key: alertName(delivery).slice(0, maxAggregationKey) }),
    date_happened: Math.floor((now - at > oldestMs ? now : at) / 1000),
    source_type_name: 'kubernetes',
    ...(host !== undefined && { host }),
    tags: tagsOf(notification, delivery, tags),
  };
}

/** What is urgent when its severity is: an incident, or the one message that stands for many. */
const isOfIncidents = ({ incident, act }: Notification): boolean => incident !== undefined || act === 'overview';

/** `error` is for what is urgent; a type that somebody chose is for every open problem. */
function alertTypeOf(notification: Notification, chosen: Config['alertType']): Config['alertType'] {
  if (!isOfIncidents(notification)) return 'info';
  if (stateOf(notification) === 'resolved') return 'success';
  const { severity } = notification;
  const urgent = severity === 'critical' || severity === 'high';
  return urgent || chosen !== 'error' ? chosen : 'warning';
}

/** The one node it happens on, with whose tags Datadog then marks the event. */
function nodeOf({ root, pods }: IncidentFace): string | undefined {
  if (kindOf(root) === 'Node') return nameOf(root);
  const nodes = new Set(pods.map(({ node }) => node));
  return nodes.size === 1 ? pods[0]?.node : undefined;
}

/** Every `@` may begin a handle that rings somebody, but for that of an image's digest, and `%%%` around a text makes it Markdown. */
function quiet(text: string): string {
  return text.replace(/@(?!sha\d{3}:)|%(?=%)/g, '$&\u200b');
}
