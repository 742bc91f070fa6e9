import type { Rule } from './rule.ts';

/**
 * Why somebody outside alerts of what looks well from here: what it needs is down, or it was just released. Nobody sees the latency that the alert is
 * of, so that none of them is ever sure.
 */
export const alertRules: readonly Rule[] = [];
