import { clip } from '../../message/render/kit/clip.ts';
import { escapeHtml } from '../../message/render/kit/escape-html.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import { oneLine } from '../../message/render/kit/headline.ts';
import { stateOf } from '../../message/render/kit/state.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import type { IncidentFace, Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf, namespaceOf } from '../../model/ref.ts';
import { type Identity, safeName } from './identity.ts';

/** State → severity of Alerta's default set. `normal` closes an alert. */
const severities = {
  critical: 'critical',
  high: 'major',
  medium: 'minor',
  low: 'warning',
  resolved: 'normal',
} as const;

/** Seconds until Alerta calls an alert expired: never where Tocsin ends it, half a day for messages. */
const timeoutSeconds = { incident: 0, message: 43_200 } as const;
/** Alerta has no limits; beyond these nobody reads on. */
const maxTextBytes = 1_000;
const maxRawBytes = 8_192;
const maxAttribute = 1_000;
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 30, facts: 20, links: 8 };
const maxLabels = 20;

/**
 * The body of `POST /alert`. The web page shows `text` and attributes with an address or a tag in them as HTML, everything else as it
 * is, and which of them differs between its versions (alerta-webui, AlertDetail.vue): no escape is right in all. So texts hold none and
 * no tag either. `text` is one line, since HTML has no line breaks; the whole message is `rawData`, which is shown as it is.
 */
export function alertOf(notification: Notification, alertKey: string, identity: Identity, service: string) {
  const { incident, act } = notification;
  const told = clip(notification, room);
  return {
    ...identity,
    service: [service],
    severity: incident || act === 'test' || act === 'overview' ? severities[stateOf(notification)] : 'informational',
    group: 'Kubernetes',
    value: incident ? extent(incident) : '',
    text: truncate(tagless(oneLine(sayingOf(told))), maxTextBytes, 'bytes'),
    rawData: fitted(told, { max: maxRawBytes, unit: 'bytes' }),
    tags: incident ? tagsOf(incident) : [],
    attributes: { ...linksOf(told), ...attributesOf(told, alertKey) },
    origin: safeName(`tocsin/${notification.cluster}`),
    type: 'exceptionAlert',
    createTime: new Date(notification.at).toISOString(),
    timeout: incident ? timeoutSeconds.incident : timeoutSeconds.message,
  };
}

/** What happened, for one column of a list. */
function sayingOf({ title, lead, note, impact }: Notification): string {
  const parts = [`${title}.`, lead, note === undefined ? '' : `(${note})`, impact ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** A text that is the same as HTML and as it is. */
function tagless(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** How much of it there is, for the column of a list. */
function extent({ podCount, affected }: IncidentFace): string {
  if (podCount > 0) return podCount === 1 ? '1 pod' : `${podCount} pods`;
  return affected.count > 0 ? `${affected.count} affected` : '';
}

function tagsOf({ id, root, labels }: IncidentFace): readonly string[] {
  const namespace = namespaceOf(root);
  const own = [`kind:${kindNameOf(root)}`, ...(namespace === '' ? [] : [`namespace:${namespace}`]), `incident:${id}`];
  const others = Object.entries(labels).map(([name, value]) => `${name}:${value}`);
  return [...own, ...others.slice(0, maxLabels)].map(safeName);
}

function attributesOf({ cluster, incident, nextStep }: Notification, alertKey: string) {
  const all: Readonly<Record<string, string | undefined>> = {
    alertKey,
    cluster,
    incidentId: incident?.id,
    kind: incident && kindNameOf(incident.root),
    namespace: incident && namespaceOf(incident.root),
    name: incident && nameOf(incident.root),
    cause: incident?.cause,
    confidence: incident?.confidence,
    nextStep: nextStep?.command,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, truncate(tagless(value), maxAttribute, 'utf16')] as const],
    ),
  );
}

/** Links are attributes with an anchor. A name may hold neither `.` nor `$`. */
function linksOf({ links }: Notification): Readonly<Record<string, string>> {
  return Object.fromEntries(
    links.map(({ title, url }, index) => {
      const name = truncate(title.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim(), 60, 'utf16');
      const href = escapeHtml(new URL(url).href);
      const anchor = `<a href="${href}" target="_blank" rel="noopener noreferrer">${escapeHtml(title)}</a>`;
      return [name === '' ? `link ${index + 1}` : name, anchor];
    }),
  );
}
