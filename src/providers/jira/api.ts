import type { Outcome } from '../../model/delivery.ts';
import { cleanText, redact } from '../../model/redact.ts';
import type { Secret } from '../../model/secret.ts';
import { type AnyConfig, bearer, endpoint, type Item, matches, objectOf, refusal, wrongCredential } from '../kit.ts';
import type { Answer, Reading, Send, SendRequest } from '../provider.ts';

/** The opened fields of one attempt. */
export type JiraConfig = {
  readonly url: string;
  readonly user: string;
  readonly apiToken: Secret;
  readonly projectKey: string;
  readonly issueType: string;
  /** As they were written. */
  readonly fields?: AnyConfig;
  readonly closeTransition?: string;
  readonly reopenTransition?: string;
};

/** What every use of a site starts from. */
export type JiraParts = { readonly config: JiraConfig; readonly send: Send; readonly now: number };

/** A site whose kind is known. */
export type Jira = {
  /** `3`: Cloud, texts are documents; `2`: Data Center, texts are wiki markup. */
  readonly api: '2' | '3';
  readonly reading: Reading;
  call(
    method: SendRequest['method'],
    path: string,
    more?: { readonly json?: unknown; readonly query?: Readonly<Record<string, string>> },
  ): Promise<Answer>;
};

/** The root of the site: people copy the address of the API too. */
export function siteOf({ url }: JiraConfig): string {
  return url.replace(/(?:\/rest\/api\/(?:2|3|latest))?\/*$/, '');
}

/**
 * Finds out which kind of Jira it is: Cloud by its host, others by asking. `known`: what an earlier act found. A site that does not
 * answer as one is an outcome.
 */
export async function reachJira(
  parts: JiraParts,
  known?: string,
): Promise<Jira | { readonly failed: Exclude<Outcome, { is: 'delivered' }> }> {
  const { config, now } = parts;
  const reading = readingAt(now);
  const jiraOf = (api: Jira['api']): Jira => ({
    api,
    reading,
    call: (method, path, more) => callJira(parts, api, method, path, more),
  });
  const { hostname } = new URL(config.url);
  if (/\.(?:atlassian\.net|jira\.com)$/.test(hostname) || hostname === 'api.atlassian.com') return jiraOf('3');
  if (known === '2' || known === '3') return jiraOf(known);
  const answer = await callJira(parts, '2', 'GET', 'serverInfo');
  const outcome = answer.outcome(reading);
  if (outcome.is !== 'delivered') return { failed: outcome };
  const info = objectOf(answer.json());
  if (info?.version === undefined) return { failed: refusal(answer, '`url` is not the address of a Jira site') };
  return jiraOf(info.deploymentType === 'Cloud' ? '3' : '2');
}

/** Personal access tokens of Data Center: the base64 of twelve digits, a colon and random bytes. They are refused as passwords. */
const accessToken = /^(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){4}O[g-v]/;

function callJira(
  { config, send }: JiraParts,
  api: Jira['api'],
  method: SendRequest['method'],
  path: string,
  { json, query }: { readonly json?: unknown; readonly query?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const { user, apiToken } = config;
  const asBearer = matches(apiToken, accessToken);
  return send({
    method,
    url: endpoint(siteOf(config), `rest/api/${api}/${path}`, query),
    // Without the last one Jira takes some requests for forged ones.
    headers: {
      accept: 'application/json',
      'accept-language': 'en',
      'x-atlassian-token': 'no-check',
      ...(asBearer && bearer(apiToken)),
    },
    ...(!asBearer && { basic: { username: user, password: apiToken } }),
    ...(json !== undefined && { json }),
  });
}

/** What answers mean at `now` (epoch milliseconds). */
function readingAt(now: number): Reading {
  return {
    errors: { 409: 'retryable' }, // somebody edits the issue at this very moment
    failure,
    retryAfterMs: ({ status, headers }) => {
      const reset = Date.parse(headers['x-ratelimit-reset'] ?? '');
      if (status !== 429 || headers['retry-after'] !== undefined || Number.isNaN(reset)) return undefined;
      const sent = Date.parse(headers.date ?? '');
      return reset - (Number.isNaN(sent) ? now : sent);
    },
    advice: {
      401: 'Cloud wants the e-mail address of the account and an API token, Data Center a user name and password or a personal access token; tokens expire',
      403: 'give the account the permissions to browse the project, create issues and add comments',
      404: 'correct `url`, or give the account access to the project',
    },
  };
}

function failure(answer: Answer): Exclude<Outcome, { is: 'delivered' }> | undefined {
  const { status, headers } = answer;
  if (status < 400) return undefined;
  if (/captcha/i.test(headers['x-authentication-denied-reason'] ?? ''))
    return wrongCredential(answer, 'Jira asks this account for a captcha: log in once with a browser');
  // Cloud goes on as nobody, who finds no project.
  if (/FAILED|DENIED/.test(headers['x-seraph-loginreason'] ?? ''))
    return wrongCredential(answer, 'Jira accepts neither this user nor this token; tokens expire');
  return status === 400 ? { ...refusal(answer), reason: `HTTP 400: ${wordsOf(answer)}` } : undefined;
}

/** What Jira says of a refusal, fields by name. */
function wordsOf(answer: Answer): string {
  const { errorMessages, errors } = objectOf(answer.json()) ?? {};
  const messages = Array.isArray(errorMessages) ? errorMessages.map(String) : [];
  const fields = Object.entries(objectOf(errors) ?? {}).map(([name, says]) => `${name}: ${String(says)}`);
  const words = cleanText(redact([...messages, ...fields].join('; ')), 200);
  // What the project's screen wants and nobody has given.
  const lacks = fields.some((field) => /\brequired\b/i.test(field));
  return `${words || 'no reason given'}${lacks ? ' (give it in `fields`)' : ''}`;
}

/** The fields that an answer refuses. */
export function refusedFields(answer: Answer): readonly string[] {
  return answer.status === 400 ? Object.keys(objectOf(objectOf(answer.json())?.errors) ?? {}) : [];
}

/** An issue as the API returns it: its number survives a move to another project, its key is what people know. */
export function itemOf(issue: unknown, { api }: Jira): Item | undefined {
  const { id, key } = objectOf(issue) ?? {};
  return typeof id === 'string' && typeof key === 'string' ? { item: id, key, api } : undefined;
}
