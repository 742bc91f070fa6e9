import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { notifications } from '../message/render/sample.ts';
import type { Message } from './kit/play.ts';
import type { Times } from './kit/times.ts';
import { isAllWell, isImpossible, type Wording, wordingOf } from './kit/wording.ts';

test('a symptom is impossible on an object whose kind cannot have it', () => {
  const impossible = [
    'ConfigMap shop/settings crashes: it was edited',
    'Node n1 cannot pull its image: the disk of the node is full',
    'Secret mesh/ca failed: exit code 60 · Job mesh/init fails',
    'Spreading — NetworkPolicy shop/deny is OOM-killed',
    'quota shop/q cannot be scheduled',
    'shop/api is lost · nothing serves',
    'shop/api and shop/web select no pods',
    'Now high — shop/api lost its volume disk-1',
  ];
  for (const title of impossible) assert.ok(isImpossible(title), title);
});

test('what each kind can have is possible', () => {
  const possible = [
    'shop/api crashes: image 2.3 → 2.4 · nothing serves',
    'shop/api and shop/web are OOM-killed',
    '2 pods of shop/api cannot be scheduled: no node has enough free CPU',
    '3 workloads crash: probably Zone eu-1a',
    'Job ops/report failed: exit code 1',
    'Pod shop/api-1 fails its readiness probe',
    'Init container init of shop/api fails: probably Node n2',
    'Volume data of shop/db cannot be mounted',
    'Node n2 cannot start new pods',
    'Node n1 cannot pull images: the disk of the node is full',
    'Node n3 is lost · 2 workloads are down',
    'Secret shop/db is missing · 1 pod of shop/api cannot start',
    'Service shop/api selects no pods: it wants app: chekcout',
    'Cluster DNS is down: none of its 2 pods is ready',
    'The rollout of shop/api is stuck',
  ];
  for (const title of possible) assert.ok(!isImpossible(title), title);
});

test('all is well where an impact says no more than that everything serves', () => {
  for (const impact of [
    'All 3 replicas still serve.',
    'Its only replica still serves.',
    'Deployment shop/api (3 of 3 ready) and Deployment shop/web (1 of 1 ready) still serve.',
  ])
    assert.ok(isAllWell(impact), impact);
  for (const impact of [
    '',
    '2 of 5 replicas are down; the other 3 still serve.',
    'Deployment shop/api (2 of 3 ready) still serves.',
    'Deployment shop/api is down. Deployment shop/web (1 of 1 ready) still serves.',
    'All 3 replicas still serve. Nothing answers at shop.example/.',
    'All 3 replicas still serve. Deployment shop/web (0 of 2 ready) fails because of it.',
  ])
    assert.ok(!isAllWell(impact), impact);
});

const { open, update, resolve } = notifications;
const message = (notification: Notification, seconds: number): Message => ({
  ...{ at: seconds * 1000, run: 0, notification },
  delivery: { act: notification.act } as Message['delivery'],
});
const root = 'Deployment/shop/payments';
const times = (from: number, until?: number, madeAt = -1_000): Times => ({
  outages: new Map([[root, [{ from: from * 1000, ...(until !== undefined && { until: until * 1000 }) }]]]),
  used: new Map([[root, madeAt * 1000]]),
  ...{ healthyAt: new Map(), failing: new Set() },
});
const none: Times = { outages: new Map(), used: new Map(), healthyAt: new Map(), failing: new Set() };

const counted = (what: keyof Wording, messages: readonly Message[], of: Times): number =>
  wordingOf(messages, of)[what].length;

test('an outage of what others use is to be critical within two minutes', () => {
  const high = message(open, 60);
  assert.equal(counted('tooMild', [high], times(50)), 1);
  assert.equal(counted('tooMild', [high, message(update, 150)], times(50)), 0, 'an update has said so');
  assert.equal(counted('tooMild', [high, message(update, 200)], times(50)), 1, 'too late');
  assert.equal(counted('tooMild', [high], times(50, 70)), 0, 'that is how Pods are replaced');
  assert.equal(counted('tooMild', [high], times(50, undefined, 10)), 0, 'it has served nobody yet');
  assert.equal(counted('tooMild', [high, message(resolve, 90)], times(100)), 0, 'it was over');
  assert.equal(counted('tooMild', [high], { ...times(50), used: new Map() }), 0, 'nobody uses it');
});

test('a message that is high although everything serves is counted, and a weaker word for one cause', () => {
  const whole = { ...open, impact: 'All 5 replicas still serve.' };
  assert.equal(counted('tooSevere', [message(whole, 0)], none), 1);
  assert.equal(counted('tooSevere', [message({ ...whole, severity: 'medium' }, 0), message(open, 1)], none), 0);
  const weaker = { ...update, lead: 'It began at 09:00 UTC, probably because its image changed.' };
  assert.equal(counted('lessSure', [message(open, 0), message(weaker, 60)], none), 1);
  assert.equal(counted('lessSure', [message(open, 0), message(update, 60)], none), 0);
});
