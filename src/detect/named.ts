import type { Finding } from '../model/finding.ts';
import { earliest } from '../model/instants.ts';
import { describeRef, kindOf, nameOf, type Ref } from '../model/ref.ts';
import type { ObservedWorld } from '../world/world.ts';
import type { Declaration, Problem } from './detector.ts';

/**
 * A detector of what is not watched or not there: it judges an object by the findings whose texts name it. A kubelet's
 * "secret … not found" is an observation of the Secret.
 */
export type NamedDetector = Omit<Declaration, 'exemptions'> & {
  readonly judges: 'Registry' | 'Secret' | 'ConfigMap';
  /** `naming`: every finding that names the object, ordered by subject. */
  readonly judge: (ref: Ref, naming: readonly Finding[], world: ObservedWorld) => Problem | false;
};

/** One workload's trouble with an image is its own; the registry is judged by two. */
const minWorkloads = 2;

/** What several workloads say of a registry: why pulls fail, by `pullCause` of the findings. */
function registryRow(
  reason: 'RegistryUnreachable' | 'RegistryDenied',
  causes: readonly string[],
  predicate: string,
  says: string,
): NamedDetector {
  return {
    id: 'P6',
    judges: 'Registry',
    reason,
    edition: 'community',
    severity: 'high',
    settle: 'waits',
    source: 'the messages of failing pulls of two or more workloads',
    predicate,
    clears: 'fewer than two workloads fail to pull for it',
    judge: (ref, naming, world) => {
      const failing = naming.filter(({ facts }) => causes.includes(String(facts.pullCause)));
      const workloads = new Set(failing.map(({ subject }) => world.topOwner(subject.ref)));
      const first = failing[0];
      if (!first || workloads.size < minWorkloads) return false;
      const pods = new Set(failing.map(({ subject }) => subject.ref)).size;
      return {
        since: earliest(failing.map(({ since }) => since)),
        message: `The registry ${nameOf(ref)} ${says}: ${workloads.size} workloads cannot pull from it.`,
        facts: {
          registry: nameOf(ref),
          workloads: workloads.size,
          pods,
          pullCause: first.facts.pullCause ?? '',
          pullSays: first.facts.pullSays ?? '',
          pullError: first.facts.pullError ?? '',
        },
      };
    },
  };
}

function missingRow(
  judges: 'Secret' | 'ConfigMap',
  reason: 'SecretMissing' | 'ConfigMapMissing',
  source: string,
): NamedDetector {
  return {
    id: 'P8',
    judges,
    reason,
    edition: 'community',
    severity: 'high',
    settle: 'conclusive',
    source,
    predicate: `a container cannot be made because the ${judges} does not exist`,
    clears: `it exists, or no container asks for it any more`,
    judge: (ref, naming, world) => {
      // A missing key is a matter of who asks for it.
      const asking = naming.filter(({ facts }) => facts.missing !== undefined && facts.missingKey === undefined);
      if (asking.length === 0 || typeof world.get(ref) === 'object') return false;
      const pods = new Set(asking.map(({ subject }) => subject.ref)).size;
      return {
        since: earliest(asking.map(({ since }) => since)),
        message: `${describeRef(ref)} does not exist, and ${pods === 1 ? 'a pod needs' : `${pods} pods need`} it.`,
        facts: { pods, missing: describeRef(ref) },
      };
    },
  };
}

/** Every detector of named objects. */
export const namedDetectors: readonly NamedDetector[] = [
  registryRow(
    'RegistryUnreachable',
    ['certificate', 'dns', 'network', 'server'],
    'two or more workloads cannot pull from a registry because it cannot be reached, fails, or has no valid certificate',
    'cannot be reached or fails',
  ),
  registryRow(
    'RegistryDenied',
    ['denied', 'rateLimit'],
    'two or more workloads cannot pull from a registry because it refuses them',
    'refuses',
  ),
  missingRow('Secret', 'SecretMissing', 'the message of CreateContainerConfigError that names the Secret'),
  missingRow(
    'ConfigMap',
    'ConfigMapMissing',
    'the message of CreateContainerConfigError that names the ConfigMap; the ConfigMaps that a Pod in ContainerCreating needs',
  ),
];

/** Whether objects of this kind are judged by what names them. */
export function isJudgedByName(ref: Ref): boolean {
  return namedDetectors.some(({ judges }) => judges === kindOf(ref));
}
