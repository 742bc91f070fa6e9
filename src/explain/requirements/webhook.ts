import { madeWithout } from '../evidence/ignored-webhooks.ts';
import type { Requirement } from '../evidence/requirement.ts';

/** Of what the API server asks others. */
export const ofWebhooks = {
  /** Its Pods were created while nothing served the webhook. */
  madeWithout: (effect, world, { ref }) => madeWithout(effect, world, ref),
} as const satisfies Readonly<Record<string, Requirement>>;
