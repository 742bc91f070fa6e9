import { actOf, type SummaryAnnouncement } from '../model/announcement.ts';
import type { ListedIncident, Notification } from '../model/notification.ts';
import { type Severity, severities } from '../model/severity.ts';
import type { NarrateContext } from './context.ts';
import { sentenceOf } from './phrases.ts';
import { all, clockTime, count, list } from './words.ts';

/** `2 critical and 3 high`, worst first. */
function bySeverity(counts: SummaryAnnouncement['bySeverity']): string {
  return list(
    severities.filter((severity) => counts[severity] > 0).map((severity) => `${counts[severity]} ${severity}`),
  );
}

/** The title and the lead of one kind of summary. */
type Words = { readonly title: string; readonly lead: string };

/** Kinds named in one breath. */
const maxKinds = 3;
const baselinePromise = 'These are told again only if they get worse; each new problem gets a message of its own.';

function startupWords(announcement: SummaryAnnouncement, where: string, version: string): Words {
  const { total, bySeverity: counts, entries, atStart, newlySeen, phase } = announcement;
  if (phase === 'closing')
    return {
      title: `[resolved] ${count(total, 'problem')} of the start${where}`,
      lead: `${total === 1 ? 'The problem' : all(total, 'problem')} of the startup summary ${total === 1 ? 'is' : 'are'} over.`,
    };
  if (total === 0)
    return { title: `Tocsin is watching${where}`, lead: `Tocsin ${version} is watching and nothing is broken.` };
  const what = count(total, 'problem');
  const here = entries.length < total ? ` Here are the worst ${entries.length}.` : '';
  if (newlySeen)
    return {
      title: `[${worstOf(counts)}] ${what} existed before Tocsin could see ${total === 1 ? 'it' : 'them'}${where}`,
      lead: `Tocsin ${version} now also sees ${list(
        newlySeen.map((kind) => `${kind}s`),
        maxKinds,
      )}. Already broken: ${bySeverity(counts)}.${here} ${baselinePromise}`,
    };
  const [state, promise] = atStart
    ? ['existed when Tocsin started', baselinePromise]
    : [total === 1 ? 'is open' : 'are open', 'Each new problem gets a message of its own.'];
  return {
    title: `[${worstOf(counts)}] ${what} ${state}${where}`,
    lead: `Tocsin ${version} is watching. Already broken: ${bySeverity(counts)}.${here} ${promise}`,
  };
}

function digestWords({ total }: SummaryAnnouncement, where: string): Words {
  return {
    title: `[low] ${count(total, 'low-priority problem')}${where}`,
    lead: total === 1 ? 'It is new and not urgent.' : 'They are new and none is urgent.',
  };
}

function overviewWords({ total, bySeverity: counts, phase }: SummaryAnnouncement, where: string): Words {
  const what = count(total, 'incident');
  if (phase === 'closing')
    return {
      title: `[resolved] ${what} of the overview${where}`,
      lead: `${total === 1 ? 'The incident' : all(total, 'incident')} that only the overview told of ${total === 1 ? 'is' : 'are'} over.`,
    };
  return {
    title: `[${worstOf(counts)}] ${what} in a short time${where}`,
    lead: `So much broke in a short time that this one message stands for ${what}: ${bySeverity(counts)}. The worst come first; one more message follows when all of it is over.`,
  };
}

function worstOf(counts: SummaryAnnouncement['bySeverity']): Severity {
  return severities.find((severity) => counts[severity] > 0) ?? 'low';
}

/** What a list says of one problem, with its beginning: `Container app keeps crashing (since 08:10 UTC).`, or that it is over. */
function dated({ says, startedAt, over }: ListedIncident, now: number): string {
  if (startedAt === undefined) return says;
  const when = over ? `at ${clockTime(startedAt, now)}, over by now` : `since ${clockTime(startedAt, now)}`;
  return `${says.replace(/\.$/, '')} (${when}).`;
}

/** A startup summary, digest or overview: how many, how bad, and the list. */
export function narrateSummary(
  announcement: SummaryAnnouncement,
  { settings, now, version }: NarrateContext,
): Notification {
  const { total } = announcement;
  const entries = announcement.entries.map(({ finding, ...entry }) => {
    const listed = { ...entry, says: finding === undefined ? '' : sentenceOf(finding) };
    return announcement.phase === 'closing' ? listed : { ...listed, says: dated(listed, now) };
  });
  const cluster = settings.app.clusterName;
  const where = cluster === '' ? '' : ` · ${cluster}`;
  const words = {
    startup: () => startupWords(announcement, where, version),
    digest: () => digestWords(announcement, where),
    overview: () => overviewWords(announcement, where),
  }[announcement.act]();
  return {
    act: actOf(announcement),
    severity: worstOf(announcement.bySeverity),
    ...words,
    evidence: [],
    facts: [],
    links: [],
    cluster,
    at: now,
    ...(announcement.phase === 'closing' && { over: true }),
    list: { entries, total, bySeverity: announcement.bySeverity },
  };
}
