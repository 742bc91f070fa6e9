import type { Facts, Finding } from '../../model/finding.ts';
import type { Case } from '../case.ts';
import { describePod, getPod, logs } from '../next.ts';
import { after, named, ofPods, type Phrase, quote } from '../phrase.ts';
import { count } from '../words.ts';
import { containerIn } from './container.ts';

/** What a probe got, in few words: the address it asked at says nothing, as it is the Pod's own. */
function got({ detail = '' }: Finding): string {
  const text = detail
    .replace(/^(?:Startup|Readiness|Liveness) probe (?:failed|errored[^:]*): /, '')
    .replace(/^Get "[^"]*": /, '')
    .replace(/^HTTP probe failed with statuscode: (\d+).*$/s, 'HTTP status $1')
    .replace(/^dial tcp \S+: connect: /, '')
    .trim();
  return text.split('\n')[0]?.slice(0, 200) ?? '';
}

const answered = (finding: Finding): Finding => ({ ...finding, detail: got(finding) });

/** Why a probe can never succeed. */
function fault({ probeFault, probePort }: Facts): string {
  if (probeFault === 'command') return 'its command is not in the image or cannot be run';
  if (probeFault === 'name') return `it asks at port “${probePort}”, and no port of the container has that name`;
  if (probePort === undefined) return 'it asks where nobody can answer';
  return `it asks at port ${probePort}, which the container neither states nor opens`;
}

/** `The readiness probe of container api cannot succeed: …` */
function cannotSucceed({ facts, scope }: Finding): string {
  const whose = scope === undefined ? 'a container' : `container ${scope}`;
  return `The ${facts.probe ?? 'readiness'} probe of ${whose} cannot succeed: ${fault(facts)}.`;
}

const probeName = ({ facts }: Case): string => String(facts.probe ?? 'readiness');

/** What probes tell of containers that run. */
export const probePhrases = {
  ProbeMisconfigured: {
    says: cannotSucceed,
    doing: (about) =>
      `has had a ${probeName(about)} probe of container${named(about, 'container')} that cannot succeed`,
    evidence: ({ finding }) => finding && cannotSucceed(finding),
    well: 'passes its probes again',
    next: (about) =>
      getPod(`jsonpath={.spec.containers[*].ports}{"\\n"}{.spec.containers[*].${probeName(about)}Probe}`)(about),
    facts: ['container', 'image', 'node'],
  },
  LivenessProbeFailed: {
    says: (finding) => {
      const { restarts } = finding.facts;
      const often = restarts === undefined ? '' : `, ${count(Number(restarts), 'restart')} so far`;
      return `${containerIn(finding)} keeps being restarted for its liveness probe${after(': ', answered(finding))}${often}.`;
    },
    doing: () => 'has been failing its liveness probe and being restarted',
    evidence: ({ finding }) => finding && quote('The liveness probe', got(finding)),
    well: 'passes its liveness probe again',
    next: logs,
    facts: ['container', 'image', 'restarts', 'node'],
  },
  ReadinessProbeFailed: {
    says: (finding) => {
      const { unready = 'A container', lost } = finding.facts;
      const what = lost ? 'fails its readiness probe' : 'has not passed its readiness probe yet';
      return `Container ${String(unready).split(', ')[0]} runs but ${what}${after(': ', answered(finding))}.`;
    },
    doing: ofPods(
      'has been failing its readiness probe',
      'that fails its readiness probe',
      'that fail their readiness probe',
    ),
    evidence: ({ finding }) => finding && quote('The readiness probe', got(finding)),
    well: 'is ready again',
    next: describePod,
    facts: ['container', 'node'],
  },
  ReadinessFlapping: {
    says: ({ facts }) =>
      `The pod was ready and lost it ${facts.losses === undefined ? 'again and again' : count(Number(facts.losses), 'time')} within a short time.`,
    doing: ofPods(
      'has been ready and unready by turns',
      'that is ready and unready by turns',
      'that are ready and unready by turns',
    ),
    well: 'has been steady for half an hour',
    next: describePod,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
