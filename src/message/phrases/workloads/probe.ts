import type { Facts, Finding } from '../../../model/finding.ts';
import type { Case } from '../../parts/case.ts';
import { describePod, getPod, logs } from '../../parts/next.ts';
import { after, ofPods, type Phrase, quote } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';
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

/** The same as a cause: nothing where the kubelet says nothing. */
const answer = ({ finding }: Case): string | undefined => (finding && got(finding)) || undefined;

const answered = (finding: Finding): Finding => ({ ...finding, detail: got(finding) });

/** Why a probe can never succeed. */
function fault({ probeFault, probePort }: Facts): string {
  if (probeFault === 'service') return 'who answers does not have the gRPC service that it asks for';
  if (probeFault === 'command') return 'its command is not in the image or cannot be run';
  if (probeFault === 'name') return `no port of the container is called “${probePort}”`;
  if (probePort === undefined) return 'it asks where nobody can answer';
  return `the container neither states nor opens port ${probePort}`;
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
    happens: (about, it) => [`The ${probeName(about)} probe of ${it}`, 'cannot succeed'],
    why: ({ facts }) => fault(facts),
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
    happens: () => 'keeps failing its liveness probe',
    why: answer,
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
    happens: ofPods('fails its readiness probe', 'fail their readiness probe'),
    why: answer,
    evidence: ({ finding }) => finding && quote('The readiness probe', got(finding)),
    well: 'is ready again',
    next: describePod,
    facts: ['container', 'node'],
  },
  ReadinessFlapping: {
    says: ({ facts }) =>
      `The pod was ready and lost it ${facts.losses === undefined ? 'again and again' : count(Number(facts.losses), 'time')} within a short time.`,
    happens: ofPods('keeps losing readiness', 'keep losing readiness'),
    well: 'has been steady for half an hour',
    next: describePod,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
