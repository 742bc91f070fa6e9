import type { Explanation } from '../../../model/explanation.ts';
import type { Finding } from '../../../model/finding.ts';
import { fact, named, type Phrase, quote } from '../../parts/phrase.ts';
import { clockTime } from '../../parts/times.ts';
import { list } from '../../parts/words.ts';

/** Alerts that are named in one sentence. */
const maxNamed = 3;

/** What somebody outside alerts of. */
export const alertPhrases = {
  ExternalAlert: {
    says: ({ facts: { alert, summary } }) =>
      `Prometheus alerts of it: ${alert ?? 'an alert fires'}${summary === undefined ? '' : ` ("${String(summary).replace(/\.$/, '')}")`}.`,
    happens: (about) => `has the alert${named(about, 'alert')} of Prometheus`,
    hits: 'have such an alert',
    evidence: (about) => quote('The alert', fact(about, 'summary')),
    well: 'has no alert of Prometheus any more',
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/**
 * What Prometheus alerts of besides, where that is not what an incident is told for: `Prometheus also alerts: KubePodCrashLooping since 10:02 UTC.` Each
 * alert once, the oldest first. `now`: epoch milliseconds.
 */
export function alsoAlerts({ members, reason }: Explanation, now: number): string | undefined {
  if (reason === 'ExternalAlert') return undefined;
  const first = new Map<string, Finding>();
  for (const finding of members)
    if (finding.reason === 'ExternalAlert' && finding.since < (first.get(nameOf(finding))?.since ?? Infinity))
      first.set(nameOf(finding), finding);
  const all = [...first.values()].sort((a, b) => a.since - b.since || (nameOf(a) < nameOf(b) ? -1 : 1));
  if (all.length === 0) return undefined;
  const said = all.map((finding) => `${nameOf(finding)} since ${clockTime(finding.since, now)}`);
  return `Prometheus also alerts: ${list(said, maxNamed)}.`;
}

const nameOf = ({ facts }: Finding): string => String(facts.alert ?? '');
