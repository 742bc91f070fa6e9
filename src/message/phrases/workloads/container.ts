import { kubectl } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { describeRef, type Ref } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { ending } from '../../parts/exit.ts';
import { currentLogs, describePod, getPod, logs } from '../../parts/next.ts';
import { after, fact, named, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';

/** Exit codes whose meaning every reader knows. */
const plainCodes = new Set([0, 1, 2, 255]);

/** `exit code 137 (SIGKILL, killed)`; `undefined` where it is not known. */
export function exit({ facts }: Pick<Case, 'facts'>): string | undefined {
  const { exitCode, exitReason } = facts;
  const isPlain = plainCodes.has(Number(exitCode)) && exitReason !== 'OOMKilled';
  return isPlain ? `exit code ${exitCode}` : ending(facts);
}

/** The Secret or ConfigMap that the finding names, and the key where only that is missing. */
function missing(about: Case): { readonly ref: Ref; readonly key?: string } | undefined {
  const [ref] = about.finding?.names ?? [];
  const key = fact(about, 'missingKey');
  if (ref === undefined || fact(about, 'missing') === undefined) return undefined;
  return key === undefined ? { ref } : { ref, key };
}

function lacks(about: Case): string | undefined {
  const what = missing(about);
  if (what === undefined) return said(about);
  return what.key === undefined
    ? `${describeRef(what.ref)} is missing`
    : `${describeRef(what.ref)} has no key ${what.key}`;
}

/** `Init container migrate of shop/api`. */
function initContainer(about: Case, it: string): string {
  const name = fact(about, 'container');
  return `${name === undefined ? 'An init container' : `Init container ${name}`} of ${it}`;
}

const roles: ReadonlyMap<unknown, string> = new Map([
  ['init', 'Init container'],
  ['sidecar', 'Sidecar'],
]);

/** `Init container migrate`: the sentence does not repeat whose it is. */
export function containerIn({ facts, scope }: Finding): string {
  return scope === undefined ? 'A container' : `${roles.get(facts.role) ?? 'Container'} ${scope}`;
}

function crashing(finding: Finding): string {
  const how = ending(finding.facts);
  const { restarts } = finding.facts;
  const often = restarts === undefined ? '' : `, ${count(Number(restarts), 'restart')} so far`;
  return `${containerIn(finding)} keeps crashing${how === undefined ? '' : ` with ${how}`}${often}.`;
}

/** The end of a runtime's sentence that a person needs: `exec: "serve": executable file not found in $PATH`. */
function startFailure(finding: Finding): string {
  const said = /((?:exec:? |exec format|stat |mkdir |chdir |error mounting )[^\n]*?)(?:: unknown)?$/m;
  const why = said.exec(finding.detail ?? '')?.[1]?.trim() ?? ending(finding.facts) ?? 'the runtime refuses';
  const { architecture } = finding.facts;
  // What is made for another processor fails so, and an interpreter that does not exist.
  return architecture === undefined
    ? why
    : `${why}; the image is probably not made for ${architecture}, as its node is`;
}

function notStarted(finding: Finding): string {
  return `${containerIn(finding)} cannot be started: ${startFailure(finding)}.`;
}

function notMade(finding: Finding): string {
  const { facts, names } = finding;
  const [ref] = names;
  if (ref === undefined || facts.missing === undefined)
    return `${containerIn(finding)} cannot be created from its configuration${after(': ', finding, 'the kubelet does not say why')}.`;
  const what = facts.missingKey === undefined ? 'does not exist' : `has no key ${facts.missingKey}`;
  return `${containerIn(finding)} cannot be created: ${describeRef(ref)} ${what}.`;
}

function stuckCreating({ facts }: Finding): string {
  return facts.pulling === undefined
    ? 'is stuck being created: a volume, the network or a large image may be the reason'
    : 'is still waiting for its image, which is being pulled';
}

const crashFacts = ['container', 'image', 'exitCode', 'restarts', 'limitOfKilled', 'node'] as const;

/** Containers that end, or do not begin. */
export const containerPhrases = {
  CrashLoopBackOff: {
    says: crashing,
    happens: ({ facts }) => (facts.exitCode === 0 ? 'keeps exiting with code 0' : 'crashes'),
    ended: (about) => (about.facts.exitCode === 0 ? undefined : exit(about)),
    well: 'is running again',
    next: logs,
    facts: crashFacts,
  },
  OOMKilled: {
    says: (finding) => {
      const { memoryLimit } = finding.facts;
      const why =
        memoryLimit === undefined
          ? 'memory ran out, and it has no limit'
          : `it used more than its limit of ${memoryLimit}`;
      return `${containerIn(finding)} was OOM-killed: ${why}.`;
    },
    happens: () => 'is OOM-killed',
    why: (about) =>
      fact(about, 'memoryLimit') === undefined
        ? 'memory ran out, and it has no limit'
        : `it exceeds its memory limit of${named(about, 'memoryLimit')}`,
    well: 'no longer runs out of memory',
    next: describePod,
    facts: ['container', 'image', 'restarts', 'node'],
  },
  StartError: {
    says: notStarted,
    happens: () => 'cannot start',
    why: ({ finding }) => finding && startFailure(finding),
    evidence: ({ finding }) => finding && notStarted(finding),
    well: 'is starting again',
    next: getPod('jsonpath={range .spec.containers[*]}{.image}{"\\t"}{.command}{"\\t"}{.args}{"\\n"}{end}'),
    facts: ['image', 'restarts', 'node'],
  },
  StartupProbeFailed: {
    says: (finding) => {
      const { startupBudgetSeconds: seconds } = finding.facts;
      const time = seconds === undefined ? 'the time' : `the ${seconds} s`;
      return `${containerIn(finding)} does not start within ${time} that its startup probe allows.`;
    },
    happens: () => 'does not start in time',
    why: ({ facts: { startupBudgetSeconds: seconds } }) =>
      seconds === undefined ? undefined : `its startup probe allows ${seconds} s`,
    well: 'is starting again',
    next: logs,
    facts: ['image', 'restarts', 'node'],
  },
  InitContainerError: {
    says: (finding) =>
      finding.facts.podPhase === 'Failed'
        ? `${containerIn(finding)} failed with ${ending(finding.facts)}, and the pod may not try again.`
        : crashing(finding),
    happens: (about, it) => [initContainer(about, it), 'fails'],
    ended: exit,
    well: 'completes its init containers again',
    next: logs,
    facts: ['image', 'exitCode', 'restarts', 'limitOfKilled', 'node'],
  },
  InitContainerWaiting: {
    says: (finding) =>
      `${containerIn(finding)} is still running and holds up the pod: it may be waiting for something.`,
    happens: (about, it) => [initContainer(about, it), 'does not finish'],
    well: 'completes its init containers again',
    next: currentLogs,
    facts: ['image', 'node'],
  },
  CreateContainerConfigError: {
    says: notMade,
    happens: () => 'cannot start',
    why: lacks,
    evidence: (about) => (missing(about) === undefined ? quote('The kubelet', about.finding?.detail) : undefined),
    well: 'has its configuration now',
    // The keys of a Secret by name and size, never their values.
    next: (about) => {
      const what = missing(about);
      if (what?.key === undefined) return describePod(about);
      return kubectl('describe', what.ref);
    },
    facts: ['container'],
  },
  CreateContainerError: {
    says: (finding) =>
      `${containerIn(finding)} cannot be created${after(': ', finding, 'the runtime does not say why')}.`,
    happens: (about, it) => [`Container${named(about, 'container')} of ${it}`, 'cannot be created'],
    why: said,
    evidence: quoted('The runtime'),
    well: 'has its containers now',
    next: describePod,
    facts: ['image', 'node'],
  },
  ContainerCreating: {
    says: (finding) =>
      finding.facts.missing === undefined ? `${containerIn(finding)} ${stuckCreating(finding)}.` : notMade(finding),
    happens: (about) => (missing(about) === undefined ? 'is stuck creating its containers' : 'cannot start'),
    why: (about) => {
      if (missing(about) !== undefined) return lacks(about);
      return about.facts.pulling === undefined ? undefined : 'its image is still being pulled';
    },
    evidence: (about) =>
      missing(about) === undefined
        ? about.facts.pulling === undefined
          ? 'The usual causes are a volume, the network or a very large image; the events of the pod say which.'
          : 'The kubelet has been pulling the image all the time.'
        : undefined,
    well: 'has its containers now',
    next: describePod,
    facts: ['image', 'node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
