/** Fields that are taken and do nothing, or not what they say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remarksOn } from '../../providers/linted.ts';

const token = { secretKeyRef: { name: 'a', key: 'b' } };
const site = { url: 'https://acme.atlassian.net', user: 'tocsin@acme.com', apiToken: token, projectKey: 'OPS' };

test('silent updates do nothing where no people read', () => {
  const said = (type: string, block: object): readonly string[] =>
    remarksOn(type, { ...block }, 'tocsin', { silentUpdates: true });
  assert.match(said('pagerduty', { integrationKey: token }).join(), /`spec\.silentUpdates` has no effect at PagerDuty/);
  assert.match(said('jira', site).join(), /has no effect at Jira/);
  assert.deepEqual(said('slack', { webhook: token }), []);
  assert.deepEqual(remarksOn('pagerduty', { integrationKey: token }), []);
});

test('fields of Jira issues that Tocsin sets itself are named, with what to set instead', () => {
  const said = (fields: object): readonly string[] => remarksOn('jira', { ...site, fields });
  assert.deepEqual(said({ customfield_10021: { value: 'Payments' }, labels: ['a'], assignee: { accountId: 'x' } }), []);
  assert.deepEqual(said({ project: { key: 'SEC' }, summary: 'x', description: 'x' }), [
    '`spec.jira.fields` has `project`, which Tocsin sets itself: set `projectKey` instead',
    '`spec.jira.fields` has `summary`, which Tocsin sets itself: remove it',
    '`spec.jira.fields` has `description`, which Tocsin sets itself: remove it',
  ]);
  assert.deepEqual(said({ issuetype: { name: 'Bug' } }), [
    '`spec.jira.fields` has `issuetype`, which Tocsin sets itself: set `issueType` instead',
  ]);
});

test('fields of Jira issues are bounded in number and in size', () => {
  const said = (fields: object): readonly string[] => remarksOn('jira', { ...site, fields });
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`customfield_${index}`, 1]));
  assert.match(said(many).join(), /`spec\.jira\.fields` .*50/);
  // {"customfield_1":"…"} is 20 characters around the text.
  assert.deepEqual(said({ customfield_1: 'é'.repeat(8_182) }), []);
  assert.deepEqual(said({ customfield_1: 'é'.repeat(8_183) }), [
    '`spec.jira.fields` takes 16386 bytes as JSON; use at most 16384',
  ]);
});
