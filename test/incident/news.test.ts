import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Reason } from '../../src/model/reason.ts';
import type { Ref } from '../../src/model/ref.ts';
import { explanation, finding, provider, settingsWith, simulation } from './helpers.ts';

const api: Ref = 'Deployment/shop/api';
const pod: Ref = 'Pod/shop/api-a';
const oncall = provider('oncall');

/** An opening at 15 s is told of `first`. */
function told(first: Explanation) {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  sim.step(5, [first]);
  assert.deepEqual(sim.step(20, [first]), [`open ${first.root.ref} Settled → oncall`]);
  return sim;
}

const ready = (own: Explanation, counts: Readonly<Record<string, number>>): Explanation => ({
  ...own,
  impact: Object.entries(counts).map(([name, count]) => ({ ref: `Deployment/shop/${name}`, wanted: 2, ready: count })),
});
const crash = explanation(api);
const failing = (reason: Reason, more: readonly Finding[], confidence: Explanation['confidence'] = 'likely') => ({
  ...explanation(api, { reason, members: [...crash.members, ...more] }),
  confidence,
});

test('the last replica that goes is told once it has been gone for 15 s, and once', () => {
  const sim = told(ready(crash, { api: 1 }));
  const down = ready(crash, { api: 0 });
  assert.deepEqual(sim.step(100, [down]), []);
  assert.deepEqual(sim.step(115, [down]), [`update ${api} WorkloadDown → oncall`]);
  sim.step(200, [ready(crash, { api: 2 })]);
  for (const second of [300, 1_000, 3_000]) assert.deepEqual(sim.step(second, [down]), []);
});

test('who goes down with what was told to be down is no news, who does so ten minutes later is', () => {
  const sim = told(ready(crash, { api: 0, web: 2, cart: 2 }));
  const first = ready(crash, { api: 0, web: 0, cart: 2 });
  for (const second of [40, 200, 630]) assert.deepEqual(sim.step(second, [first]), []);
  sim.step(640, [ready(crash, { api: 0, web: 2, cart: 2 })]);
  for (const second of [650, 700]) assert.deepEqual(sim.step(second, [first]), [], 'it comes and goes');
  const later = ready(crash, { api: 0, web: 0, cart: 0 });
  assert.deepEqual(sim.step(800, [later]), []);
  assert.deepEqual(sim.step(815, [later]), [`update ${api} WorkloadDown → oncall`]);
});

test('what others say of a workload does not hide that it goes down itself', () => {
  const members = [finding('Service/shop/api', { reason: 'ServiceRefusing' })];
  const said = { ...explanation(api, { reason: 'ServiceRefusing', members }), workloads: [] };
  const lied: Explanation = { ...said, impact: [{ ref: 'Pod/team-a/liar', wanted: 1, ready: 0 }] };
  const sim = told(lied);
  const down = { ...lied, impact: [...(lied.impact ?? []), { ref: api, wanted: 2, ready: 0 }] };
  assert.deepEqual(sim.step(100, [down]), []);
  assert.deepEqual(sim.step(115, [down]), [`update ${api} WorkloadDown → oncall`]);
  for (const second of [200, 1_000]) assert.deepEqual(sim.step(second, [down]), []);
});

test('who was told that a Service leads nowhere expects that its clients go down', () => {
  const service = explanation('Service/shop/db', { reason: 'ServiceSelectsNothing' });
  const sim = told(service);
  for (const second of [40, 200, 500]) assert.deepEqual(sim.step(second, [ready(service, { api: 0 })]), []);
});

test('what else follows from the edit that is blamed is no other failure', () => {
  const blamed = { change: { ref: api, field: 'image', at: 0 } } as const;
  const sim = told({ ...crash, ...blamed });
  const unready = { ...explanation(api, { reason: 'ReadinessProbeFailed' }), ...blamed };
  for (const second of [100, 200, 900]) assert.deepEqual(sim.step(second, [unready]), []);
});

test('what is found besides what was told is no other failure as long as that holds', () => {
  const sim = told(crash);
  const besides = failing('ReadinessProbeFailed', [finding('Pod/shop/web-a', { reason: 'ReadinessProbeFailed' })]);
  for (const second of [100, 700, 1_400]) assert.deepEqual(sim.step(second, [besides]), []);
  const instead = explanation(api, { reason: 'ReadinessProbeFailed' });
  sim.step(1_500, [instead]);
  assert.deepEqual(sim.step(1_575, [instead]), [`update ${api} AnotherFailure → oncall`]);
});

test('that the root fails itself is another failure than what fails because of it', () => {
  const node = explanation('Node//n1', { members: crash.members });
  const sim = told(node);
  const own: Explanation = {
    ...node,
    reason: 'PIDPressure',
    members: [...node.members, finding('Node//n1', { reason: 'PIDPressure' })],
  };
  sim.step(100, [own]);
  assert.deepEqual(sim.step(175, [own]), ['update Node//n1 AnotherFailure → oncall']);
});

test('a failure that is its own cause is not withdrawn while it holds, and is when it does not', () => {
  const killed = finding(pod, { reason: 'OOMKilled' });
  const sim = told(explanation(api, { reason: 'OOMKilled', members: [killed] }));
  const unsure = failing('CrashLoopBackOff', [killed], 'unknown');
  for (const second of [100, 800, 1_600]) assert.deepEqual(sim.step(second, [unsure]), []);
  const without = failing('CrashLoopBackOff', [], 'unknown');
  sim.step(2_000, [without]);
  assert.deepEqual(sim.step(2_600, [without]), [`update ${api} CauseWithdrawn → oncall`]);
});

test('an edit that was blamed is withdrawn once nothing has spoken for it for ten minutes', () => {
  const change = { ref: api, field: 'image', at: 0 } as const;
  const sim = told({ ...crash, change });
  const unsure: Explanation = { ...crash, confidence: 'unknown' };
  sim.step(100, [unsure]);
  assert.deepEqual(sim.step(699, [unsure]), []);
  assert.deepEqual(sim.step(700, [unsure]), [`update ${api} CauseWithdrawn → oncall`]);
});

test('an edit that comes to be blamed is a cause that is found, though Pods come and go meanwhile', () => {
  const sim = told({ ...ready(crash, { api: 0 }), confidence: 'unknown' });
  const blamed = { change: { ref: api, field: 'image', at: 0 } } as const;
  sim.step(100, [{ ...ready(crash, { api: 0 }), ...blamed }]);
  sim.step(110, [{ ...ready(crash, { api: 1 }), ...blamed }]);
  const last = { ...ready(crash, { api: 1 }), ...blamed };
  assert.deepEqual(sim.step(115, [last]), [`update ${api} CauseFound → oncall`]);
});

test('that others fail because of it does not say why it fails itself', () => {
  const sim = told({ ...crash, confidence: 'unknown' });
  for (const second of [100, 200, 900]) assert.deepEqual(sim.step(second, [crash]), []);
  const unavailable = explanation(api, { reason: 'DeploymentUnavailable' });
  const other = told({ ...unavailable, confidence: 'unknown' });
  other.step(100, [crash]);
  assert.deepEqual(other.step(115, [crash]), [`update ${api} CauseFound → oncall`]);
});
