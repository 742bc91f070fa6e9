import { maxComment } from '../message/render/clickup-comment.ts';
import { checkClickup } from './clickup/check.ts';
import { clickupTasks, dialect, maxName } from './clickup/tasks.ts';
import { defineProvider, integer, secret, soughtBy, string, tellTracker } from './kit.ts';

/** ClickUp. Source: developer.clickup.com, API 2: tasks, comments, lists, rate limits. */
export const clickup = defineProvider({
  type: 'clickup',
  product: 'ClickUp',
  family: 'tracker',
  plain: 'alert',
  description: 'Opens a task in a ClickUp list for each incident.',
  behaviour:
    'the first is a task, updates and the resolution are comments on it, and a relapse reopens the task where both statuses are set, else it is a new task that links the old one',
  supports: [
    'thread',
    { can: 'update', when: 'the severity changes' },
    { can: 'close', with: ['closeStatus'] },
    { can: 'reopen', with: ['closeStatus', 'reopenStatus'] },
    'dedup',
  ],
  credentials: [
    'Create a personal token under *Settings*, *Apps* (`pk_…`) for an account that may create tasks in the list; the number of the list is in its address.',
  ],
  notes: [
    'Statuses are those of the list, in upper or lower case. With `closeStatus` a resolution closes the task; with `reopenStatus` as well a relapse within 15 minutes opens it again. Without them the resolution is a comment, and a person closes the task.',
    'A task that somebody moved to another list, closed or deleted is left as it is.',
    'A task is found again by the last line of its description. Leave it in when you edit the text.',
  ],
  sample: {
    token: { secretKeyRef: { name: 'clickup', key: 'token' } },
    listId: '901100200300',
    closeStatus: 'complete',
    reopenStatus: 'to do',
  },
  fields: {
    token: secret({ required: true, description: 'Personal token (pk_…) or access token of an app.' }),
    listId: string({ required: true, orNumber: true, description: 'Number of the list that tasks are created in.' }),
    priority: integer({
      min: 1,
      max: 4,
      description: 'Priority, 1 urgent to 4 low; by default it follows the severity.',
    }),
    closeStatus: string({ description: 'Status a resolution moves the task to; by default it is a comment only.' }),
    reopenStatus: string({
      needs: 'closeStatus',
      description: 'Status a relapse moves the task to; by default it is a new task.',
    }),
  },
  reaches: { assignees: { pattern: '^[1-9][0-9]{0,14}$', description: 'Number of a member of the workspace.' } },
  limits: { name: { utf16: maxName }, body: { utf16: dialect.max }, comment: { utf16: maxComment } },
  hosts: ['api.clickup.com'],
  pacing: { perSecond: 0.5, burst: 10 }, // 100 requests a minute on most plans, up to three for a delivery

  deliver: (attempt) => tellTracker(attempt, clickupTasks(attempt)),
  find: (attempt) => clickupTasks(attempt).find(soughtBy(attempt)),
  check: checkClickup,
});
