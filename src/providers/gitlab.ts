import { fields } from './gitlab/api.ts';
import { checkGitlab } from './gitlab/check.ts';
import { dialect, gitlabIssues, maxTitle } from './gitlab/issues.ts';
import { defineProvider, issueSupports, soughtBy, tellTracker } from './kit.ts';

/** GitLab, gitlab.com or a server of one's own. Source: docs.gitlab.com/api/issues, /api/notes. */
export const gitlab = defineProvider({
  type: 'gitlab',
  product: 'GitLab',
  family: 'tracker',
  plain: 'alert',
  description: 'Opens a GitLab issue for each incident.',
  behaviour:
    'the first is an issue, updates and the resolution are notes on it, and a relapse reopens the issue with `closeOnResolve`, else it is a new issue that links the old one',
  supports: issueSupports,
  credentials: [
    'Create a project access token with the scope `api` and the role Reporter or higher; a personal or group token works as well. Tokens expire: renew them in time.',
    'Write the project by its number (on its front page, or in *Settings*); a path works unless a proxy in front of the server decodes `%2F`.',
  ],
  notes: [
    'Issues get the labels `tocsin` and `severity::…`.',
    'With `closeOnResolve` the end of an incident closes the issue, and a relapse within 15 minutes opens it again; one that a person closed or reopened is left as it is. Without it a person closes the issue when the work is done. The issue of a test is closed at once.',
    'An issue is found again by its last line, a comment that is not shown. Leave it in when you edit the text.',
    'Messages hold names and log lines of your cluster: use a private project.',
  ],
  sample: {
    token: { secretKeyRef: { name: 'gitlab', key: 'token' } },
    projectId: '42',
  },
  fields,
  reaches: {
    assignees: { pattern: '^[1-9][0-9]{0,14}$', description: 'Number of a user; without Premium one alone.' },
  },
  limits: { title: { characters: maxTitle }, description: { utf16: dialect.max } },
  hosts: ['gitlab.com'],
  pacing: { perSecond: 0.9, burst: 20 }, // gitlab.com takes 60 notes and 200 issues a minute

  deliver: (attempt) => tellTracker(attempt, gitlabIssues(attempt)),
  find: (attempt) => gitlabIssues(attempt).find(soughtBy(attempt)),
  check: checkGitlab,
});
