import { agentRules } from './agent-rules.ts';
import { calledEditRules } from './called-edit-rules.ts';
import { calledRules } from './called-rules.ts';
import { editRules } from './edit-rules.ts';
import { needRules } from './need-rules.ts';
import { nodeRules } from './node-rules.ts';
import type { Rule } from './rule.ts';
import { statedRules } from './stated-rules.ts';
import { storageRules } from './storage-rules.ts';

/** The causal rules. Adding one is adding a row, a scenario that shows it and one that shows when it must not apply. */
export const causalRules: readonly Rule[] = [
  // What is stated comes before what several only have in common: of equals the first counts.
  ...statedRules,
  ...nodeRules,
  ...storageRules,
  ...agentRules,
  ...editRules,
  ...needRules,
  ...calledRules,
  ...calledEditRules,
];
