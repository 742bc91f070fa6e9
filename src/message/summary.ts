import type { Notification } from '../model/notification.ts';
import { type Severity, severities } from '../model/severity.ts';
import type { SummaryTelling } from '../model/telling.ts';
import type { NarrateContext } from './context.ts';
import { count, list } from './words.ts';

/** `2 critical and 3 high`, worst first. */
function bySeverity(counts: SummaryTelling['bySeverity']): string {
  return list(
    severities.filter((severity) => counts[severity] > 0).map((severity) => `${counts[severity]} ${severity}`),
  );
}

/** The title and the lead of one kind of summary. */
type Words = { readonly title: string; readonly lead: string };

function startupWords({ total, bySeverity: counts, phase }: SummaryTelling, where: string, version: string): Words {
  const worst = worstOf(counts);
  if (phase === 'closing')
    return {
      title: `[resolved] All well${where}`,
      lead: 'Everything that was broken when Tocsin started is well again.',
    };
  if (total === 0)
    return { title: `Tocsin is watching${where}`, lead: `Tocsin ${version} has started. Nothing is broken.` };
  return {
    title: `[${worst}] ${count(total, 'problem')} at start${where}`,
    lead: `Tocsin ${version} has started and found ${count(total, 'problem')} that existed before: ${bySeverity(counts)}. From now on each new one is told by itself.`,
  };
}

function digestWords({ total }: SummaryTelling, where: string): Words {
  const what = count(total, 'low-priority problem');
  return { title: `[low] ${what}${where}`, lead: `${what} since the last digest. Nothing here is urgent.` };
}

function overviewWords({ total, bySeverity: counts, phase }: SummaryTelling, where: string): Words {
  const what = count(total, 'incident');
  if (phase === 'closing')
    return {
      title: `[resolved] ${what} of the overview${where}`,
      lead: `${what} that only the overview told of: all over.`,
    };
  return {
    title: `[${worstOf(counts)}] ${what} at once${where}`,
    lead: `${what} began at almost the same time: ${bySeverity(counts)}. This message stands for all of them, the widest spread first.`,
  };
}

function worstOf(counts: SummaryTelling['bySeverity']): Severity {
  return severities.find((severity) => counts[severity] > 0) ?? 'low';
}

/** A startup summary, digest or overview: how many, how bad, and the list. */
export function narrateSummary(telling: SummaryTelling, { settings, now, version }: NarrateContext): Notification {
  const { act, entries, total } = telling;
  const cluster = settings.app.clusterName;
  const where = cluster === '' ? '' : ` · ${cluster}`;
  const words = {
    startup: () => startupWords(telling, where, version),
    digest: () => digestWords(telling, where),
    overview: () => overviewWords(telling, where),
  }[act]();
  return {
    act,
    severity: worstOf(telling.bySeverity),
    ...words,
    evidence: [],
    facts: [],
    links: [],
    cluster,
    at: now,
    list: { entries, total, bySeverity: telling.bySeverity },
  };
}
