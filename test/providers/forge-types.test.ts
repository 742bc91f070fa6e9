/** The bodies of our requests to forges against what each says of its own API, as types. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CreateIssueOptions, EditIssueOptions } from '@gitbeaker/rest';
import type { operations } from '@octokit/openapi-types';
import type { CreateIssueCommentOption, CreateIssueOption, EditIssueOption } from 'gitea-js';

/** What an operation of GitHub takes. */
type Github<O extends keyof operations> = operations[O] extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? Extract<B, object>
  : never;
type GithubLabels = Github<'issues/add-labels'> extends infer B ? (B extends unknown[] ? never : keyof B) : never;

/** `addLabels` → `add_labels`: the client's names → those on the wire. */
type Snake<T extends string> = T extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : T;
type GitlabCreate = Snake<keyof CreateIssueOptions> | 'title';
type GitlabEdit = Snake<keyof EditIssueOptions>;

/** Requests, and the keys we send with them: they compile only while the forge knows them. */
type Rows = readonly { readonly request: RegExp; readonly keys: readonly string[] }[];
const issues = /^POST \S+\/issues$/;
const edits = /^(?:PATCH|PUT) \S+\/issues\/\d+$/;

const forges: Readonly<Record<string, Rows>> = {
  github: [
    { request: issues, keys: ['title', 'body', 'labels'] satisfies (keyof Github<'issues/create'>)[] },
    { request: /^POST \S+\/comments$/, keys: ['body'] satisfies (keyof Github<'issues/create-comment'>)[] },
    { request: /^POST \S+\/labels$/, keys: ['labels'] satisfies GithubLabels[] },
    { request: edits, keys: ['title', 'state', 'state_reason'] satisfies (keyof Github<'issues/update'>)[] },
  ],
  gitea: [
    { request: issues, keys: ['title', 'body'] satisfies (keyof CreateIssueOption)[] },
    { request: /^POST \S+\/comments$/, keys: ['body'] satisfies (keyof CreateIssueCommentOption)[] },
    { request: edits, keys: ['title', 'state'] satisfies (keyof EditIssueOption)[] },
  ],
  gitlab: [
    { request: issues, keys: ['title', 'description', 'labels'] satisfies GitlabCreate[] },
    { request: /^POST \S+\/notes$/, keys: ['body'] },
    { request: edits, keys: ['title', 'add_labels', 'remove_labels', 'state_event'] satisfies GitlabEdit[] },
  ],
};

for (const [forge, rows] of Object.entries(forges))
  test(`${forge}: every body of the golden requests holds what the forge knows, and all of that is sent`, () => {
    const folder = join(import.meta.dirname, 'fixtures', forge);
    const sent = new Map(rows.map(({ request }) => [request, new Set<string>()] as const));
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('order-')))
      for (const { request, body } of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
        if (/^(?:GET|DELETE) /.test(request)) continue;
        const row = rows.find((each) => each.request.test(request));
        assert.ok(row, request);
        for (const key of Object.keys(body)) {
          assert.ok(row.keys.includes(key), `${key} in ${request}`);
          sent.get(row.request)?.add(key);
        }
      }
    for (const { request, keys } of rows) assert.deepEqual(sent.get(request), new Set(keys), String(request));
  });

test('the fixed values are those that GitHub knows', () => {
  const { state, state_reason } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures/github/test.json'), 'utf8'),
  )[1].body;
  const known = { state: 'closed', state_reason: 'completed' } satisfies Pick<
    Github<'issues/update'>,
    'state' | 'state_reason'
  >;
  assert.deepEqual({ state, state_reason }, known);
});
