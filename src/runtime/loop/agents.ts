import type { Coverage } from '../../model/coverage.ts';
import type { Audience, Incident } from '../../model/incident.ts';
import type { Notification } from '../../model/notification.ts';
import { nameOf, type Ref } from '../../model/ref.ts';
import { wholeCluster } from '../../model/view.ts';
import type { Unclear, Why, WhyQuestion } from '../../model/why.ts';
import { findIncidents } from '../../server/incidents.ts';
import type { HistoryQuestion, InWords } from '../../server/past.ts';
import type { AgentAnswer, AgentCall, StatusView } from '../../server/views.ts';
import type { CoreView } from '../../turn/core-view.ts';

/** What agents are answered from: as much as whoever asks may read. Times are epoch milliseconds. */
export type OperatorSight = {
  readonly view: Pick<CoreView, 'incidents' | 'quoted' | 'why' | 'world' | 'settings'>;
  readonly now: number;
  readonly watchingSince: number;
  readonly clusterName: string;
  readonly coverage: readonly Coverage[];
  /** The only namespace that whoever asks may read; absent: all. */
  readonly audience?: Audience;
  past(asked: HistoryQuestion, most: number): { readonly total: number; readonly shown: readonly InWords[] };
};

/** Answers one request of an agent. */
export type AgentDoor = (sight: OperatorSight, call: AgentCall) => Promise<AgentAnswer>;

/** What the operator sees, for an audience. `page`: cut for the same one. */
export function sightOf(
  core: CoreView,
  page: StatusView,
  {
    audience,
    now,
    coverage,
  }: { readonly audience: Audience; readonly now: number; readonly coverage: readonly Coverage[] },
): OperatorSight {
  const sight = {
    ...{ now, coverage, clusterName: page.clusterName, watchingSince: page.watchingSince },
    past: (asked: HistoryQuestion, most: number) => findIncidents(page, asked, most),
  };
  if (audience === wholeCluster) return { ...sight, view: core };
  const { incidents } = page;
  const quoted = (incident: Incident): Notification => page.words(incident);
  const { world, settings } = core;
  return {
    ...{ ...sight, audience },
    view: { world, settings, quoted, incidents: () => incidents, why: (asked) => whyIn(incidents, asked, quoted) },
  };
}

/** Objects of an incident as far as the audience that it is cut for may know them. */
const objectsOf = ({ explanation: { root, workloads, affected, members } }: Incident): readonly Ref[] => [
  ...[root.ref, ...workloads, ...affected.map(({ ref }) => ref), ...members.map(({ subject }) => subject.ref)],
];

/** Answers why for a reader of one namespace, whose incidents are cut to what it may see: by their IDs and objects only, not by anything else in the cluster. */
function whyIn(
  incidents: readonly Incident[],
  { object }: WhyQuestion,
  words: (incident: Incident) => Notification,
): Why | Unclear {
  const [name = ''] = object
    .trim()
    .split(/[\s/]+/)
    .slice(-1);
  const found =
    incidents.find(({ id }) => id === object.trim()) ??
    incidents.find((one) => objectsOf(one).some((ref) => nameOf(ref) === name));
  if (!found) return { unclear: `No incident here is about "${object}". Ask by the ID that \`incidents\` lists.` };
  const { id, state, explanation, startedAt } = found;
  const { root, reason, severity, confidence } = explanation;
  const { lead, evidence } = words(found);
  return {
    ...{ about: root.ref, says: [], otherwise: [] },
    incidents: [
      {
        ...{ id, state, root: root.ref, reason, severity, confidence, since: startedAt, lead },
        ...{ because: evidence, life: '', audiences: [] },
      },
    ],
  };
}
