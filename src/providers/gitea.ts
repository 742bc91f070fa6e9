import { fields } from './gitea/api.ts';
import { checkGitea } from './gitea/check.ts';
import { dialect, giteaIssues, maxTitleBytes } from './gitea/issues.ts';
import { defineProvider, issueSupports, soughtBy, tellTracker } from './kit.ts';

/** Gitea and Forgejo. Source: their API v1 (the server's own /swagger.v1.json), repos/{owner}/{repo}/issues. */
export const gitea = defineProvider({
  type: 'gitea',
  product: 'Gitea and Forgejo',
  family: 'tracker',
  plain: 'alert',
  description: 'Opens an issue for each incident in a repository on Gitea or Forgejo.',
  behaviour:
    'the first is an issue, updates and the resolution are comments on it, and a relapse reopens the issue with `closeOnResolve`, else it is a new issue that links the old one',
  supports: issueSupports,
  credentials: [
    'Create an access token with the scopes `write:issue`, `read:repository` and `read:user` (the last is optional: it makes looking an issue up quicker) for an account that may open issues in the repository.',
  ],
  notes: [
    'With `closeOnResolve` the end of an incident closes the issue, and a relapse within 15 minutes opens it again; one that a person closed or reopened is left as it is. Without it a person closes the issue when the work is done. The issue of a test is closed at once.',
    'An issue is found again by its last line, a comment that is not shown. Leave it in when you edit the text.',
    'Messages hold names and log lines of your cluster: use a private repository.',
  ],
  sample: {
    token: { secretKeyRef: { name: 'gitea', key: 'token' } },
    owner: 'acme',
    repo: 'operations',
    url: 'https://git.example.com',
  },
  fields,
  reaches: {
    assignees: {
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$',
      description: 'Name of an account that may be assigned.',
    },
  },
  limits: { title: { bytes: maxTitleBytes }, body: { utf16: dialect.max } },
  hosts: ['gitea.com'],
  pacing: { perSecond: 1, burst: 20 }, // no limit of its own; public servers are behind proxies that have some

  deliver: (attempt) => tellTracker(attempt, giteaIssues(attempt)),
  find: (attempt) => giteaIssues(attempt).find(soughtBy(attempt)),
  check: checkGitea,
});
