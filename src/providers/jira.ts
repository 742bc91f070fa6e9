import { reachJira } from './jira/api.ts';
import { checkJira } from './jira/check.ts';
import { fieldFlaws } from './jira/fields.ts';
import { jiraIssues, maxSummary, maxText } from './jira/issues.ts';
import { jiraActions, readBackJira } from './jira/read-back.ts';
import { defineProvider, httpUrl, openObject, secret, soughtBy, string, tellTracker } from './kit.ts';
import { LookUpFailed } from './provider.ts';

/** Jira Cloud (REST API 3) and Data Center (REST API 2). Source: developer.atlassian.com. */
export const jira = defineProvider({
  type: 'jira',
  product: 'Jira',
  family: 'tracker',
  plain: 'alert',
  description: 'Opens a Jira issue for each incident, in Cloud or Data Center.',
  behaviour:
    'the first is an issue, updates and the resolution are comments on it, and a relapse reopens the issue where both transitions are set, else it is a new issue that links the old one',
  supports: [
    'thread',
    { can: 'update', when: 'the severity changes' },
    { can: 'close', with: ['closeTransition'] },
    { can: 'reopen', with: ['closeTransition', 'reopenTransition'] },
    'dedup',
  ],
  credentials: [
    'Cloud: create an API token without scopes (id.atlassian.com, *Security*) and write the e-mail address of its account as `user`. A token with scopes works at `https://api.atlassian.com/ex/jira/<cloud id>` only; it needs `read:jira-work`, `write:jira-work` and `read:jira-user`.',
    'Data Center: `user` is the name of the account, and `apiToken` its password or a personal access token.',
  ],
  notes: [
    'The account needs the permissions *Browse Projects*, *Create Issues*, *Add Comments*, and for transitions *Transition Issues*. The priority follows the severity (Highest, High, Medium, Low) where the project has those names.',
    'Transitions are those of the workflow, by name or number, in upper or lower case; a test message shows whether `closeTransition` works. With `reopenTransition` as well a relapse within 15 minutes reopens the issue. Without them the resolution is a comment, and a person closes the issue.',
    'With `actions.readBack`, an issue whose status is of the category *In Progress* acknowledges its incident here within a minute or two, by its assignee; Tocsin needs the role [`config/actions`](../../../config/actions).',
    'An issue that somebody closed, reopened, moved to another project or deleted is left as it is.',
    'An issue is found again by its labels. Leave them when you edit the issue. What the create screen of the project requires besides, and components, labels or an assignee, are `fields`, as the REST API takes them: `fields: { customfield_10021: { value: Payments }, components: [{ name: api }] }`. Summary, description, project and type are Tocsin’s own.',
  ],
  flaws: ({ fields }) => fieldFlaws(fields),
  sample: {
    url: 'https://acme.atlassian.net',
    user: 'tocsin@example.com',
    apiToken: { secretKeyRef: { name: 'jira', key: 'token' } },
    projectKey: 'OPS',
    closeTransition: 'Done',
    reopenTransition: 'Reopen',
  },
  fields: {
    url: httpUrl({ required: true, description: 'Address of the site.' }),
    user: string({ required: true, description: 'E-mail address of the account (Cloud) or its name (Data Center).' }),
    apiToken: secret({
      required: true,
      description: 'API token (Cloud), password or personal access token (Data Center).',
    }),
    projectKey: string({ required: true, description: 'Key of the project, as in OPS-24.' }),
    issueType: string({ default: 'Task', description: 'Type of the issues.' }),
    fields: openObject({
      description:
        'Further fields of new issues, by their name in the REST API (customfield_10021), as it takes them, at most 50 and 16 KiB; labels are added to those of Tocsin.',
    }),
    closeTransition: string({ description: 'Transition that a resolution applies; by default it is a comment only.' }),
    reopenTransition: string({
      needs: 'closeTransition',
      description: 'Transition that a relapse applies; by default it is a new issue.',
    }),
    actions: jiraActions,
  },
  reaches: {
    assignees: {
      pattern: '^[A-Za-z0-9][A-Za-z0-9:@._-]{0,127}$',
      description:
        'Account id (Cloud) or name (Data Center); of several the first. `fields` of the provider go before it.',
    },
  },
  limits: { summary: { utf16: maxSummary }, description: { utf16: maxText }, comment: { utf16: maxText } },
  hosts: ['*.atlassian.net', 'api.atlassian.com'],
  pacing: { perSecond: 5, burst: 20 }, // Cloud takes 10 writes a second to one issue, and some 100 in all

  async deliver(attempt) {
    const reached = await reachJira(attempt, attempt.ref?.api);
    return 'failed' in reached ? reached.failed : tellTracker(attempt, jiraIssues(attempt, reached));
  },

  async find(attempt) {
    const reached = await reachJira(attempt);
    if ('failed' in reached) throw new LookUpFailed(reached.failed);
    return jiraIssues(attempt, reached).find(soughtBy(attempt));
  },

  readBack: readBackJira,
  check: checkJira,
});
