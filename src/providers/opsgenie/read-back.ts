import { alertName, group, objectOf, readBackSwitch, takenBy } from '../kit.ts';
import type { Look, Seen } from '../provider.ts';
import { caller, type OpsgenieConfig, onRead } from './api.ts';

/** What is read back. */
export const opsgenieActions = group(
  {
    description:
      'Whether what somebody acknowledges in Opsgenie is acknowledged here; only for an AlertProvider in the namespace of Tocsin.',
  },
  { readBack: readBackSwitch('acknowledged an alert in Opsgenie') },
);

/**
 * Asks for an alert: acknowledged by whom, and how long (milliseconds) after it was made. Source: docs.opsgenie.com, Alert API, get alert.
 */
export async function readBackOpsgenie({ config, send, delivery, now }: Look<OpsgenieConfig>): Promise<Seen> {
  const path = `alerts/${encodeURIComponent(alertName(delivery))}?identifierType=alias`;
  const answer = await caller(config, send)('GET', path);
  const outcome = answer.outcome(onRead);
  const { acknowledged, status, owner, createdAt, report } = objectOf(objectOf(answer.json())?.data) ?? {};
  if (outcome.is !== 'delivered' || acknowledged !== true || status !== 'open') return { outcome };
  const { acknowledgedBy, ackTime } = objectOf(report) ?? {};
  return { outcome, taken: takenBy([acknowledgedBy, owner], Date.parse(String(createdAt)) + Number(ackTime), now) };
}
