/** Who has taken an incident on, as each product that can be asked says it: what is asked, and what is made of the answer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import { jira } from '../../src/providers/jira.ts';
import { opsgenie } from '../../src/providers/opsgenie.ts';
import { pagerduty } from '../../src/providers/pagerduty.ts';
import type { Look, Seen } from '../../src/providers/provider.ts';
import { remarksOn } from './linted.ts';
import { type Asked, type Scripted, scripted } from './play.ts';

const now = Date.parse('2026-11-20T12:30:00Z');
const delivery = { alertKey: 'a1b2#2' };
const ref = { item: '10042', key: 'OPS-7', api: '3' };

const bases = { url: 'https://acme.atlassian.net', user: 'tocsin@example.com', projectKey: 'OPS', issueType: 'Task' };
const apiToken = new Secret('token-of-the-api');
const products = {
  opsgenie: (parts: Parts) =>
    opsgenie.readBack?.({ config: { apiKey: new Secret('key'), region: 'eu', actions: { readBack: true } }, ...parts }),
  pagerduty: (parts: Parts) => {
    const actions = { readBack: true, apiToken };
    return pagerduty.readBack?.({ config: { integrationKey: new Secret('key'), region: 'eu', actions }, ...parts });
  },
  jira: (parts: Parts) => jira.readBack?.({ config: { ...bases, apiToken, actions: { readBack: true } }, ...parts }),
};
type Parts = Omit<Look<unknown>, 'config'>;

async function look(product: keyof typeof products, answer: Scripted, more: Partial<Parts> = {}) {
  const asked: Asked[] = [];
  const seen = await products[product]({ send: scripted([answer], asked), now, delivery, ref, ...more });
  return { seen: seen ?? assert.fail(product), asked };
}

/** Answers of each product: nobody has, and Ada has. */
const answers = {
  opsgenie: (more: object) => ({
    data: {
      ...{
        alias: 'tocsin-a1b2-2',
        status: 'open',
        createdAt: '2026-11-20T12:00:00.000Z',
        acknowledged: true,
        owner: 'ada@example.com',
      },
      ...{ report: { ackTime: 90_000, acknowledgedBy: 'ada@example.com' } },
      ...more,
    },
  }),
  pagerduty: (more: object) => ({
    incidents: [
      {
        ...{ id: 'PT4KHLK', type: 'incident', status: 'acknowledged', incident_key: 'tocsin-a1b2-2' },
        acknowledgements: [
          { at: '2026-11-20T12:01:00Z', acknowledger: { id: 'P1', type: 'user_reference', summary: 'Bob' } },
          { at: '2026-11-20T12:01:30Z', acknowledger: { id: 'P2', type: 'user_reference', summary: 'Ada' } },
        ],
        ...more,
      },
    ],
  }),
  jira: (more: object) => ({
    ...{ id: '10042', key: 'OPS-7' },
    fields: {
      status: { name: 'In Arbeit', statusCategory: { key: 'indeterminate' } },
      assignee: { accountId: '5b1', displayName: 'Ada' },
      statuscategorychangedate: '2026-11-20T13:01:30.000+0100',
      ...more,
    },
  }),
};
const since = Date.parse('2026-11-20T12:01:30Z');

test('one question is asked, which changes nothing', async () => {
  const addresses = await Promise.all(
    (['opsgenie', 'pagerduty', 'jira'] as const).map(async (product) => {
      const { asked } = await look(product, { json: {} });
      assert.equal(asked.length, 1);
      return `${asked[0]?.method} ${decodeURIComponent(asked[0]?.address ?? '')}`;
    }),
  );
  assert.deepEqual(addresses, [
    'GET https://api.eu.opsgenie.com/v2/alerts/tocsin-a1b2-2?identifierType=alias',
    'GET https://api.eu.pagerduty.com/incidents?incident_key=tocsin-a1b2-2&statuses[]=acknowledged&date_range=all&limit=1',
    'GET https://acme.atlassian.net/rest/api/3/issue/10042?fields=status,assignee,statuscategorychangedate',
  ]);
});

