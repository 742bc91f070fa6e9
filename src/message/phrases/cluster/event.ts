import { kubectl, listOf } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import type { Case } from '../../parts/case.ts';
import { describeSubject } from '../../parts/next.ts';
import { after, named, type Phrase, quote, said } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';

/** `The kubelet`, `The cluster-autoscaler`: who wrote it. */
const writer = ({ facts: { reporter } }: Pick<Finding, 'facts'>): string =>
  reporter === undefined ? 'Its controller' : `The ${reporter}`;

/** `480 warnings in half an hour, where 12 an hour are usual: CNIError (300), Throttled (100)`. */
function storm({ facts: { recent, usualHourly, topReasons } }: Pick<Case, 'facts'>): string {
  const usual = Number(usualHourly ?? 0);
  const only = /^(\S+) \((\d+)\)$/.exec(String(topReasons ?? ''));
  const most =
    only?.[2] === String(recent)
      ? `, all of them ${only[1]}`
      : topReasons === undefined
        ? ''
        : `, most of them ${topReasons}`;
  return `${count(Number(recent ?? 0), 'warning')} in half an hour, where ${usual === 0 ? 'none' : `${usual} an hour`} ${usual > 1 ? 'are' : 'is'} usual${most}`;
}

/** What Events say that nobody has a row for. */
export const eventPhrases = {
  UnusualEvent: {
    says: (finding) =>
      `${writer(finding)} repeats the warning ${finding.facts.eventReason ?? 'that it gave before'}${after(': ', finding)}.`,
    happens: (about) => `gets the warning${named(about, 'eventReason')} again and again`,
    why: said,
    hits: 'get the same warning',
    evidence: ({ finding }) => finding && quote(writer(finding), finding.detail),
    well: 'has had no such warning for half an hour',
    next: describeSubject,
  },
  EventStorm: {
    says: (finding) => `It has had ${storm(finding)}.`,
    happens: () => 'has a storm of warnings that no failure explains',
    why: ({ facts: { recent } }) =>
      recent === undefined ? undefined : `${count(Number(recent), 'warning')} in half an hour`,
    hits: 'have such warnings',
    evidence: (about) => `${storm(about)}.`,
    well: 'has no more warnings than usual',
    next: () => kubectl('get', listOf('events'), '-A', '--field-selector', 'type=Warning'),
  },
} as const satisfies Readonly<Record<string, Phrase>>;
