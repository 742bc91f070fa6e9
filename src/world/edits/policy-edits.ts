import type { ChangeField } from '../../model/change-field.ts';
import { type NetworkPolicyView, selectedBy } from '../kinds/network/network-policy.ts';
import { type Direction, directions } from '../reading/direction.ts';
import { selectorText } from '../reading/label-selector.ts';

/** An edit of a network policy, with where managedFields records it. */
type PolicyEdit = {
  readonly field: ChangeField;
  /** Whose traffic the policy restricts, in words. */
  readonly parts?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly path: readonly string[];
};

/** Whether a policy lets through all that another did in a direction. */
function allowsAllOf(before: NetworkPolicyView, after: NetworkPolicyView, direction: Direction): boolean {
  const [was, is] = [before.allows[direction], after.allows[direction]];
  return is === undefined || (was?.every((rule) => is.includes(rule)) ?? false);
}

/** What was edited of a policy and can cut something off: one that lets through what it did, and more, cuts off nothing. */
export function editsOfPolicy(before: NetworkPolicyView, after: NetworkPolicyView): readonly PolicyEdit[] {
  const [from, to] = [selectorText(before.selector), selectorText(after.selector)];
  const edits: PolicyEdit[] = [];
  if (from !== to)
    edits.push({ field: 'selector', ...(from && to && { from, to }), path: ['f:spec', 'f:podSelector'] });
  const tightened = directions.filter((direction) => !allowsAllOf(before, after, direction));
  if (tightened.length > 0) edits.push({ field: 'policy', parts: [selectedBy(after)], path: ['f:spec'] });
  return edits;
}
