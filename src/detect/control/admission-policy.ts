import { nameOf, refOf } from '../../model/ref.ts';
import type { AdmissionPolicyBindingView, AdmissionPolicyView } from '../../world/kinds/cluster/admission-policy.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Judgement } from '../kit/detector.ts';

const row = {
  id: 'G7',
  edition: 'Pro',
  symptom: 'controlPlane',
  severity: 'medium',
  settle: 'conclusive',
} as const;

const policyRow = {
  ...row,
  reasons: [{ reason: 'AdmissionPolicyInvalid', family: 'config', sure: 'high' }],
  source: 'admissionregistration.k8s.io status.typeChecking.expressionWarnings, of the newest generation',
  predicate: 'the API server finds an expression of a policy wrong for a kind that it is about',
  clears: 'the expression is right',
  patience: 'no wait: the API server has checked it',
  isNot: 'warnings of an older generation',
} as const;

const bindingRow = {
  ...row,
  reasons: [
    { reason: 'AdmissionPolicyMissing', family: 'config', sure: 'high' },
    { reason: 'AdmissionParamMissing', family: 'config', sure: 'high' },
  ],
  forSeconds: 20,
  source: 'admissionregistration.k8s.io spec.policyName and spec.paramRef of a binding',
  predicate:
    'a binding names a policy that does not exist, or a ConfigMap of parameters that does not (high: without it, it refuses)',
  clears: 'it exists, or the binding names another',
  patience: '20 s: both are made one after the other',
  isNot: 'policies and parameters that cannot be seen; parameters that are chosen by labels',
} as const;

function wrongExpression({ warnings, observedGeneration, generation }: AdmissionPolicyView): Judgement {
  const [first] = warnings;
  if (!first || observedGeneration < generation) return false;
  return { since: 'observed', detail: first.warning, facts: { field: first.field, warnings: warnings.length } };
}

/** Nothing of a ConfigMap makes anybody judge the bindings that name it (ms). */
const paramLookMs = 60_000;

function missingPart(binding: AdmissionPolicyBindingView, world: ObservedWorld, now: number): Judgement {
  const policy = world.get(binding.policy);
  if (policy === 'absent')
    return { reason: 'AdmissionPolicyMissing', since: 'observed', facts: { policy: nameOf(binding.policy) } };
  if (policy === 'unknown' || !('paramKind' in policy) || policy.paramKind !== 'v1 ConfigMap') return false;
  const { param } = binding;
  if (param?.namespace === undefined) return false;
  const lookAgainAt = now + paramLookMs;
  if (world.get(refOf('ConfigMap', param.namespace, param.name)) !== 'absent') return { lookAgainAt };
  return {
    ...{ reason: 'AdmissionParamMissing', since: 'observed', lookAgainAt },
    severity: binding.deniesWithoutParam ? 'high' : 'low',
    facts: {
      policy: nameOf(binding.policy),
      param: `ConfigMap ${param.namespace}/${param.name}`,
      paramNamespace: param.namespace,
    },
  };
}

/** Policies in CEL and their bindings. */
export const admissionPolicyDetectors: readonly Detector[] = [
  detector({ ...policyRow, judges: 'ValidatingAdmissionPolicy', judge: wrongExpression }),
  detector({ ...policyRow, judges: 'MutatingAdmissionPolicy', judge: wrongExpression }),
  detector({
    ...bindingRow,
    judges: 'ValidatingAdmissionPolicyBinding',
    reads: ['ValidatingAdmissionPolicy', 'ConfigMap'],
    judge: missingPart,
  }),
  detector({
    ...bindingRow,
    judges: 'MutatingAdmissionPolicyBinding',
    reads: ['MutatingAdmissionPolicy', 'ConfigMap'],
    judge: missingPart,
  }),
];
