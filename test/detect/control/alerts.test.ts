import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/model/ref.ts';
import { alert } from '../../world/alert-objects.ts';
import { at, node, pod, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const api: Ref = 'Deployment/shop/api';

test('E4 fires: about the first that is there of what the labels name, with the severity of the alert', () => {
  const k8s = story();
  k8s.put(at(0), node('n1'), workload('Deployment', 'api'), pod('api-1'));
  k8s.put(
    at(2),
    alert('RequestsFail', ['Pod/shop/gone', api, 'Pod/shop/api-1'], { since: at(1), severity: 'critical' }),
  );
  assert.deepEqual(k8s.found(), ['Deployment/shop/api ExternalAlert']);
  const { scope, since, severity, facts, detail } = k8s.finding(api, 'ExternalAlert');
  assert.deepEqual(
    [scope, since, severity, facts.alert, detail],
    ['RequestsFail', at(1), 'critical', 'RequestsFail', undefined],
  );
});

test('E4 fires: once for an alert that several series fire, since the first and as bad as the worst', () => {
  const k8s = story();
  k8s.put(at(0), workload('Deployment', 'api'));
  k8s.put(at(5), alert('RequestsFail', [api], { id: 'a', since: at(4), severity: 'low' }));
  k8s.put(at(6), alert('RequestsFail', [api], { id: 'b', since: at(3), severity: 'high', summary: '5 % fail' }));
  k8s.put(at(6), alert('RequestsAreSlow', [api], { since: at(5) }));
  assert.deepEqual(k8s.found(), [`${api} ExternalAlert`, `${api} ExternalAlert`]);
  const found = k8s.detection.findings(api).map(({ scope, since, severity }) => [scope, since, severity]);
  assert.deepEqual(found, [
    ['RequestsAreSlow', at(5), 'medium'],
    ['RequestsFail', at(3), 'high'],
  ]);
});

test('E4 fires: of the eight worst by their names, however many fire of one object', () => {
  const k8s = story();
  k8s.put(at(0), workload('Deployment', 'api'));
  k8s.put(at(1), ...Array.from({ length: 60 }, (_, index) => alert(`Alert${index}`, [api])));
  k8s.put(at(1), alert('Worst', [api], { severity: 'critical' }));
  const found = k8s.detection.findings(api);
  assert.deepEqual([found.length, found.some(({ scope }) => scope === 'Worst')], [8, true]);
});

test('E4 fires: about what is left where the object goes that it was about', () => {
  const k8s = story();
  k8s.put(at(0), workload('Deployment', 'api'), pod('api-1'));
  k8s.put(at(1), alert('RequestsFail', ['Pod/shop/api-1', api]));
  assert.deepEqual(k8s.found(), ['Pod/shop/api-1 ExternalAlert']);
  k8s.gone(at(2), pod('api-1'));
  k8s.wait(at(3, 30));
  assert.deepEqual(k8s.found(), [`${api} ExternalAlert`]);
});

test('E4 clears: it is resolved, or nobody repeats it', () => {
  const k8s = story();
  k8s.put(at(0), workload('Deployment', 'api'));
  const fired = alert('RequestsFail', [api], { until: at(10) });
  k8s.put(at(1), fired);
  k8s.gone(at(2), fired);
  assert.deepEqual(k8s.found(), []);
  k8s.put(at(3), fired);
  k8s.wait(at(9, 59));
  assert.deepEqual(k8s.found(), [`${api} ExternalAlert`]);
  k8s.wait(at(10));
  assert.deepEqual(k8s.found(), []);
});

test('E4 clears: not before the last repetition says', () => {
  const k8s = story();
  k8s.put(at(0), workload('Deployment', 'api'));
  k8s.put(at(1), alert('RequestsFail', [api], { until: at(10) }));
  k8s.put(at(8), alert('RequestsFail', [api], { until: at(18) }));
  k8s.wait(at(17));
  assert.deepEqual(k8s.found(), [`${api} ExternalAlert`]);
  k8s.wait(at(18));
  assert.deepEqual(k8s.found(), []);
});

test('E4 is quiet: nothing is there that it names, or what it names first may be there and cannot be seen', () => {
  const k8s = story();
  k8s.put(at(0), workload('Deployment', 'other'));
  k8s.put(at(1), alert('RequestsFail', [api, 'Node//n7']));
  assert.deepEqual(k8s.found(), []);
  const blind = story();
  blind.see('Pod', 'Denied', at(0));
  blind.put(at(0), workload('Deployment', 'api'));
  blind.put(at(1), alert('RequestsFail', ['Pod/shop/api-1', api]));
  assert.deepEqual(blind.found(), []);
});
