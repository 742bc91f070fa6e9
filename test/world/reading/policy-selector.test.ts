import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selects } from '../../../src/world/reading/label-selector.ts';
import { policySelectorOf } from '../../../src/world/reading/policy-selector.ts';

const pod = { app: 'db', tier: 'back' };

test('a selector of Calico means the Pods that its documentation says', () => {
  const cases: readonly [selector: string, is: boolean][] = [
    ["app == 'db'", true],
    ["app != 'db'", false],
    ['app == "db" && has(tier)', true],
    ["tier in { 'front', 'back' }", true],
    ["tier not in {'front'} && !has(owner)", true],
    ["all() && app == 'web'", false],
    // What is not read means nobody.
    ["app == 'db' || app == 'web'", false],
    ["app contains 'd'", false],
  ];
  for (const [text, is] of cases) {
    const selector = policySelectorOf(text);
    assert.equal(selector && selects(selector, pod), is, text);
  }
});

test('all Pods are meant by a selector of Calico that says so, and by one that every Pod satisfies', () => {
  for (const text of ['all()', '', 'global()', "projectcalico.org/orchestrator == 'k8s'"])
    assert.equal(policySelectorOf(text), undefined, text);
});
