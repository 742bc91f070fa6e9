import { numberHash } from '../../../model/hash.ts';
import type { Direction } from '../../reading/direction.ts';
import { given, listOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type LabelSelector, labelSelectorOf, selectorText } from '../../reading/label-selector.ts';
import type { Meta } from '../../reading/meta.ts';

/** networking.k8s.io/v1 NetworkPolicy. */
export type NetworkPolicyView = Meta & {
  readonly kind: 'NetworkPolicy';
  /** The Pods of its namespace that it is about; the empty selector is all of them. */
  readonly selector: LabelSelector;
  /** What it lets through in each direction that it restricts, a hash per rule. Absent: it does not restrict that direction. */
  readonly allows: { readonly [direction in Direction]?: readonly number[] };
};

const types: Readonly<Record<Direction, string>> = { ingress: 'Ingress', egress: 'Egress' };
const everyPod: LabelSelector = { labels: {}, expressions: [] };

const hashesOf = (rules: unknown): readonly number[] => listOf(rules).map((rule) => numberHash(JSON.stringify(rule)));

/** Whose traffic it restricts, in words: `all Pods of its namespace`, `Pods with app=api`. */
export function selectedBy({ selector }: NetworkPolicyView): string {
  const text = selectorText(selector);
  return text === '' ? 'all Pods of its namespace' : `Pods with ${text}`;
}

/** networking.k8s.io/v1 NetworkPolicy: never a finding, but an edit of it can be why Pods fail (`policy-edits.ts`). */
export const networkPolicies: WatchedKind<NetworkPolicyView> = watched({
  group: 'networking.k8s.io',
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  managedFields: true,
  fields({ spec }) {
    const named = Array.isArray(spec.policyTypes) ? spec.policyTypes : ['Ingress', ...(spec.egress ? ['Egress'] : [])];
    const allowed = (direction: Direction): readonly number[] | undefined =>
      named.includes(types[direction]) ? hashesOf(spec[direction]) : undefined;
    return {
      selector: labelSelectorOf(spec.podSelector) ?? everyPod,
      allows: given({ ingress: allowed('ingress'), egress: allowed('egress') }),
    };
  },
  selector: ({ selector }) => selector,
});
