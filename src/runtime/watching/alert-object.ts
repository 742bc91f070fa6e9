import { shortHash } from '../../model/hash.ts';
import { defaultAlertSeverities, noAlertSeverity } from '../../model/outside-alert.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { cleanText, redact } from '../../model/redact.ts';
import { globsMatch } from '../../model/selector.ts';
import type { Settings } from '../../model/settings.ts';
import type { Severity } from '../../model/severity.ts';
import type { PostedAlert } from '../../server/alerts.ts';
import type { World } from '../../world/view/world.ts';
import { aboutOf } from './alert-about.ts';

/** A label of what Tocsin itself told Alertmanager (config/recipes): what comes back would keep its own incident open. */
const ownLabel = 'tocsin_key';
/** Characters of the name of an alert, and of what it says. */
const [maxName, maxSummary] = [80, 300];

/** What becomes of an alert: it is taken, has ended, is none that is to be taken, or names nothing that is there. */
export type AlertFate = { readonly id: string } & (
  | { readonly is: 'taken'; readonly raw: RawObject }
  | { readonly is: 'ended' | 'ignored' | 'unnamed' }
);

/** The identity of an alert: its labels, in any order. */
const idOf = (labels: PostedAlert['labels']): string =>
  shortHash(
    Object.entries(labels)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flat(),
  );

/** A text of a stranger, on one line: no control characters, no credentials, cut. */
const plain = (text: string, max: number): string =>
  cleanText(redact(cleanText(text).replace(/\s+/g, ' ').trim()), max);

function severityOf(label: string, severities: Settings['alertsIn']['severities']): Severity {
  const key = label.toLowerCase();
  const said = Object.hasOwn(severities, key) ? severities[key] : undefined;
  return said ?? (Object.hasOwn(defaultAlertSeverities, key) ? defaultAlertSeverities[key] : undefined) ?? 'medium';
}

/** A time that was written; what is none, or Go's zero time, is none. */
function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return time > 0 ? time : undefined;
}

/** An alert as an object that the core judges by. `now`: epoch milliseconds. */
export function alertFate(
  { status, labels, annotations, startsAt, endsAt }: PostedAlert,
  alertsIn: Settings['alertsIn'],
  world: Pick<World, 'get'>,
  now: number,
): AlertFate {
  const { names, rules, severities, expireSeconds } = alertsIn;
  const id = idOf(labels);
  const alert = plain(labels.alertname ?? '', maxName);
  const severity = labels.severity ?? '';
  if (status === 'resolved') return { id, is: 'ended' };
  const isIgnored = severity.toLowerCase() === noAlertSeverity && !Object.hasOwn(severities, noAlertSeverity);
  if (alert === '' || isIgnored || Object.hasOwn(labels, ownLabel) || !globsMatch(names, [alert]))
    return { id, is: 'ignored' };
  const about = aboutOf(labels, rules, world);
  if (about.length === 0) return { id, is: 'unnamed' };
  const expiresAt = now + expireSeconds * 1000;
  const summary = plain(annotations.summary ?? annotations.message ?? annotations.description ?? '', maxSummary);
  const until = Math.min(expiresAt, timeOf(endsAt) ?? expiresAt);
  if (until <= now) return { id, is: 'ended' };
  return {
    ...{ id, is: 'taken' },
    raw: {
      ...{ apiVersion: 'v1', kind: 'Alert', metadata: { name: id, uid: id } },
      ...{ alert, about, severity: severityOf(severity, severities), ...(summary !== '' && { summary }) },
      startsAt: new Date(Math.min(now, timeOf(startsAt) ?? now)).toISOString(),
      expiresAt: new Date(until).toISOString(),
    },
  };
}
