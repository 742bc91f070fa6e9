import { type Ref, refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, messageOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

type PolicyKind = 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';
type BindingKind = `${PolicyKind}Binding`;

/** A policy in CEL: admissionregistration.k8s.io ValidatingAdmissionPolicy or MutatingAdmissionPolicy. */
export type AdmissionPolicyView<K extends PolicyKind = PolicyKind> = Meta & {
  readonly kind: K;
  /** The kind of its parameters, `v1 ConfigMap`; absent: it has none. */
  readonly paramKind?: string;
  /** The generation that the warnings are of. */
  readonly observedGeneration: number;
  /** Expressions that cannot be what was meant (`status.typeChecking`), at most ten. */
  readonly warnings: readonly { readonly field: string; readonly warning: string }[];
};

/** Where a policy applies: its binding. */
export type AdmissionPolicyBindingView<K extends BindingKind = BindingKind> = Meta & {
  readonly kind: K;
  readonly policy: Ref;
  /** The one object that holds its parameters, where it is named. */
  readonly param?: { readonly name: string; readonly namespace?: string };
  /** Without its parameters everything it is about is refused. */
  readonly deniesWithoutParam: boolean;
};

const maxWarnings = 10;

function policyRow<K extends PolicyKind>(kind: K, plural: string, versions: readonly [string, ...string[]]) {
  const project = (raw: Fields): AdmissionPolicyView<K> => {
    const status = fieldsOf(raw.status);
    const warnings = listOf(fieldsOf(status.typeChecking).expressionWarnings).slice(0, maxWarnings);
    const { apiVersion, kind: paramKind } = fieldsOf(fieldsOf(raw.spec).paramKind);
    const params = textOf(paramKind);
    return {
      ...metaOf(kind, raw),
      kind,
      observedGeneration: Number(status.observedGeneration ?? 0),
      warnings: warnings.map(({ fieldRef, warning }) => ({
        field: textOf(fieldRef) ?? '',
        warning: messageOf(warning),
      })),
      ...given({ paramKind: params === undefined ? undefined : `${textOf(apiVersion) ?? ''} ${params}` }),
    };
  };
  return {
    group: 'admissionregistration.k8s.io',
    versions,
    plural,
    kind,
    namespaced: false,
    withoutManagedFields: true,
    project,
  } satisfies WatchedKind<AdmissionPolicyView<K>>;
}

function bindingRow<K extends PolicyKind>(policyKind: K, plural: string, versions: readonly [string, ...string[]]) {
  const kind = `${policyKind}Binding` as const;
  const project = (raw: Fields): AdmissionPolicyBindingView<`${K}Binding`> => {
    const spec = fieldsOf(raw.spec);
    const { name, namespace, parameterNotFoundAction } = fieldsOf(spec.paramRef);
    const param = textOf(name);
    return {
      ...metaOf(kind, raw),
      kind,
      policy: refOf(policyKind, '', textOf(spec.policyName) ?? ''),
      deniesWithoutParam: parameterNotFoundAction !== 'Allow',
      ...given({
        param: param === undefined ? undefined : { name: param, ...given({ namespace: textOf(namespace) }) },
      }),
    };
  };
  return {
    group: 'admissionregistration.k8s.io',
    versions,
    plural,
    kind,
    namespaced: false,
    withoutManagedFields: true,
    project,
    links: ({ policy }: AdmissionPolicyBindingView) => [{ type: 'applies' as const, to: policy }],
  } satisfies WatchedKind<AdmissionPolicyBindingView<`${K}Binding`>>;
}

const validating = ['v1', 'v1beta1'] as const;
const mutating = ['v1', 'v1beta1', 'v1alpha1'] as const;

/** admissionregistration.k8s.io ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicies: WatchedKind<AdmissionPolicyView<'ValidatingAdmissionPolicy'>> = {
  ...policyRow('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', validating),
  judgedBy: ['ValidatingAdmissionPolicyBinding'],
};
/** admissionregistration.k8s.io ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindings = bindingRow(
  'ValidatingAdmissionPolicy',
  'validatingadmissionpolicybindings',
  validating,
);
/** admissionregistration.k8s.io MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicies: WatchedKind<AdmissionPolicyView<'MutatingAdmissionPolicy'>> = {
  ...policyRow('MutatingAdmissionPolicy', 'mutatingadmissionpolicies', mutating),
  judgedBy: ['MutatingAdmissionPolicyBinding'],
};
/** admissionregistration.k8s.io MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindings = bindingRow(
  'MutatingAdmissionPolicy',
  'mutatingadmissionpolicybindings',
  mutating,
);
