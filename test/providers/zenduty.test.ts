/** What the conformance suite cannot know of Zenduty: what is said of a key whose integration ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remarksOn } from './linted.ts';

test('lint names the end of the integration that a key alone belongs to, and says nothing of the generic one', () => {
  const said = (value: string) => remarksOn('zenduty', { integrationKey: { value } });
  const ended = /whose last day (?:is|was) 2025-05-15: add the integration \*Generic\*/;
  assert.ok(
    said('0123456789abcdef').some((remark) => ended.test(remark)),
    said('0123456789abcdef').join(),
  );
  for (const generic of [
    'acme/0123456789abcdef',
    'https://events.zenduty.com/integration/acme/generic/0123456789abcdef/',
  ])
    assert.ok(!said(generic).some((remark) => ended.test(remark)), said(generic).join());
});
