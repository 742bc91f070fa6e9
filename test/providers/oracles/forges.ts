/** Judges of forges and trackers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Gitlab } from '@gitbeaker/rest';
import AjvDraft04 from 'ajv-draft-04';
import type { Call } from './calls.ts';
import { sentBy } from './client.ts';
import { type Judge, queryOf, withMore } from './judge.ts';

const schemaFile = createRequire(import.meta.url).resolve('@atlaskit/adf-schema/dist/json-schema/v1/full.json');
const isDocument = new AjvDraft04.default({ strict: false, allErrors: true }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')),
);

/** The documents of a request: a description, a comment, or the comment of a transition. */
function assertDocuments({ parsed }: Call): void {
  const documents = documentsIn(parsed);
  assert.ok(documents.length > 0, 'no document');
  for (const document of documents) assert.ok(isDocument(document), JSON.stringify(isDocument.errors?.slice(0, 5)));
}
function documentsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'type' in value && value.type === 'doc' ? [value] : Object.values(value).flatMap(documentsIn);
}

/** What GitLab's client sends for the same call has the same method, path and payload. */
function assertAsGitlab(use: (api: InstanceType<typeof Gitlab>, payload: GitlabPayload) => Promise<unknown>) {
  return async ({ method, url, headers, parsed }: Call): Promise<void> => {
    const token = headers['private-token'] ?? '';
    const sent = await sentBy((host) => use(new Gitlab({ host, token }), Object(parsed)));
    assert.equal(`${method} ${url.pathname}${url.search}`, `${sent.method} ${sent.path}`);
    assert.equal(token, sent.headers['private-token']);
    assert.deepEqual(parsed || {}, JSON.parse(sent.body || '{}'));
  };
}
type GitlabPayload = Readonly<Record<'title' | 'body' | 'description' | 'labels', string>>;

const project = 'acme/platform/ops';
const issue = 12;

/** Type → judges. */
export const forges: Readonly<Record<string, readonly Judge[]>> = {
  github: [
    {
      of: /^POST api\.github\.com\/repos\/[^/]+\/[^/]+\/issues$/,
      by: '@octokit/openapi-types',
      says: 'the body of `issues/create`',
      type: 'githubIssue',
    },
    {
      of: /^PATCH .*\/issues\/\d+$/,
      by: '@octokit/openapi-types',
      says: 'the body of `issues/update`',
      type: 'githubEdit',
    },
    {
      of: /^POST .*\/issues\/\d+\/comments$/,
      by: '@octokit/openapi-types',
      says: 'the body of `issues/create-comment`',
      type: 'githubComment',
    },
    {
      of: /^POST .*\/issues\/\d+\/labels$/,
      by: '@octokit/openapi-types',
      says: 'the body of `issues/add-labels`',
      type: 'githubLabels',
    },
    {
      of: /^GET .*\/issues$/,
      by: '@octokit/openapi-types',
      says: 'the query of `issues/list-for-repo`',
      type: 'githubSearch',
      part: queryOf,
    },
  ],
  gitea: [
    { of: /^POST .*\/issues$/, by: 'gitea-js', says: 'a new issue', type: 'giteaIssue' },
    { of: /^PATCH .*\/issues\/\d+$/, by: 'gitea-js', says: 'a changed issue', type: 'giteaEdit' },
    { of: /^POST .*\/issues\/\d+\/comments$/, by: 'gitea-js', says: 'a comment', type: 'giteaComment' },
  ],
  gitlab: [
    { of: /^POST .*\/issues$/, by: '@gitbeaker/rest', says: 'a new issue', type: 'gitlabIssue' },
    { of: /^PUT .*\/issues\/\d+$/, by: '@gitbeaker/rest', says: 'a changed issue', type: 'gitlabEdit' },
    {
      of: /^POST .*\/issues$/,
      by: '@gitbeaker/rest',
      says: 'its client sends the same for a new issue',
      judge: assertAsGitlab((api, { title, ...rest }) => api.Issues.create(project, title, rest)),
      spoil: (call) => ({ ...call, method: 'PUT' }),
    },
    {
      of: /^GET .*\/issues\/\d+$/,
      by: '@gitbeaker/rest',
      says: 'its client asks the same of an issue',
      judge: assertAsGitlab((api) => api.Issues.show(issue, { projectId: project })),
      spoil: (call) => ({ ...call, url: new URL(call.url.href.replace(/\d+$/, '')) }),
    },
    {
      of: /^PUT .*\/issues\/\d+$/,
      by: '@gitbeaker/rest',
      says: 'its client sends the same for a changed issue',
      judge: assertAsGitlab((api, payload) => api.Issues.edit(project, issue, payload)),
      spoil: (call) => ({ ...call, method: 'PATCH' }),
    },
    {
      of: /^POST .*\/issues\/\d+\/notes$/,
      by: '@gitbeaker/rest',
      says: 'its client sends the same for a comment',
      judge: assertAsGitlab((api, { body }) => api.IssueNotes.create(project, issue, body)),
      spoil: (call) => withMore(call, { note: 'the words' }),
    },
  ],
  jira: [
    {
      of: /^POST .*\/rest\/api\/3\/issue(?:\/\d+\/comment)?$/,
      by: '@atlaskit/adf-schema',
      says: "Atlassian's schema of the document, on Jira Cloud",
      judge: assertDocuments,
      spoil: (call) => withMore(call, { body: { type: 'doc', version: 1, content: [{ type: 'text', text: 'a' }] } }),
    },
  ],
};
