import { madeWithout } from '../evidence/ignored-webhooks.ts';
import type { Requirement } from '../evidence/requirement.ts';

/** Of what the API server asks others. */
export const ofWebhooks = {
  /** A webhook was asked about it, and refused it. */
  isDeniedByWebhook: ({ detail = '' }) => /admission webhook "[^"]{1,253}" denied the request/.test(detail),
  /** Its Pods were created while nothing served the webhook. */
  madeWithout: (effect, world, { ref }) => madeWithout(effect, world, ref),
} as const satisfies Readonly<Record<string, Requirement>>;
