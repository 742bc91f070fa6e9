import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { eventOf } from '../../src/providers/datadog/event.ts';
import { deliveryOf, notifications } from './notifications.ts';

const { open, resolve, digest } = notifications;
const { incident } = open;
assert.ok(incident);
const hour = 3_600_000;
const event = (notification: Notification, alertType: 'error' | 'user_update' = 'error', now = notification.at) =>
  eventOf(notification, deliveryOf(notification), { alertType }, now);

test('the alert type follows the severity, a chosen one goes for every open problem, an end is a success', () => {
  const types = (['critical', 'high', 'medium', 'low'] as const).map((severity) => {
    const told = { ...open, severity };
    return [event(told).alert_type, event(told, 'user_update').alert_type, event(told).priority];
  });
  assert.deepEqual(types, [
    ['error', 'user_update', 'normal'],
    ['error', 'user_update', 'normal'],
    ['warning', 'user_update', 'normal'],
    ['warning', 'user_update', 'low'],
  ]);
  assert.equal(event(resolve, 'user_update').alert_type, 'success');
  assert.equal(event(digest, 'user_update').alert_type, 'info');
});

test('the host is the node it is about, or the one node of all its pods', () => {
  const about = (own: Partial<typeof incident>) => event({ ...open, incident: { ...incident, ...own } }).host;
  const pod = (node?: string) => ({ name: 'p', namespace: 'shop', ...(node !== undefined && { node }) });
  assert.equal(about({ root: 'Node//n7' }), 'n7');
  assert.equal(about({ pods: [pod('n1'), pod('n1')] }), 'n1');
  assert.equal(about({ pods: [pod('n1'), pod('n2')] }), undefined);
  assert.equal(about({ pods: [pod('n1'), pod()] }), undefined);
  assert.equal(about({ pods: [] }), undefined);
});

test('an event that Datadog would refuse as too old carries the time of the attempt', () => {
  const seconds = (lateMs: number) => event(open, 'error', open.at + lateMs).date_happened * 1000 - open.at;
  assert.deepEqual([seconds(0), seconds(16 * hour), seconds(18 * hour)], [0, 0, 18 * hour]);
});

test('tags are lower case and begin with a letter; kinds without a tag of their own say their kind', () => {
  const root = 'Registry//ghcr.io/Team A' as const;
  const { tags } = eventOf(
    { ...open, incident: { ...incident, root, labels: { '9x/Y': 'Größe 1', severity: 'mine' } } },
    deliveryOf(open),
    { alertType: 'error', tags: ['Env: Prod', '--'] },
    open.at,
  );
  for (const tag of ['kube_kind:registry', 'kube_name:ghcr.io/team_a', 'x/y:größe_1', 'env:_prod', 'severity:high'])
    assert.ok(tags.includes(tag), `${tag} is not in ${tags.join(' ')}`);
  assert.ok(!tags.includes('severity:mine') && !tags.includes(''));
});

test('a kind may be called as what every object of JavaScript has', () => {
  const odd = { ...open, incident: { ...incident, root: 'constructor.x.example/shop/api' as const } };
  assert.ok(event(odd).tags?.includes('kube_name:api'));
});
