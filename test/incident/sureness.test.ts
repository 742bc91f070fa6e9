import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSureAsTold } from '../../src/incident/sureness.ts';
import type { Explanation, Step } from '../../src/model/explanation.ts';
import type { TellingSign } from '../../src/model/heard-sign.ts';
import type { Ref } from '../../src/model/ref.ts';
import { at, explanation } from './helpers.ts';

const api: Ref = 'Deployment/shop/api';
const change = { ref: api, field: 'image', at: at(0) } as const;
const step = (scorer: string, score: number): Step => ({ rule: `release/${scorer}`, about: api, says: '', score });
const crash = { ...explanation(api), change, workloads: [api] };
/** As it was told: the old Pods beside the new ones are well. */
const told: Explanation = { ...crash, confidence: 'high', trace: [step('exclusivity', 0.25)] };
/** All Pods are new by now: there is nothing to compare with. */
const since: Explanation = { ...crash, confidence: 'likely', trace: [step('recentChange', 0.08)] };
const panic: TellingSign = {
  ...{ kind: 'Panic', line: 'panic: no config', pod: 'Pod/shop/api-a' },
  ...{ container: 'app', source: 'log', at: at(1) },
};

const confidenceOf = (now: Explanation, before: Explanation | undefined = told): string =>
  asSureAsTold(now, before).confidence;

test('an edit that was proven stays proven when what proved it is gone', () => {
  assert.equal(confidenceOf(since), 'high');
  assert.equal(confidenceOf({ ...since, trace: [...since.trace, step('unknownData', -0.3)] }), 'high');
  const failing = { ...since, reason: 'DeploymentUnavailable' } as const;
  assert.equal(confidenceOf(failing), 'high', 'it is the same failure at another stage');
});

test('nothing becomes surer than it was told', () => {
  assert.equal(confidenceOf(since, { ...told, confidence: 'likely' }), 'likely');
  assert.equal(asSureAsTold(since, undefined), since);
  const unknown: Explanation = { ...since, confidence: 'unknown' };
  assert.equal(asSureAsTold(unknown, told), unknown);
});

test('another edit, failure, root or victim is as sure as it is now', () => {
  const others: Readonly<Record<string, Explanation>> = {
    edit: { ...since, change: { ...change, at: at(60) } },
    failure: { ...since, reason: 'ReadinessProbeFailed' },
    root: { ...since, root: { ref: 'Deployment/shop/web', labels: {} } },
    victim: { ...since, workloads: [api, 'Deployment/shop/web'] },
  };
  for (const [what, other] of Object.entries(others)) assert.equal(confidenceOf(other), 'likely', what);
});

test('what speaks against the edit only now counts, what did so before does not', () => {
  const doubted: Explanation = { ...since, trace: [step('sameRevision', -0.1)] };
  assert.equal(confidenceOf(doubted), 'likely');
  assert.equal(confidenceOf(doubted, { ...told, trace: doubted.trace }), 'high');
  const louder: Explanation = { ...since, trace: [step('sameRevision', -0.1), step('sameRevision', -0.2)] };
  assert.equal(confidenceOf(louder, { ...told, trace: doubted.trace }), 'likely');
});

test('a program that says something else than before is heard, unless that speaks for the edit', () => {
  const says: Explanation = { ...since, sign: panic };
  assert.equal(confidenceOf(says), 'likely');
  assert.equal(confidenceOf(says, { ...told, sign: panic }), 'high');
  assert.equal(confidenceOf({ ...says, trace: [step('says', 0.15)] }), 'high');
});
