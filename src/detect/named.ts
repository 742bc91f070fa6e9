import type { Finding } from '../model/finding.ts';
import { describeRef, kindOf, type Ref } from '../model/ref.ts';
import type { NamedDetector } from './detector.ts';
import { nodeGroupDetectors } from './node-group.ts';
import { registryDetectors } from './registry.ts';

/** A missing key is a matter of who asks for it. */
const asksFor = ({ facts }: Finding): boolean => facts.missing !== undefined && facts.missingKey === undefined;

function missingRow(
  judges: 'Secret' | 'ConfigMap',
  reason: 'SecretMissing' | 'ConfigMapMissing',
  source: string,
): NamedDetector {
  return {
    id: 'P8',
    judges,
    reasons: [{ reason, family: 'named', sure: 'high' }],
    edition: 'Community',
    severity: 'high',
    settle: 'conclusive',
    source,
    predicate: `a container cannot be made because the ${judges} does not exist`,
    clears: `it exists, or no container asks for it any more`,
    symptom: 'start',
    patience: 'not at all: the Pods that ask for it have waited',
    isNot: `a ${judges} that nobody asks for, or only as optional`,
    judge: (ref, naming, world) => {
      if (typeof world.get(ref) === 'object') return false;
      let [pods, since] = [0, Number.POSITIVE_INFINITY];
      for (const findings of naming.values()) {
        let asks = false;
        for (const finding of findings) {
          if (!asksFor(finding)) continue;
          asks = true;
          if (finding.since < since) since = finding.since;
        }
        if (asks) pods += 1;
      }
      return pods > 0 && { since, facts: { pods, missing: describeRef(ref) } };
    },
  };
}

/** Every detector of named objects. */
export const namedDetectors: readonly NamedDetector[] = [
  missingRow('Secret', 'SecretMissing', 'the message of CreateContainerConfigError that names the Secret'),
  missingRow(
    'ConfigMap',
    'ConfigMapMissing',
    'the message of CreateContainerConfigError that names the ConfigMap; the ConfigMaps that a Pod in ContainerCreating needs',
  ),
  ...registryDetectors,
  ...nodeGroupDetectors,
];

/** Whether objects of this kind are judged by what names them. */
export function isJudgedByName(ref: Ref): boolean {
  return namedDetectors.some(({ judges }) => judges === kindOf(ref));
}
