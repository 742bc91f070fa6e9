import { kubectl } from '../../model/command.ts';
import { exitInWords } from '../../model/exit-code.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import { describeRef, type Ref } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { currentLogs, describePod, getPod, logs } from '../next.ts';
import { after, fact, named, type Phrase, quote, quoted } from '../phrase.ts';
import { count } from '../words.ts';

/** Exit codes whose meaning every reader knows. */
const plainCodes = new Set([0, 1, 2, 255]);

/** `exit code 137 (SIGKILL, killed, possibly for its liveness probe)`, as far as the facts tell; `undefined` where they do not. */
export function ending({ exitCode, exitReason = '', killingProbe, killedFor }: Facts): string | undefined {
  if (typeof exitCode !== 'number') return undefined;
  const probe = killedFor ?? killingProbe;
  const certain = killedFor !== undefined;
  return exitInWords(exitCode, String(exitReason), typeof probe === 'string' ? probe : undefined, certain);
}

/** ` with exit code 137 (SIGKILL, killed)`, nothing where it is not known. */
export function exit({ facts }: Case): string {
  const { exitCode, exitReason } = facts;
  const how = ending(facts);
  if (how === undefined) return '';
  return ` with ${plainCodes.has(Number(exitCode)) && exitReason !== 'OOMKilled' ? `exit code ${exitCode}` : how}`;
}

/** The Secret or ConfigMap that the finding names, and the key where only that is missing. */
function missing(about: Case): { readonly ref: Ref; readonly key?: string } | undefined {
  const [ref] = about.finding?.names ?? [];
  const key = fact(about, 'missingKey');
  if (ref === undefined || fact(about, 'missing') === undefined) return undefined;
  return key === undefined ? { ref } : { ref, key };
}

function withoutConfiguration(about: Case): string {
  const what = missing(about);
  if (what === undefined) return `has been unable to create container${named(about, 'container')}`;
  const { ref, key } = what;
  return key === undefined
    ? `has been waiting for ${describeRef(ref)}, which does not exist,`
    : `has been waiting for the key ${key}, which ${describeRef(ref)} does not have,`;
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

const crashFacts = ['container', 'image', 'restarts', 'limitOfKilled', 'node'] as const;

/** Containers that end, or do not begin. */
export const containerPhrases = {
  CrashLoopBackOff: {
    says: crashing,
    doing: (about) =>
      about.facts.exitCode === 0
        ? 'has kept exiting with code 0 and being restarted'
        : `has been crashing${exit(about)}`,
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
    doing: (about) =>
      fact(about, 'memoryLimit') === undefined
        ? 'has been running out of memory and being killed (it has no limit of its own)'
        : `has been exceeding its memory limit of${named(about, 'memoryLimit')} and being killed`,
    well: 'no longer runs out of memory',
    next: describePod,
    facts: ['container', 'image', 'restarts', 'node'],
  },
  StartError: {
    says: notStarted,
    doing: () => 'has been unable to start',
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
    doing: (about) =>
      `has not started container${named(about, 'container')} within the${named(about, 'startupBudgetSeconds')} s of its startup probe`,
    well: 'is starting again',
    next: logs,
    facts: ['image', 'restarts', 'node'],
  },
  InitContainerError: {
    says: (finding) =>
      finding.facts.podPhase === 'Failed'
        ? `${containerIn(finding)} failed with ${ending(finding.facts)}, and the pod may not try again.`
        : crashing(finding),
    doing: (about) => `has been failing in its init container${named(about, 'container')}${exit(about)}`,
    well: 'completes its init containers again',
    next: logs,
    facts: ['image', 'restarts', 'limitOfKilled', 'node'],
  },
  InitContainerWaiting: {
    says: (finding) =>
      `${containerIn(finding)} is still running and holds up the pod: it may be waiting for something.`,
    doing: (about) => `has been waiting for its init container${named(about, 'container')} to finish`,
    well: 'completes its init containers again',
    next: currentLogs,
    facts: ['image', 'node'],
  },
  CreateContainerConfigError: {
    says: notMade,
    doing: withoutConfiguration,
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
    doing: (about) => `has been unable to create container${named(about, 'container')}`,
    evidence: quoted('The runtime'),
    well: 'has its containers now',
    next: describePod,
    facts: ['image', 'node'],
  },
  ContainerCreating: {
    says: (finding) =>
      finding.facts.missing === undefined ? `${containerIn(finding)} ${stuckCreating(finding)}.` : notMade(finding),
    doing: (about) =>
      missing(about) === undefined
        ? `has been stuck creating container${named(about, 'container')}`
        : withoutConfiguration(about),
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