describe('who, and since when', () => {
  const rows: readonly (readonly [keyof typeof products, string, object, Seen['taken']])[] = [
    ['opsgenie', 'by the report', {}, { by: 'ada@example.com', since }],
    ['opsgenie', 'by the owner', { report: { ackTime: 90_000 } }, { by: 'ada@example.com', since }],
    ['opsgenie', 'by nobody who is named', { report: {}, owner: '' }, { by: 'somebody' }],
    ['opsgenie', 'at a time that is still to come', { report: { ackTime: 9_000_000 } }, { by: 'ada@example.com' }],
    ['opsgenie', 'nobody', { acknowledged: false }, undefined],
    ['opsgenie', 'only seen', { acknowledged: false, isSeen: true }, undefined],
    ['opsgenie', 'of one that somebody closed', { status: 'closed' }, undefined],
    ['pagerduty', 'the last of several', {}, { by: 'Ada', since }],
    ['pagerduty', 'nobody', { status: 'triggered', acknowledgements: [] }, undefined],
    ['pagerduty', 'by nobody who is named', { acknowledgements: [] }, { by: 'somebody' }],
    ['jira', 'in progress, by the assignee', {}, { by: 'Ada', since }],
    ['jira', 'of Data Center', { assignee: { name: 'ada' }, statuscategorychangedate: undefined }, { by: 'ada' }],
    ['jira', 'in progress, of nobody', { assignee: null }, { by: 'somebody', since }],
    ['jira', 'assigned, and to do', { status: { statusCategory: { key: 'new' } } }, undefined],
    ['jira', 'done', { status: { statusCategory: { key: 'done' } } }, undefined],
  ];
  for (const [product, what, more, expected] of rows)
    test(`${product}: ${what}`, async () => {
      const { seen } = await look(product, { json: answers[product](more) });
      assert.deepEqual(seen.taken, expected);
      assert.equal(seen.outcome.is, 'delivered');
    });
});

test('a name is one line and bounded, whatever the product says', async () => {
  const { seen } = await look('opsgenie', {
    json: answers.opsgenie({ report: { acknowledgedBy: `Ada\n\u202e${'x'.repeat(500)}` } }),
  });
  assert.ok(seen.taken && seen.taken.by.length <= 64);
  assert.doesNotMatch(seen.taken.by, /[\n\u202e]/);
});

test('what is not there is acknowledged by nobody; what is refused says what to do', async () => {
  for (const product of ['opsgenie', 'jira'] as const)
    assert.deepEqual((await look(product, { status: 404, json: {} })).seen, { outcome: { is: 'delivered' } });
  const says: readonly (readonly [keyof typeof products, number, RegExp])[] = [
    ['opsgenie', 403, /give the integration the right to read/],
    ['pagerduty', 401, /check `actions\.apiToken`/],
    ['pagerduty', 403, /the right to read incidents/],
    ['jira', 403, /permissions to browse/],
  ];
  for (const [product, status, reason] of says) {
    const { outcome, taken } = (await look(product, { status, json: answers[product]({}) })).seen;
    assert.equal(taken, undefined);
    assert.match('reason' in outcome ? outcome.reason : '', reason);
  }
});

test('odd answers are no acknowledgement', async () => {
  for (const product of ['opsgenie', 'pagerduty', 'jira'] as const)
    for (const json of [null, [], 'text', { data: null, incidents: {}, fields: 7 }, { data: [], incidents: [7] }])
      assert.equal((await look(product, { json })).seen.taken, undefined);
});

test('an issue that is not remembered is not asked about', async () => {
  const asked: Asked[] = [];
  const seen = await products.jira({ send: scripted([], asked), now, delivery });
  assert.deepEqual([seen, asked], [{ outcome: { is: 'delivered' } }, []]);
});

describe('lint', () => {
  const key = { secretKeyRef: { name: 'pager', key: 'key' } };
  const remarks = (type: string, block: Readonly<Record<string, unknown>>, namespace?: string): readonly string[] =>
    remarksOn(type, block, namespace).filter((remark) => remark.includes('actions'));

  test('a namespace by which nobody acts is said', () => {
    const block = { apiKey: key, region: 'eu', actions: { readBack: true } };
    assert.deepEqual(remarks('opsgenie', block), []);
    assert.match(
      remarks('opsgenie', block, 'shop')[0] ?? '',
      /`spec\.opsgenie\.actions` has no effect in the namespace "shop"/,
    );
  });

  test('what cannot be asked is refused: Jira Service Management, and PagerDuty without a token', () => {
    assert.match(
      remarks('opsgenie', { apiKey: key, region: 'jsm', actions: { readBack: true } })[0] ?? '',
      /leave `actions\.readBack` out/,
    );
    assert.deepEqual(remarks('opsgenie', { apiKey: key, region: 'jsm', actions: { readBack: false } }), []);
    assert.match(
      remarks('pagerduty', { integrationKey: key, actions: { readBack: true } })[0] ?? '',
      /set `apiToken` with `readBack`/,
    );
    assert.deepEqual(remarks('pagerduty', { integrationKey: key, actions: { readBack: true, apiToken: key } }), []);
    assert.deepEqual(remarks('pagerduty', { integrationKey: key, actions: {} }), []);
  });
});
