import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untoldSummaries } from '../../src/api/rules/summaries.ts';

const spec = { type: 'jira' };

test('a product that shows no summaries says what it leaves out, unless a fallback gets it', () => {
  assert.match(
    untoldSummaries({ spec }, { product: 'Jira', plain: 'none' }) ?? '',
    /^Jira gets no startup summary .*fallback/,
  );
  assert.match(untoldSummaries({ spec }, { product: 'PagerDuty', plain: 'alert' }) ?? '', /^PagerDuty gets no digest/);
  assert.equal(untoldSummaries({ spec: { ...spec, fallback: 'mail' } }, { product: 'Jira', plain: 'none' }), undefined);
  assert.equal(untoldSummaries({ spec }, { product: 'Slack', plain: 'native' }), undefined);
  assert.equal(untoldSummaries({ spec }, undefined), undefined);
});
