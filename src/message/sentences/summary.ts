import { actOf, type SummaryAnnouncement } from '../../model/announcement.ts';
import type { ListedIncident, Notification } from '../../model/notification.ts';
import { type Severity, severities } from '../../model/severity.ts';
import type { NarrateContext } from '../parts/context.ts';
import { clockTime } from '../parts/times.ts';
import { all, count, list } from '../parts/words.ts';
import { sentenceOf } from '../phrases/phrases.ts';
import { noteOf } from './notes.ts';

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
const baselinePromise = 'You are told about these again only if they get worse; each new problem gets its own message.';

function startupWords(announcement: SummaryAnnouncement, where: string, version: string): Words {
  const { total, bySeverity: counts, entries, atStart, newlySeen, ofPart, phase } = announcement;
  if (phase === 'closing')
    return {
      title: `${total === 1 ? 'The problem' : all(total, 'problem')} from startup ${total === 1 ? 'is' : 'are'} resolved${where}`,
      lead: 'Nothing is left of the startup summary.',
    };
  if (total === 0)
    return {
      title: `Tocsin is watching${where}`,
      lead: `Tocsin ${version} is watching and nothing ${ofPart ? 'that you are told of ' : ''}is broken.`,
    };
  const what = count(total, 'problem');
  const here = entries.length < total ? ` Here are the worst ${entries.length} of ${total}.` : '';
  if (newlySeen)
    return {
      title: `${what} existed before Tocsin could see ${total === 1 ? 'it' : 'them'}: ${bySeverity(counts)}${where}`,
      lead: `Tocsin ${version} now also sees ${list(
        newlySeen.map((kind) => `${kind}s`),
        maxKinds,
      )}.${here} ${baselinePromise}`,
    };
  const [state, promise] = atStart
    ? ['existed when Tocsin started', baselinePromise]
    : [total === 1 ? 'is open' : 'are open', 'Each new problem gets its own message.'];
  return {
    title: `${what} ${state}: ${bySeverity(counts)}${where}`,
    lead: `Tocsin ${version} is watching.${here} ${promise}`,
  };
}

function digestWords({ total }: SummaryAnnouncement, where: string): Words {
  return {
    title: `${count(total, 'low-priority problem')}${where}`,
    lead: 'New and not urgent.',
  };
}

function overviewWords({ total, bySeverity: counts, phase }: SummaryAnnouncement, where: string): Words {
  const what = count(total, 'incident');
  if (phase === 'closing')
    return {
      title: `${total === 1 ? 'The incident' : all(total, 'incident')} from the overview ${total === 1 ? 'is' : 'are'} resolved${where}`,
      lead: `${total === 1 ? 'It was' : 'They were'} listed only there.`,
    };
  return {
    title: `${what} in a short time: ${bySeverity(counts)}${where}`,
    lead: 'This one message stands for all of them, the worst first. You are told when all are over.',
  };
}

function worstOf(counts: SummaryAnnouncement['bySeverity']): Severity {
  return severities.find((severity) => counts[severity] > 0) ?? 'low';
}

/** What a list says of one problem, with its beginning: `Container app keeps crashing (since 08:10 UTC).`, or that it is over. */
function dated({ says, startedAt, over }: ListedIncident, now: number): string {
  if (startedAt === undefined) return says;
  const when = over ? `at ${clockTime(startedAt, now)}, already over` : `since ${clockTime(startedAt, now)}`;
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
    ...noted(announcement, settings, now),
    ...(announcement.phase === 'closing' && { over: true }),
    list: { entries: isListed(announcement) ? entries : [], total, bySeverity: announcement.bySeverity },
  };
}

/** What it says beside its list. */
function noted(
  { notes, audience }: SummaryAnnouncement,
  settings: NarrateContext['settings'],
  now: number,
): { note?: string } {
  const note = noteOf(notes, { audience, now, settings });
  return note === undefined ? {} : { note };
}

/** At the end a few are named again; of many the message that told of them has the list, and all that is new is that all are over. */
function isListed({ phase, total }: SummaryAnnouncement): boolean {
  return phase !== 'closing' || total <= maxNamedAgain;
}
const maxNamedAgain = 5;
