import type { Request } from 'express';
import { postedText, type Unread } from './posted.ts';

/** Where Alertmanager posts. */
export const alertsPath = '/alerts';

/** A group of a thousand alerts has about half of that. */
const rules = {
  who: 'Alertmanager may post here',
  mostBytes: 1024 * 1024,
  tooLarge: 'A request has 1 MiB at most: set max_alerts in the webhook_config.',
};
/** Alerts of one request, and labels and annotations of one alert, that are read. */
const [maxAlerts, maxPairs] = [1_000, 64];
/** Characters of a label or annotation that are read. */
const maxChars = 2_048;

/** An alert as somebody outside tells it: claims, cut and not checked any further. Times as they are written. */
export type PostedAlert = {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
};

/** What was posted, or why it is not read. */
export type Posted = { readonly alerts: readonly PostedAlert[] } | Unread;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function pairsOf(value: unknown): Readonly<Record<string, string>> {
  const pairs = Object.entries(fieldsOf(value)).slice(0, maxPairs);
  return Object.fromEntries(
    pairs.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.slice(0, maxChars)]] : [])),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, maxChars) : '');

function alertOf(value: unknown): readonly PostedAlert[] {
  const { status, labels, annotations, startsAt, endsAt } = fieldsOf(value);
  if (status !== 'firing' && status !== 'resolved') return [];
  return [
    {
      ...{ status, labels: pairsOf(labels), annotations: pairsOf(annotations) },
      ...{ startsAt: textOf(startsAt), endsAt: textOf(endsAt) },
    },
  ];
}

/**
 * What a request of Alertmanager tells, of version 4 of its webhook (https://prometheus.io/docs/alerting/latest/configuration/#webhook_config), or why it
 * is not read. An alert that has no status is left out. Pages in browsers, which say where they are from, are not let in.
 */
export async function postedAlerts(request: Request): Promise<Posted> {
  const posted = await postedText(request, rules);
  return 'refused' in posted ? posted : alertsIn(posted.text);
}

function alertsIn(body: string): Posted {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { status: 400, refused: 'The body is no JSON.' };
  }
  const { version, alerts } = fieldsOf(value);
  if (version !== '4' || !Array.isArray(alerts))
    return { status: 400, refused: 'Send what the webhook_config of Alertmanager sends: version "4", with `alerts`.' };
  return { alerts: alerts.slice(0, maxAlerts).flatMap(alertOf) };
}
