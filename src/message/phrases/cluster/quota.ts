import type { Finding } from '../../../model/finding.ts';
import type { Phrase } from '../../parts/phrase.ts';

/** `pods: 10 of 10 used`, and which other resources are so as well. */
function used({ facts: { resource, used: use, hard, others } }: Finding): string {
  const first = resource === undefined ? 'its resources are used' : `${resource}: ${use} of ${hard} used`;
  return others === undefined ? first : `${first}; the same goes for ${others}`;
}

function row(says: string, is: string): Phrase {
  return {
    says: (finding) => `${says}: ${used(finding)}.`,
    happens: () => is,
    why: ({ finding }) => (finding?.facts.resource === undefined ? undefined : used(finding)),
    evidence: ({ finding }) => finding && `${used(finding)}.`.replace(/^./, (first) => first.toUpperCase()),
    well: 'has room again',
  };
}

/** Quotas by what is used of them. */
export const quotaPhrases = {
  QuotaOverused: row('More is used than it allows', 'is exceeded'),
  QuotaFullyUsed: row('It is used up', 'is used up'),
  QuotaAlmostFull: row('It is almost used up', 'is almost used up'),
} as const satisfies Readonly<Record<string, Phrase>>;
