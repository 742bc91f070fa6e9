import type { Finding } from '../../model/finding.ts';
import type { World } from '../../world/view/world.ts';
import type { Requirements, Requires, Suspect } from '../evidence/requirement.ts';
import { ofCalled } from './called.ts';
import { ofEdits } from './edit.ts';
import { ofNodes } from './node.ts';
import { ofPolicies } from './policy.ts';

/** What a causal rule can require of a pair, by name. */
export const requirements: Requirements<keyof Requires> = { ...ofCalled, ...ofEdits, ...ofNodes, ...ofPolicies };

/** Whether all that a row requires holds of an effect and its suspect. */
export function holds(requires: Requires, effect: Finding, world: World, suspect: Suspect): boolean {
  const isSo = <Name extends keyof Requires>(name: Name): boolean => {
    const asked = requires[name];
    return asked === undefined || requirements[name](effect, world, suspect, asked);
  };
  return (Object.keys(requires) as (keyof Requires)[]).every(isSo);
}
