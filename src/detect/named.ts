import type { Finding } from '../model/finding.ts';
import { loggedReasons } from '../model/logged-reasons.ts';
import type { Reason } from '../model/reason.ts';
import { describeRef, kindOf, type Ref } from '../model/ref.ts';
import { given } from '../world/reading/fields.ts';
import type { ObservedWorld } from '../world/view/world.ts';
import { signerDetector } from './control/certificate-request.ts';
import { eventStorm } from './control/unusual-events.ts';
import { operatorsFor } from './kit/controllers.ts';
import type { NamedDetector, Naming } from './kit/detector.ts';
import { quotaShortage, refusedKind } from './kit/missing.ts';
import { addressDetectors } from './nodes/addresses.ts';
import { nodeGroupDetectors } from './nodes/node-group.ts';
import { capacityDetectors } from './placement/capacity.ts';
import { scaleUpFailed } from './placement/scale-up.ts';
import { calledDetectors } from './several/called.ts';
import { registryDetectors } from './several/registry.ts';

/** A missing key is a matter of who asks for it. */
const asksFor = ({ facts }: Finding): boolean => facts.missing !== undefined && facts.missingKey === undefined;

/** Who runs on without it tells since when it is gone, and asks for it at its next start only. */
const runsWithout = ({ reason }: Finding): boolean => reason === 'ProjectedReferenceMissing';

/** Custom resources of one Secret that are looked at: as a rule there is one. */
const makersAsked = 8;

/** Who may make a Secret from the custom resources that are there for it. */
function operatorsOf(secret: Ref, world: ObservedWorld): readonly Ref[] {
  const kinds = new Set([...world.linked(secret, 'makes', 'in', makersAsked)].map(kindOf));
  return kinds.size > 0 ? operatorsFor([...kinds], world) : [];
}

function missingRow(
  judges: 'Secret' | 'ConfigMap',
  reason: 'SecretMissing' | 'ConfigMapMissing',
  source: string,
): NamedDetector {
  return {
    id: 'P8',
    judges,
    reasons: [{ reason, family: 'named', sure: 'high' }],
    severity: 'high',
    settle: 'conclusive',
    source,
    predicate: `a container cannot be made${judges === 'Secret' ? ', or its image not pulled,' : ''} because the ${judges} does not exist`,
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
          if (!asksFor(finding) && !runsWithout(finding)) continue;
          asks ||= asksFor(finding);
          if (finding.since < since) since = finding.since;
        }
        if (asks) pods += 1;
      }
      const names = judges === 'Secret' ? operatorsOf(ref, world) : [];
      return pods > 0 && { since, facts: { pods, missing: describeRef(ref) }, names };
    },
  };
}

const isSaid = (reason: Reason): boolean => loggedReasons.includes(reason);

/** Of those who name an object the first by name, and since when the first of them does. */
function firstNaming(naming: Naming): { readonly finding: Finding; readonly since: number } | undefined {
  let first: { finding: Finding; since: number } | undefined;
  for (const findings of naming.values())
    for (const finding of findings) {
      // What a program says of it is for the rows of what programs say.
      if (isSaid(finding.reason)) continue;
      const since = first === undefined || finding.since < first.since ? finding.since : first.since;
      first = { finding: !first || finding.subject.ref < first.finding.subject.ref ? finding : first.finding, since };
    }
  return first;
}

/** What admission asks for by name, and refuses to make a Pod without. */
function requiredRow(
  judges: 'ServiceAccount' | 'PriorityClass' | 'RuntimeClass',
  reason: 'ServiceAccountMissing' | 'PriorityClassMissing' | 'RuntimeClassMissing',
  says: string,
): NamedDetector {
  return {
    id: 'G21',
    judges,
    reasons: [{ reason, family: 'named', sure: 'high' }],
    severity: 'high',
    settle: 'conclusive',
    source: `the texts of failed creates: ${says}`,
    predicate: `Pods are refused because the ${judges} that they name does not exist`,
    clears: 'it exists, or no Pods are refused for it any more',
    symptom: 'start',
    patience: 'not at all: the controllers that ask for it have waited',
    isNot: `a ${judges} that nobody asks for`,
    judge: (ref, naming, world) => {
      const first = firstNaming(naming);
      if (first === undefined || typeof world.get(ref) === 'object') return false;
      return { since: first.since, facts: { workloads: naming.size, missing: describeRef(ref) } };
    },
  };
}

const quotaExceeded: NamedDetector = {
  id: 'G10',
  judges: 'ResourceQuota',
  reasons: [{ reason: 'QuotaExceeded', family: 'named', sure: 'high' }],
  severity: 'high',
  settle: 'conclusive',
  source:
    'the texts of failed creates: "exceeded quota: <name>, requested: …, used: …, limited: …", "failed quota: <name>"',
  predicate: 'a quota refuses what controllers want to make',
  clears: 'nothing is refused for it any more',
  symptom: 'scaling',
  patience: 'not at all: the controllers that are refused have waited',
  isNot: 'a quota that is used up while nobody wants more',
  judge: (_, naming) => {
    const first = firstNaming(naming);
    if (first === undefined) return false;
    const { detail = '' } = first.finding;
    const shortage = quotaShortage(detail);
    return {
      since: first.since,
      detail,
      facts: { workloads: naming.size, ...given({ shortage, refuses: refusedKind(detail) }) },
    };
  },
};

/** Every detector of named objects. */
export const namedDetectors: readonly NamedDetector[] = [
  missingRow(
    'Secret',
    'SecretMissing',
    'the message of CreateContainerConfigError that names the Secret; the Event FailedToRetrieveImagePullSecret where a registry refuses',
  ),
  missingRow(
    'ConfigMap',
    'ConfigMapMissing',
    'the message of CreateContainerConfigError that names the ConfigMap; the ConfigMaps that a Pod in ContainerCreating needs',
  ),
  ...registryDetectors,
  ...calledDetectors,
  ...nodeGroupDetectors,
  ...addressDetectors,
  ...capacityDetectors,
  requiredRow('ServiceAccount', 'ServiceAccountMissing', 'serviceaccount "<name>" not found'),
  requiredRow('PriorityClass', 'PriorityClassMissing', 'no PriorityClass with name <name> was found'),
  requiredRow('RuntimeClass', 'RuntimeClassMissing', 'pod rejected: RuntimeClass "<name>" not found'),
  quotaExceeded,
  signerDetector,
  eventStorm,
  scaleUpFailed,
];

/** Whether objects of this kind are judged by what names them. */
export function isJudgedByName(ref: Ref): boolean {
  return namedDetectors.some(({ judges }) => judges === kindOf(ref));
}
