import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledAt } from '../../src/incident/timing.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Reason } from '../../src/model/reason.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Subject } from '../../src/model/subject.ts';

const seconds = 1000;

const findingOf = (subject: Subject, reason: Reason): Finding => ({
  ...{ subject, reason, facts: {}, names: [] },
  ...{ severity: 'high', conclusive: false, since: 0 },
});

/** After how many seconds something that may pass is told. */
function toldAfter(kind: string, reason: Reason, ready: number, isBurst = false): number {
  const subject: Subject = { ref: `${kind}/shop/n1`, labels: {} };
  const member = findingOf(subject, reason);
  const explanation: Explanation = {
    ...{ root: subject, reason, severity: 'high', confidence: 'high', members: [member], affected: [], workloads: [] },
    ...{ impact: [{ ref: 'Deployment/shop/mail', wanted: 1, ready }], proof: [], trace: [] },
  };
  const bursts = { includes: () => isBurst };
  return settledAt({ explanation, seenAt: 0, now: 0, settings: defaultSettings, bursts }) / seconds;
}

test('a lost Node that had the last replica of something is told after 40 s, any other after 75 s', () => {
  assert.equal(toldAfter('Node', 'NodeUnreachable', 0), 40);
  assert.equal(toldAfter('Node', 'NodeNotReady', 0), 40);
  assert.equal(toldAfter('Node', 'NodeUnreachable', 1), 75);
  assert.equal(toldAfter('Deployment', 'Evicted', 0), 75);
});

test('in a burst it waits for what else may be lost with it', () => {
  assert.equal(toldAfter('Node', 'NodeUnreachable', 0, true), 75);
});

test('an override delays nobody but whom it picks', () => {
  /** What fails in namespaces because of a Node, where `batch` waits for so long. */
  const toldIn = (namespaces: readonly string[], settleSeconds: number): number => {
    const node: Subject = { ref: 'Node//n1', labels: {} };
    const parts = namespaces.map((namespace) => {
      const root: Subject = { ref: `Deployment/${namespace}/app`, labels: {} };
      return { root, reason: 'PodNotReady', severity: 'high', members: [findingOf(root, 'PodNotReady')] } as const;
    });
    const explanation: Explanation = {
      ...{ root: node, reason: 'NodeNotReady', severity: 'high', confidence: 'high', workloads: [], parts },
      ...{ members: [findingOf(node, 'NodeNotReady')], affected: parts.map(({ root }) => root), proof: [], trace: [] },
    };
    const overrides = [{ selector: { namespaces: ['batch'] }, settleSeconds }];
    const settings = { ...defaultSettings, detection: { ...defaultSettings.detection, overrides } };
    return settledAt({ explanation, seenAt: 0, now: 0, settings, bursts: { includes: () => false } }) / seconds;
  };
  assert.equal(toldIn(['batch'], 600), 600);
  assert.equal(toldIn(['batch', 'shop'], 600), 75);
  assert.equal(toldIn(['batch', 'shop'], 5), 5);
});
