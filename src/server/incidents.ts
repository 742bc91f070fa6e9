import { cleanLine } from '../message/parts/clean.ts';
import type { Incident } from '../model/incident.ts';
import { compareSeverity } from '../model/severity.ts';
import { causeIn, type HistoryQuestion, type InWords, isFound, isOfTime, searchable } from './past.ts';
import { incidentRow, object } from './status.ts';
import type { StatusView } from './views.ts';

/** Incidents that one answer lists at most, and how many it lists unless it is asked for more. */
export const mostListed = 500;
export const usuallyListed = 100;
/** Objects named of one. */
const mostObjects = 20;

/** What was found: so many of all that fit, and how often what was. */
export type Found = {
  readonly total: number;
  readonly shown: readonly InWords[];
  readonly counts: readonly Count[];
};

/** How often a reason was told of, and how long the middle one of those that are over lasted (ms). */
export type Count = { readonly reason: string; readonly count: number; readonly medianMs?: number };

/** Open or about to be over: what somebody may have to do something about. */
export const isOpen = ({ state }: Incident): boolean => state === 'Open' || state === 'Recovering';

/** The worst first, of those that are equally bad the oldest first. */
export const byWeight = (a: Incident, b: Incident): number =>
  compareSeverity(a.explanation.severity, b.explanation.severity) ||
  a.startedAt - b.startedAt ||
  (a.id < b.id ? -1 : 1);

/** What fits a question: what is open, the worst first, then what is over, what ended last first. */
export function findIncidents(view: StatusView, asked: HistoryQuestion, most = usuallyListed): Found {
  const { search = '' } = asked;
  const known = view.incidents.filter(({ state }) => state !== 'Settling');
  const fits = (incident: Incident): boolean =>
    isOfTime(incident, asked) && (search === '' || isFound(searchable(inWords(view, incident)), search));
  const open = known.filter((incident) => isOpen(incident) && fits(incident)).toSorted(byWeight);
  const past = view.history.find(asked);
  // Saved by a version that remembered nothing.
  const other = known.filter((one) => !isOpen(one) && !view.history.get(one.id) && fits(one));
  const others = other.toSorted((a, b) => (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0));
  const all = [...open, ...past, ...others];
  return {
    ...{ total: all.length, counts: countsOf(all) },
    shown: all.slice(0, most).flatMap(({ id }) => incidentOf(view, id) ?? []),
  };
}

/** Reasons that are counted at most, the most frequent first. */
const mostReasons = 20;

function countsOf(incidents: readonly Incident[]): readonly Count[] {
  const byReason = Map.groupBy(incidents, ({ explanation }) => explanation.reason);
  return [...byReason]
    .map(([reason, list]): Count => {
      const lasted = list.flatMap(({ resolvedAt, startedAt }) =>
        resolvedAt === undefined ? [] : [resolvedAt - startedAt],
      );
      const median = lasted.toSorted((a, b) => a - b)[Math.floor(lasted.length / 2)];
      return { reason, count: list.length, ...(median !== undefined && { medianMs: Math.max(0, median) }) };
    })
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
    .slice(0, mostReasons);
}

/** An incident by its id: as it is, or as it was. `undefined`: nobody knows it any more. */
export function incidentOf(view: StatusView, id: string): InWords | undefined {
  const known = view.incidents.find((one) => one.id === id && one.state !== 'Settling');
  if (known && isOpen(known)) return inWords(view, known);
  return view.history.get(id) ?? (known && inWords(view, known));
}

const inWords = (view: StatusView, incident: Incident): InWords => ({ incident, words: view.words(incident) });

const rfc3339 = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** The JSON of `/status/incidents` (`docs/incidents.schema.json`). `now`: epoch milliseconds. */
export function incidentsBody(view: StatusView, { total, shown, counts }: Found, now: number): object {
  return {
    ...{ time: rfc3339(now), clusterName: view.clusterName, rememberedSince: rfc3339(view.history.oldest) },
    incidents: { total, listed: shown.map((one) => pastRow(view, one, now)) },
    reasons: counts.map(({ reason, count, medianMs }) => ({
      ...{ reason, count, medianSeconds: medianMs === undefined ? null : Math.round(medianMs / 1000) },
    })),
  };
}

/** The same of one incident, with all that is known of it. */
export function incidentBody(view: StatusView, one: InWords, now: number): object {
  const { words, incident } = one;
  return {
    ...pastRow(view, one, now),
    evidence: words.evidence,
    impact: words.impact ?? null,
    next: words.nextStep?.command ?? null,
    facts: words.facts,
    log: words.excerpt ?? null,
    objects: incident.explanation.affected.slice(0, mostObjects).map(({ ref }) => object(ref)),
  };
}

function pastRow(view: StatusView, one: InWords, now: number): object {
  const { incident, words } = one;
  const parent = (id: string): Incident | undefined => view.incidents.find((each) => each.id === id);
  return {
    ...incidentRow(incident, { settings: view.settings, parent, now }),
    ...{ resolvedAt: rfc3339(incident.resolvedAt), lead: cleanLine(words.lead), cause: causeIn(one) ?? null },
  };
}
