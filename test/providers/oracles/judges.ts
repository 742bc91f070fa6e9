/** All judges, and what has none. */
import { chats } from './chats.ts';
import { clouds } from './clouds.ts';
import { forges } from './forges.ts';
import type { Judge, Unjudged } from './judge.ts';
import { mails } from './mails.ts';
import { pagers } from './pagers.ts';

/** Type → judges. */
export const judges: Readonly<Record<string, readonly Judge[]>> = {
  ...chats,
  ...pagers,
  ...mails,
  ...forges,
  ...clouds,
};

/** Type → requests of judged types that none of their judges knows. */
export const unjudged: Readonly<Record<string, readonly Unjudged[]>> = {
  slack: [
    { of: /^POST slack(?:-gov)?\.com\/api\/auth\.test$/, why: 'takes no arguments' },
    { of: /^POST hooks\.slack\.com\/services\//, why: 'the check sends what is no message on purpose' },
  ],
  telegram: [{ of: /\/getMe$/, why: 'takes no arguments' }],
  teams: [{ of: /^POST /, why: 'the check sends what is no message on purpose' }],
  teamsworkflows: [{ of: /^POST /, why: 'the check sends what is no message on purpose' }],
  jira: [
    {
      of: /^P[A-Z]+ .*\/rest\/api\/[23]\//,
      why: 'fields, searches, transitions, and the markup of Jira Data Center: what there is (jira.js 6.2.0) is 55 MB and calls fields a record of anything',
    },
  ],
};
