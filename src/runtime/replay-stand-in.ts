import type { Delivery, DeliveryReport } from '../model/delivery.ts';
import { refOf } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';
import type { Effects, Input } from '../model/turn.ts';

const provider: ProviderSettings = {
  ref: refOf('AlertProvider', 'tocsin', 'oncall'),
  uid: 'oncall',
  namespace: 'tocsin',
  type: 'webhook',
  config: {},
  secrets: {},
  retry: {},
  suspended: false,
  active: { is: true, reason: 'Selected' },
  usable: true,
  generation: 1,
};

/** The settings of a log of what happened in a cluster: the defaults, and one provider that takes everything. */
export const standIn: Settings = {
  ...defaultSettings,
  app: { ...defaultSettings.app, clusterName: 'replay' },
  providers: [provider],
};

/** What the edges would answer to a turn: no log lines can be had, and every delivery arrives at once. */
export function standInOutcomes({ save, fetch }: Effects, now: number): readonly Input[] {
  const none = fetch.map(
    ({ incident }): Input => ({ kind: 'evidence', evidence: { incident, source: '', lines: [] } }),
  );
  // Deliveries that wait for log lines come again, as replaced, once those are known not to come.
  const waiting = new Set(fetch.map(({ incident }) => incident));
  const ready = save.enqueue.filter(({ stream }) => !waiting.has(stream));
  return [...none, ...[...ready, ...save.replace].map((delivery) => arrived(delivery, now))];
}

function arrived({ id, stream, provider: to, act }: Delivery, at: number): Input {
  const outcome = { ended: 'delivered', attempts: 1, mayHaveArrived: true, durationMs: 0, at } as const;
  const report: DeliveryReport = { delivery: id, stream, provider: to, act, ...outcome };
  return { kind: 'outcome', report };
}
