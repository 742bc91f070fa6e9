import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledAt } from '../../src/incident/timing.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Reason } from '../../src/model/reason.ts';
import { defaultSettings } from '../../src/model/settings.ts';

const seconds = 1000;

/** After how many seconds something that may pass is told. */
function toldAfter(kind: string, reason: Reason, ready: number, isBurst = false): number {
  const subject = { ref: `${kind}/shop/n1`, labels: {} } as const;
  const member: Finding = {
    ...{ subject, reason, facts: {}, names: [] },
    ...{ severity: 'high', conclusive: false, since: 0 },
  };
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
