import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsOf, identityOf } from '../../../../src/message/render/kit/details.ts';
import { lengthIn, type Unit } from '../../../../src/message/render/kit/truncate.ts';
import { kubectl } from '../../../../src/model/command.ts';
import type { Notification } from '../../../../src/model/notification.ts';
import { fc } from '../../../fast-check.ts';
import { hostile, materials, oversize } from '../../../providers/conformance/hostile.ts';
import { notifications } from '../sample.ts';

const { open } = notifications;

test('an incident is told row by row, what matters most first', () => {
  assert.deepEqual(Object.entries(detailsOf({ ...open, note: 'via chat because it failed' }, { max: 8_000 })), [
    ['message', open.lead],
    ['note', 'via chat because it failed'],
    ['impact', '2 of 5 pods of Deployment shop/payments are not ready.'],
    ['cause', 'The new image registry.example/payments:2.4 exits with code 1 at start.'],
    ['evidence', 'Container app exited with code 1 four times.\nPods of the previous revision are healthy.'],
    ['nextStep', 'kubectl -n shop rollout history deployment/payments'],
    ['severity', 'high'],
    ['reason', 'CrashLoopBackOff'],
    ['root', 'Deployment shop/payments'],
    ['namespace', 'shop'],
    ['cluster', 'prod eu'],
    ['incidentId', 'inc-9f3c1a52'],
    ['startedAt', '2026-11-20T09:00:00.000Z'],
    ['confidence', 'high'],
    ['links', 'Runbook: https://runbooks.example/crash?x=1&y=2'],
    ['affectedCount', '3'],
    ['affected', 'Pod shop/payments-7d9c-a, Pod shop/payments-7d9c-b, Service shop/payments'],
    ['image', 'registry.example/payments:2.4'],
    ['labels', 'app=payments, team=checkout'],
    ['logsFrom', 'last log of payments-7d9c-a/app'],
    ['logs', 'starting "payments" <2.4>\npanic: no config ✗'],
  ]);
});

test('what identifies an incident is short', () => {
  assert.deepEqual(identityOf(open, { max: 100 }), {
    severity: 'high',
    reason: 'CrashLoopBackOff',
    root: 'Deployment shop/payments',
    namespace: 'shop',
    cluster: 'prod eu',
    incidentId: 'inc-9f3c1a52',
    startedAt: '2026-11-20T09:00:00.000Z',
    affectedCount: '3',
    labels: 'app=payments, team=checkout',
  });
  for (const text of Object.values(identityOf(oversize('"', 'open'), { max: 100 })))
    assert.ok(JSON.stringify(text).length <= 100 + 4);
});

test('a message without an incident has no empty rows', () => {
  assert.deepEqual(detailsOf(notifications.startup, { max: 8_000 }), {
    message: 'Nothing here needs you now.',
    problems: 'Pod shop/a (low): Not ready.\nNode n1 (low): Not ready.',
    severity: 'medium',
    cluster: 'prod eu',
  });
});

test('a command that changes the cluster says so', () => {
  const command = kubectl('rollout undo', 'Deployment/shop/api');
  assert.ok(command);
  const nextStep = { command, changesCluster: true };
  const { nextStep: told } = detailsOf({ ...open, nextStep }, { max: 8_000 });
  assert.equal(told, 'Next (changes the cluster): kubectl rollout undo deployment api -n shop');
});

test('a resolution says when it was over', () => {
  assert.equal(detailsOf(notifications.resolve, { max: 8_000 }).resolvedAt, '2026-11-20T09:12:00.000Z');
});

test('the log is cut first, to its last lines, and left out where hardly any would fit', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index} ${'x'.repeat(100)}`);
  const long: Notification = { ...open, excerpt: { source: 'log', lines } };
  const whole = detailsOf(long, { max: 64_000 });
  assert.equal(whole.logs, lines.join('\n'));
  const { logs: cut, ...others } = detailsOf(long, { max: 4_000 });
  const { logs: _all, ...expected } = whole;
  assert.deepEqual(others, expected);
  assert.match(cut ?? '', /^…\nline \d\d x+\n/);
  assert.ok(cut?.endsWith(lines.at(-1) ?? '-'));
  assert.equal(Object.keys(detailsOf(long, { max: 1_050 })).at(-1), 'labels');
});

test('a quieter text is measured as it is shown', () => {
  const quiet = (text: string): string => text.replaceAll('a', 'aaaaaaaaaa');
  for (const unit of ['bytes', 'characters'] as const) {
    const json = JSON.stringify(detailsOf(oversize('a', 'open'), { max: 4_000, unit, quiet }));
    assert.ok(lengthIn(unit, json) <= 4_000);
    assert.match(json, /"reason":"CraaaaaaaaaashLoopBaaaaaaaaaackOff"/);
  }
});

test('no text of the cluster becomes a key', () => {
  const usual = Object.keys(detailsOf(open, { max: 64_000 }));
  const facts = [...(hostile().facts ?? []), { name: '__proto__', value: 'x' }, { name: 'Severity', value: 'none' }];
  const found = detailsOf({ ...hostile(), facts }, { max: 64_000 });
  assert.ok(Object.keys(found).every((key) => usual.includes(key) || key === 'note'));
  assert.equal(found.severity, 'high');
});

test('the record keeps to its limit in every unit, whatever it is made of', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(materials), '\ud800', '\u0001'),
      fc.constantFrom<Unit>('bytes', 'utf16', 'characters'),
      fc.integer({ min: 0, max: 20_000 }),
      fc.constantFrom('open', 'digest'),
      (material, unit, max, act) => {
        const record = detailsOf(oversize(material, act), { max, unit });
        assert.ok(Object.keys(record).length === 0 || lengthIn(unit, JSON.stringify(record)) <= max);
        for (const text of Object.values(record)) assert.ok(text.isWellFormed());
      },
    ),
    { numRuns: 60 },
  );
});
