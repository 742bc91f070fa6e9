import { ofCalled } from './requirements/called.ts';
import { ofEdits } from './requirements/edit.ts';
import { ofNodes } from './requirements/node.ts';
import { ofPolicies } from './requirements/policy.ts';
import type { Requirement } from './requirements/requirement.ts';
import { ofVolumes } from './requirements/volumes.ts';
import { ofWebhooks } from './requirements/webhook.ts';

const all = { ...ofCalled, ...ofEdits, ...ofNodes, ...ofPolicies, ...ofVolumes, ...ofWebhooks };

/** Names of what a causal rule can require of a pair. */
export type RequirementName = keyof typeof all;

/** What a causal rule can require of a pair, by name. */
export const requirements: Readonly<Record<RequirementName, Requirement>> = all;
