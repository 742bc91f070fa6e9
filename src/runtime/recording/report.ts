import type { Incident } from '../../model/incident.ts';
import type { Unclear } from '../../model/why.ts';
import type { ReportedIncident, ReportQuestion } from '../../server/report-view.ts';
import { subjectOf } from '../../turn/asked.ts';
import type { CoreView } from '../../turn/core-view.ts';
import { concerns } from '../../turn/why.ts';

/**
 * What is reported of all that is known, in the order in which it began. `object`: as people ask `tocsin why`; unclear where that names
 * nothing, or several.
 */
export function chosen(
  known: readonly ReportedIncident[],
  asked: ReportQuestion,
  { world }: Pick<CoreView, 'world'>,
): readonly ReportedIncident[] | Unclear {
  const incidents = known.map(({ incident }) => incident);
  const subject = asked.object === undefined ? undefined : subjectOf(asked.object, undefined, { world, incidents });
  if (subject && 'unclear' in subject) return subject;
  const isAbout = (incident: Incident): boolean =>
    subject === undefined ||
    (subject.incident
      ? subject.incident.id === incident.id
      : concerns(incident, subject.about, world.topOwner(subject.about)));
  const picked = new Set(incidents.filter(isAbout).map(({ id }) => id));
  return known
    .filter(({ incident: { id, foldedInto = '' } }) => picked.has(id) || picked.has(foldedInto))
    .filter(({ incident }) => overlaps(incident, asked))
    .toSorted((a, b) => a.incident.startedAt - b.incident.startedAt || (a.incident.id < b.incident.id ? -1 : 1));
}

function overlaps({ startedAt, resolvedAt = Number.POSITIVE_INFINITY }: Incident, { from, until }: ReportQuestion) {
  return startedAt <= (until ?? Number.POSITIVE_INFINITY) && resolvedAt >= (from ?? 0);
}

/** What a report is limited to, in words. */
export function limitsOf({ object, from, until }: ReportQuestion): string | undefined {
  const time = (at: number | undefined, word: string): readonly string[] =>
    at === undefined ? [] : [`${word} ${new Date(at).toISOString()}`];
  const parts = [
    ...(object === undefined ? [] : [`what concerns ${object}`]),
    ...time(from, 'from'),
    ...time(until, 'until'),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** A time that holds all of them (epoch milliseconds): as asked for, else from shortly before the first. `now`: of the report. */
export function periodOf(
  reported: readonly ReportedIncident[],
  { from, until = Number.POSITIVE_INFINITY }: ReportQuestion,
  now: number,
): { readonly from: number; readonly until: number } {
  const first = reported[0]?.incident.startedAt ?? now - hourMs;
  const end = Math.min(until, now);
  return { from: Math.min(from ?? first - 5 * 60_000, end - 60_000), until: end };
}

const hourMs = 60 * 60_000;
