import { exitInWords } from '../../model/exit-code.ts';
import { describeRef, type Ref } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { currentLogs, describePod, logs } from '../next.ts';
import { fact, named, type Phrase, quote } from '../phrase.ts';
import { kubectl } from '../words.ts';

/** Exit codes whose meaning every reader knows. */
const plainCodes = new Set([0, 1, 2, 255]);

/** ` with exit code 137 (SIGKILL, killed)`, nothing where it is not known. */
export function exit({ facts: { exitCode, exitReason, killingProbe } }: Case): string {
  if (typeof exitCode !== 'number') return '';
  const known = plainCodes.has(exitCode) && exitReason !== 'OOMKilled';
  return ` with ${known ? `exit code ${exitCode}` : exitInWords(exitCode, String(exitReason ?? ''), typeof killingProbe === 'string' ? killingProbe : undefined)}`;
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
  if (what === undefined) return `has not been able to make container${named(about, 'container')}`;
  const { ref, key } = what;
  return key === undefined
    ? `has been waiting for ${describeRef(ref)}, which does not exist,`
    : `has been waiting for the key ${key}, which ${describeRef(ref)} does not have,`;
}

const crashFacts = ['container', 'image', 'restarts', 'limitOfKilled', 'node'] as const;

/** Containers that end, or do not begin. */
export const containerPhrases = {
  CrashLoopBackOff: {
    doing: (about) =>
      about.facts.exitCode === 0
        ? 'has kept ending by itself (exit code 0) and being restarted'
        : `has been crashing${exit(about)}`,
    well: 'is running again',
    next: logs,
    facts: crashFacts,
  },
  OOMKilled: {
    doing: (about) =>
      fact(about, 'memoryLimit') === undefined
        ? 'has been running out of memory and being killed (it has no limit of its own)'
        : `has been running into its memory limit of${named(about, 'memoryLimit')} and being killed`,
    well: 'stays within its memory again',
    next: describePod,
    facts: ['container', 'image', 'restarts', 'node'],
  },
  StartError: {
    doing: () => 'has not been able to start',
    detail: ({ finding }) => finding?.message,
    well: 'starts again',
    next: describePod,
    facts: ['image', 'restarts', 'node'],
  },
  StartupProbeFailed: {
    doing: (about) =>
      `has not started container${named(about, 'container')} within the${named(about, 'startupBudgetSeconds')} s of its startup probe`,
    well: 'starts again',
    next: describePod,
    facts: ['image', 'restarts', 'node'],
  },
  InitContainerError: {
    doing: (about) => `has been failing in its init container${named(about, 'container')}${exit(about)}`,
    well: 'gets through its init containers again',
    next: logs,
    facts: ['image', 'restarts', 'limitOfKilled', 'node'],
  },
  InitContainerWaiting: {
    doing: (about) => `has been waiting for its init container${named(about, 'container')} to end`,
    well: 'gets through its init containers again',
    next: currentLogs,
    facts: ['image', 'node'],
  },
  CreateContainerConfigError: {
    doing: withoutConfiguration,
    detail: (about) => quote('The kubelet', about, 'configError'),
    well: 'has its configuration now',
    // The keys of a Secret by name and size, never their values.
    next: (about) => {
      const what = missing(about);
      if (what?.key === undefined) return describePod(about);
      return kubectl(`describe ${what.ref.startsWith('Secret/') ? 'secret' : 'configmap'}`, what.ref);
    },
    facts: ['container'],
  },
  CreateContainerError: {
    doing: (about) => `has not been able to create container${named(about, 'container')}`,
    detail: (about) => quote('The runtime', about, 'createError'),
    well: 'has its containers now',
    next: describePod,
    facts: ['image', 'node'],
  },
  ContainerCreating: {
    doing: (about) =>
      missing(about) === undefined
        ? `has been stuck creating container${named(about, 'container')}`
        : withoutConfiguration(about),
    detail: (about) =>
      missing(about) === undefined
        ? 'Mostly it is a volume, the network or a very large image: the events of the pod tell.'
        : undefined,
    well: 'has its containers now',
    next: describePod,
    facts: ['image', 'node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
