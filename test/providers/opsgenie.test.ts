/** What the conformance suite cannot know of Opsgenie: what becomes of an open alert, and how a test waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import { alertName } from '../../src/providers/kit/pager.ts';
import { opsgenie } from '../../src/providers/opsgenie.ts';
import { remarksOn } from './linted.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { asked, type Scripted, sent } from './sent.ts';

const config = { apiKey: new Secret('key'), region: 'us' } as const;
const base = 'https://api.opsgenie.com/v2/alerts';
const accepted = { status: 202, json: { requestId: 'r-1' } };

test('an update is a note alone unless the severity has changed', async () => {
  const { previousSeverity: _, ...incident } = notifications.update.incident ?? assert.fail();
  const { requests } = await sent(opsgenie, config, { ...notifications.update, incident });
  assert.deepEqual(asked(requests), [`POST ${base}`]);
  assert.match(Object(requests[0]?.json).note, /^Now critical — shop\/payments crashes: .*\n\n/);
});

test('what cannot be changed is tried again before anything is noted', async () => {
  const { outcome, requests } = await sent(opsgenie, config, notifications.update, [accepted, { status: 503 }]);
  assert.equal(outcome.is, 'retryable');
  assert.equal(requests.length, 2);
});

test('a key that may not change alerts notes what happened all the same', async () => {
  const refused = { status: 403 };
  const { outcome, requests } = await sent(opsgenie, config, notifications.update, [refused, refused, accepted]);
  assert.equal(outcome.is, 'delivered');
  assert.equal(requests.length, 3);
});

test('a test is closed once it is known to be there, or has been asked for often enough', async () => {
  const look = `GET ${base}/requests/r-1`;
  const close = `POST ${base}/${alertName(deliveryOf(notifications.test))}/close?identifierType=alias`;
  const pending = { status: 404 };
  const rows: readonly [answers: readonly Scripted[], looks: number][] = [
    [[accepted, pending, { status: 200, json: { data: { isSuccess: true } } }], 2],
    [[accepted, pending, pending, pending, pending], 4],
    [[accepted, { status: 403 }], 1],
    [[{ status: 202 }], 0],
  ];
  for (const [answers, looks] of rows) {
    const { outcome, requests } = await sent(opsgenie, config, notifications.test, answers);
    assert.equal(outcome.is, 'delivered');
    assert.deepEqual(asked(requests), [`POST ${base}`, ...Array.from({ length: looks }, () => look), close]);
  }
});

test('lint names the end of Opsgenie, and says nothing of its successor', () => {
  const rules = (region?: string): readonly string[] =>
    remarksOn('opsgenie', { apiKey: { secretKeyRef: { name: 'a', key: 'b' } }, ...(region && { region }) });
  assert.match(rules().join(), /^`spec\.opsgenie` uses Opsgenie, whose last day is 2027-04-05: migrate to Jira/);
  assert.equal(rules('eu').length, 1);
  assert.deepEqual(rules('jsm'), []);
});

test('Jira Service Management, which takes no changes, is told a new severity in the note', async () => {
  const { requests } = await sent(opsgenie, { ...config, region: 'jsm' }, notifications.update);
  assert.deepEqual(asked(requests), ['POST https://api.atlassian.com/jsm/ops/integration/v2/alerts']);
  assert.match(Object(requests[0]?.json).note, /^Severity changed from high to critical\.\n\nNow critical — /);
});
