import type { Coverage } from '../model/coverage.ts';
import type { Incident } from '../model/incident.ts';
import { kindNameOf, namespaceOf, refOf } from '../model/ref.ts';
import { severities } from '../model/severity.ts';
import type { HistoryQuestion, InWords } from '../server/past.ts';
import type { CoreView } from '../turn/core-view.ts';
import { becauseOf } from '../turn/why.ts';
import type { Broken, Diagnosis, Looked, Unseen } from './answer.ts';
import { isAskedFor, limitsInWords, type Question } from './question.ts';
import { unseenOf } from './unseen.ts';

/** Incidents that an answer lists, and objects that one of them names. */
const mostBroken = 500;
const mostAffected = 10;

/** What was seen, and what there is to say about how. Times are epoch milliseconds. */
export type Seen = {
  readonly view: Pick<CoreView, 'incidents' | 'quoted' | 'why' | 'world' | 'settings'>;
  readonly now: number;
  readonly looked: Looked;
  readonly watchedMs: number;
  readonly coverage: readonly Coverage[];
  /** Besides what the coverage says. */
  readonly unseen: readonly Unseen[];
  readonly limits: readonly string[];
  /** The namespace that whoever asks may read alone: everything here is cut for it. Absent: they may read everything. */
  readonly audience?: string;
  /** What is remembered of incidents, open and over, as far as it fits: of an operator. */
  past?(asked: HistoryQuestion, most: number): { readonly total: number; readonly shown: readonly InWords[] };
};

/** The answer, of what is asked for. */
export function diagnosisOf(seen: Seen, asked: Question = {}): Diagnosis {
  const { view, now, looked, watchedMs } = seen;
  const found = [...view.incidents()]
    .filter((incident) => isBroken(incident) && isAskedFor(incident, asked, now))
    .sort(byWeight);
  const about = limitsInWords(asked);
  return {
    ...{ looked, at: now, watchedMs, limits: seen.limits },
    verdict: found.some(isCertain) ? 'broken' : 'healthy',
    broken: found.slice(0, mostBroken).map((incident) => brokenOf(incident, view, now)),
    omitted: Math.max(0, found.length - mostBroken),
    objects: objectsOf(view.world),
    unseen: [...unseenOf(seen.coverage), ...seen.unseen],
    ...(about !== undefined && { about }),
  };
}

/** What is part of another is told by that one; what recovers is healthy now. */
function isBroken({ state, foldedInto }: Incident): boolean {
  return foldedInto === undefined && (state === 'Open' || state === 'Settling');
}

/** It has lasted long enough, or something of it cannot be a normal transient, however shortly ago it began. */
const isCertain = ({ state, explanation }: Incident): boolean =>
  state === 'Open' || explanation.members.some(({ conclusive }) => conclusive);

const rank = (incident: Incident): number =>
  (isCertain(incident) ? 0 : severities.length) + severities.indexOf(incident.explanation.severity);

const byWeight = (a: Incident, b: Incident): number =>
  rank(a) - rank(b) || b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1);

function brokenOf(incident: Incident, view: Seen['view'], now: number): Broken {
  const { id, state, explanation, startedAt } = incident;
  const { severity, reason, root, affected, affectedCount = affected.length, confidence } = explanation;
  return {
    ...{ id, state, severity, reason, root: root.ref },
    isCertain: isCertain(incident),
    affected: { count: affectedCount, sample: affected.slice(0, mostAffected).map(({ ref }) => ref) },
    since: startedAt,
    words: view.quoted(incident, now),
    why: { confidence, because: becauseOf(incident, now) },
  };
}

/** Whether anything that was seen is in a namespace, or is that namespace. */
export function holdsNamespace({ view }: Pick<Seen, 'view'>, namespace: string): boolean {
  if (typeof view.world.get(refOf('Namespace', '', namespace)) === 'object') return true;
  return Iterator.from(view.world.everything()).some((ref) => namespaceOf(ref) === namespace);
}

function objectsOf(world: Seen['view']['world']): Diagnosis['objects'] {
  const counts = new Map<string, number>();
  for (const ref of world.everything()) counts.set(kindNameOf(ref), (counts.get(kindNameOf(ref)) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ kind, count }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}
