/** Judges of pagers and phones. */
import type { Judge } from './judge.ts';

/** Type → judges. */
export const pagers: Readonly<Record<string, readonly Judge[]>> = {
  pagerduty: [
    {
      of: /^POST events\.(?:eu\.)?pagerduty\.com\/v2\/enqueue$/,
      by: '@pagerduty/pdjs',
      says: 'the event',
      type: 'pagerdutyEvent',
    },
  ],
  messagebird: [
    {
      of: /^POST rest\.messagebird\.com\/messages$/,
      by: 'messagebird',
      says: 'the message, for keys of the old platform',
      type: 'messagebirdMessage',
    },
    {
      of: /^POST [a-z]+\d\.platform\.bird\.com\/v1\/sms\/messages$/,
      by: '@messagebird/sdk',
      says: 'the message, for keys of the new one',
      type: 'birdMessage',
    },
  ],
};
