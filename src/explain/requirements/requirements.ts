import type { Requirement } from '../evidence/requirement.ts';
import { ofCalled } from './called.ts';
import { ofEdits } from './edit.ts';
import { ofNodes } from './node.ts';
import { ofPolicies } from './policy.ts';

const all = { ...ofCalled, ...ofEdits, ...ofNodes, ...ofPolicies };

/** Names of what a causal rule can require of a pair. */
export type RequirementName = keyof typeof all;

/** What a causal rule can require of a pair, by name. */
export const requirements: Readonly<Record<RequirementName, Requirement>> = all;
