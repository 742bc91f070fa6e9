/** What the conformance suite cannot show of Jira: kinds of credentials, and sites whose address people do not know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { jira } from '../../src/providers/jira.ts';
import type { Answer, Send, SendRequest } from '../../src/providers/provider.ts';
import { deliveryOf, notifications } from './notifications.ts';

const { reopen } = notifications;
const mail = { send: () => assert.fail(), check: () => assert.fail() };

/** What is sent when a relapse is told as a new issue. */
async function sent(url: string, apiToken: string): Promise<readonly SendRequest[]> {
  const requests: SendRequest[] = [];
  const send: Send = async (request) => {
    requests.push(request);
    const body = String(request.url).endsWith('serverInfo')
      ? { version: '9.12.0', deploymentType: 'Server' }
      : { id: '2', key: 'OPS-2' };
    const answer: Answer = {
      status: 201,
      headers: {},
      body: JSON.stringify(body),
      json: () => body,
      outcome: (_reading, ref) => ({ is: 'delivered', ...(ref && { ref }) }),
    };
    return answer;
  };
  const outcome = await jira.deliver({
    notification: reopen,
    delivery: deliveryOf(reopen),
    config: { url, user: 'tocsin', apiToken: new Secret(apiToken), projectKey: 'OPS', issueType: 'Task' },
    ref: { item: '1', key: 'OPS-1' },
    now: 0,
    mail,
    send,
  });
  assert.equal(outcome.is, 'delivered');
  return requests;
}

/** How a request proves who it is of. */
function proofOf({ headers, basic }: SendRequest): string {
  const header = headers?.authorization;
  if (header !== undefined) return header instanceof Secret ? openSecret(header) : header;
  return basic ? 'Basic' : 'none';
}

test('a personal access token of Data Center goes as bearer, passwords and API tokens do not', async () => {
  const random = String.fromCharCode(...Array.from({ length: 20 }, (_, index) => index * 12));
  const personal = Buffer.from(`478492487817:${random}`, 'latin1').toString('base64');
  for (const [token, proof] of [
    [personal, `Bearer ${personal}`],
    ['correct horse battery staple', 'Basic'],
    ['ATATT3xFfGF0T4KNd6Jj6hTXxvHw0w', 'Basic'],
    ['MaryHadALittleLambItsFleeceWasWhiteAsSnow123', 'Basic'],
  ] as const)
    for (const request of await sent('https://jira.corp.example', token)) assert.equal(proofOf(request), proof);
});

test('people may copy the address of the API; the issue before is linked where the address of the site is known', async () => {
  const cases = [
    [
      'https://acme.atlassian.net',
      'https://acme.atlassian.net/rest/api/3/issue',
      'https://acme.atlassian.net/browse/OPS-1',
    ],
    [
      'https://acme.atlassian.net/rest/api/latest/',
      'https://acme.atlassian.net/rest/api/3/issue',
      'https://acme.atlassian.net/browse/OPS-1',
    ],
    ['https://api.atlassian.com/ex/jira/1a-2b/', 'https://api.atlassian.com/ex/jira/1a-2b/rest/api/3/issue', undefined],
    [
      'https://corp.example/jira/',
      'https://corp.example/jira/rest/api/2/issue',
      'https://corp.example/jira/browse/OPS-1',
    ],
  ] as const;
  for (const [url, expected, link] of cases) {
    const requests = await sent(url, 'token');
    const created = requests.at(-1);
    assert.equal(String(created?.url), expected);
    const text = JSON.stringify(created?.json);
    assert.match(text, /OPS(?:\\\\)?-1/, 'it is named anyhow');
    assert.equal(text.includes('/browse/'), link !== undefined);
    if (link) assert.ok(text.includes(link), text);
  }
});

test('a look-up asks for the problem where it is open, a relapse where it was, and a repeated opening for itself alone', async () => {
  const { open, update } = notifications;
  const queries = await Promise.all(
    [update, reopen, open].map(async (notification) => {
      let jql = '';
      const send: Send = async ({ json }) => {
        jql = Object(json).jql;
        const body = { issues: [] };
        const read = { status: 200, headers: {}, body: '', json: () => body };
        return { ...read, outcome: () => ({ is: 'delivered' }) };
      };
      const site = {
        url: 'https://acme.atlassian.net',
        user: 'a@b.example',
        apiToken: new Secret('t'),
        issueType: 'Task',
      };
      const config = { ...site, projectKey: 'O"PS' };
      const found = await jira.find?.({ notification, delivery: deliveryOf(notification), config, now: 0, mail, send });
      assert.equal(found, undefined);
      return jql;
    }),
  );
  const alert = String.raw`(labels = "tocsin-239710bd74f24b70" OR description ~ "\"tocsin239710bd74f24b70\"")`;
  const opening = String.raw`(labels = "tocsin-c78f5abd" OR description ~ "\"tocsinc78f5abd\"")`;
  const [project, newest] = [String.raw`project = "O\"PS"`, 'ORDER BY created DESC'];
  assert.deepEqual(queries, [
    `${project} AND ${alert} AND statusCategory != Done ${newest}`,
    `${project} AND ${alert} ${newest}`,
    `${project} AND ${opening} ${newest}`,
  ]);
});
