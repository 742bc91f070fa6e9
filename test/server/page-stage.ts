import { narrate } from '../../src/message/narrate.ts';
import type { Incident, Standing } from '../../src/model/incident.ts';
import type { Notification } from '../../src/model/notification.ts';
import { type Ref, refOf } from '../../src/model/ref.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Severity } from '../../src/model/severity.ts';
import type { HealthView, StatusPage, StatusView } from '../../src/server/views.ts';

/** When the pages are looked at. */
export const now = Date.parse('2026-11-20T09:00:00Z');
/** Nothing is wrong with Tocsin. */
export const health: HealthView = { reasons: [], edition: 'Community', version: '1.2.3', coverage: [] };

type More = Partial<Incident> & { readonly root?: Ref; readonly severity?: Severity; readonly hits?: readonly Ref[] };

/** An incident that was told nine minutes ago. */
export function incident(
  id: string,
  { root = 'Node//n1', severity = 'high', hits = [], ...more }: More = {},
): Incident {
  const subject = { ref: root, labels: {} };
  const affected = hits.map((ref) => ({ ref, labels: {} }));
  return {
    ...{ id, alertKey: id, state: 'Open', startedAt: now - 600_000, openedAt: now - 540_000, revision: 1 },
    ...{ recoveries: [], hearings: {} },
    standings: { '': standing('Delivered') },
    explanation: {
      ...{ root: subject, reason: 'NodeNotReady', severity, confidence: 'high', affected, workloads: hits },
      members: [{ subject, reason: 'NodeNotReady', since: now, severity, conclusive: false, facts: {}, names: [] }],
      ...{ proof: [], trace: [] },
    },
    ...more,
  };
}

/** What became of one, nine minutes ago. */
export function standing(disposition: Standing['disposition'], by?: string): Standing {
  return { disposition, at: now - 540_000, ...(by !== undefined && { by }) };
}

/** An incident in words, by the real narrator. */
export function words(one: Incident): Notification {
  const told = { act: 'open', incident: one, reasonCode: 'Settled', audience: '', providers: [] } as const;
  return narrate(told, { settings: defaultSettings, now, version: '1' });
}

/** Of a process that has watched for long, and remembers nothing that is over. */
export const nothingPast: Pick<StatusView, 'history' | 'watchingSince'> = {
  history: { find: () => [], get: () => undefined },
  watchingSince: 0,
};

/** Nobody may read what concerns one namespace. */
export const noTenants: Pick<StatusPage, 'authorizeIn'> = { authorizeIn: async () => 'forbidden' };

/** What the page is made of. */
export const viewOf = (...incidents: readonly Incident[]): StatusView => ({
  ...{ clusterName: 'prod-eu', incidents, words, deadLetters: [], providers: [], settings: defaultSettings },
  ...nothingPast,
});

/** 500 incidents with much to say: each hits twelve others and has a log of twenty lines. */
export function talkative(): StatusView {
  const hits = (index: number): readonly Ref[] =>
    Array.from({ length: 12 }, (_, hit) => refOf('Deployment', 'a-long-namespace', `workload-${index}-${hit}`));
  const incidents = Array.from({ length: 500 }, (_, index) =>
    incident(`i${index}`, { root: refOf('Node', '', `node-${index}`), hits: hits(index) }),
  );
  const said = 'what it says '.repeat(6);
  const lines = Array.from({ length: 20 }, (_, line) => `2026-11-20T09:00:00Z ERROR ${line}: ${said}`);
  const view = viewOf(...incidents);
  return { ...view, words: (one) => ({ ...view.words(one), excerpt: { source: 'Last log lines', lines } }) };
}

/** What somebody might call an object who wishes us ill. */
export const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&\u202Eevil`;
