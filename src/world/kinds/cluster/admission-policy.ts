import { type Ref, refOf } from '../../../model/ref.ts';
import { fieldsOf, given, listOf, messageOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

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

/** What both kinds of policies, and of their bindings, are watched as. */
const rows = { group: 'admissionregistration.k8s.io', namespaced: false } as const;
const versionsOf = {
  ValidatingAdmissionPolicy: ['v1', 'v1beta1'],
  MutatingAdmissionPolicy: ['v1', 'v1beta1', 'v1alpha1'],
} as const;

function policyRow<K extends PolicyKind>(kind: K): WatchedKind<AdmissionPolicyView<K>> {
  return watched({
    ...rows,
    versions: versionsOf[kind],
    plural: kind.toLowerCase().replace(/y$/, 'ies'),
    kind,
    fields({ spec, status }) {
      const warnings = listOf(fieldsOf(status.typeChecking).expressionWarnings).slice(0, maxWarnings);
      const { apiVersion, kind: paramKind } = fieldsOf(spec.paramKind);
      const params = textOf(paramKind);
      return {
        observedGeneration: Number(status.observedGeneration ?? 0),
        warnings: warnings.map(({ fieldRef, warning }) => ({
          field: textOf(fieldRef) ?? '',
          warning: messageOf(warning),
        })),
        ...given({ paramKind: params === undefined ? undefined : `${textOf(apiVersion) ?? ''} ${params}` }),
      };
    },
    judgedBy: [`${kind}Binding`],
  });
}

function bindingRow<K extends PolicyKind>(policyKind: K): WatchedKind<AdmissionPolicyBindingView<`${K}Binding`>> {
  return watched({
    ...rows,
    versions: versionsOf[policyKind],
    kind: `${policyKind}Binding`,
    fields({ spec }) {
      const { name, namespace, parameterNotFoundAction } = fieldsOf(spec.paramRef);
      const param = textOf(name);
      return {
        policy: refOf(policyKind, '', textOf(spec.policyName) ?? ''),
        deniesWithoutParam: parameterNotFoundAction !== 'Allow',
        ...given({
          param: param === undefined ? undefined : { name: param, ...given({ namespace: textOf(namespace) }) },
        }),
      };
    },
    links: ({ policy }) => [{ type: 'applies', to: policy }],
  });
}

/** admissionregistration.k8s.io ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicies = policyRow('ValidatingAdmissionPolicy');
/** admissionregistration.k8s.io ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindings = bindingRow('ValidatingAdmissionPolicy');
/** admissionregistration.k8s.io MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicies = policyRow('MutatingAdmissionPolicy');
/** admissionregistration.k8s.io MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindings = bindingRow('MutatingAdmissionPolicy');
