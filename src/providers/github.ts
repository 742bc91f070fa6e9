import { fields } from './github/api.ts';
import { checkGithub } from './github/check.ts';
import { dialect, githubIssues, maxTitle } from './github/issues.ts';
import { defineProvider, issueSupports, soughtBy, tellTracker } from './kit.ts';

/** GitHub, github.com or a server of one's own. Source: docs.github.com/rest/issues, version 2022-11-28. */
export const github = defineProvider({
  type: 'github',
  product: 'GitHub',
  family: 'tracker',
  plain: 'alert',
  description: 'Opens a GitHub issue for each incident.',
  behaviour:
    'the first is an issue, updates and the resolution are comments on it, and a relapse reopens the issue with `closeOnResolve`, else it is a new issue that links the old one',
  supports: issueSupports,
  credentials: [
    'Create a fine-grained token for the repository with the permission *Issues: Read and write*, or a classic one with the scope `repo`; the token of an installed app works as well.',
  ],
  notes: [
    'Issues get the labels `tocsin` and `severity:…` where the account of the token may set labels (triage or write access to the repository); without that GitHub drops them silently, and everything else works.',
    'With `closeOnResolve` the end of an incident closes the issue as completed, and a relapse within 15 minutes opens it again; one that a person closed or reopened is left as it is. Without it a person closes the issue when the work is done. The issue of a test is closed at once.',
    'An issue is found again by its last line, a comment that is not shown. Leave it in when you edit the text.',
    'Messages hold names and log lines of your cluster: use a private repository.',
  ],
  sample: {
    token: { secretKeyRef: { name: 'github', key: 'token' } },
    owner: 'acme',
    repo: 'operations',
  },
  fields,
  reaches: {
    assignees: {
      pattern: '^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}$',
      description: 'Login of an account that may be assigned.',
    },
  },
  limits: { title: { utf16: maxTitle }, body: { utf16: dialect.max } },
  hosts: ['api.github.com', 'github.com', '*.ghe.com'],
  pacing: { perSecond: 0.13, burst: 20 }, // GitHub takes about 80 new texts a minute and 500 an hour

  deliver: (attempt) => tellTracker(attempt, githubIssues(attempt)),
  find: (attempt) => githubIssues(attempt).find(soughtBy(attempt)),
  check: checkGithub,
});
