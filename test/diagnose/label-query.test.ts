import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLabelQuery } from '../../src/diagnose/label-query.ts';
import { selects } from '../../src/world/reading/label-selector.ts';

const picks = (query: string, labels: Readonly<Record<string, string>>): boolean => {
  const selector = parseLabelQuery(query);
  assert.ok(selector, query);
  return selects(selector, labels);
};

test('a label query selects what kubectl get -l selects', () => {
  const labels = { app: 'api', 'app.kubernetes.io/part-of': 'shop', tier: '' };
  for (const query of [
    ...['app=api', 'app==api', 'app != web', 'app in (web,api)', 'app in ( web , api )', 'app notin (web)'],
    ...['app', '!canary', '! canary', 'app=api,!canary', 'app.kubernetes.io/part-of=shop', 'tier=', 'canary!=yes'],
  ])
    assert.ok(picks(query, labels), query);
  for (const query of ['app=web', 'app!=api', 'app in (web)', 'app notin (api)', 'canary', '!app', 'app=api,canary'])
    assert.ok(!picks(query, labels), query);
});

test('what kubectl refuses is no label query', () => {
  for (const query of ['', 'app===x', 'app=a b', 'in (a)', 'app in a', '=x', 'app in (a', ',', 'app=x,', '-x=1'])
    assert.equal(parseLabelQuery(query), undefined, query);
});
