import { kubectl } from '../../../model/command.ts';
import type { Facts } from '../../../model/finding.ts';
import type { Phrase } from '../../parts/phrase.ts';

/** What a reason of coverage means, for people. */
const causes: Readonly<Record<string, string>> = {
  ConnectionLost: 'the API server does not answer',
  WatchSilent: 'the API server accepts the watch and says nothing',
  Throttled: 'the API server sends it away: too many requests',
  Unauthorized: 'the API server does not take its credentials',
  Forbidden: 'the right to it was taken',
  ServerError: 'the API server ends the watch',
  TooLarge: 'there is too much of it',
};

/** ` (the API server does not answer)`; nothing where several reasons apply. */
function because({ why }: Facts): string {
  const cause = causes[String(why)];
  return cause === undefined ? '' : ` (${cause})`;
}

const which = ({ kinds = 'what it watches' }: Facts): string => String(kinds);

/** What Tocsin says of itself. */
export const ownSightPhrases = {
  KindsUnseen: {
    says: ({ facts }) => `It cannot watch ${which(facts)}${because(facts)}.`,
    happens: ({ facts }) => `cannot watch ${which(facts)}`,
    why: ({ facts: { why } }) => causes[String(why)],
    evidence: () => 'What happens to them meanwhile is told late, or not at all if it is over by then.',
    well: 'watches everything again',
    next: () => kubectl('get', undefined, '--raw', '/readyz?verbose'),
  },
} as const satisfies Readonly<Record<string, Phrase>>;
