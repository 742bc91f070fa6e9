import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeChange } from '../../../src/message/parts/change.ts';
import type { BlamedChange } from '../../../src/model/explanation.ts';
import { at } from '../../world/objects.ts';

const api = 'Deployment/shop/api';
const say = (change: Omit<BlamedChange, 'ref' | 'at'>): string =>
  describeChange({ ref: api, at: at(0), ...change }, api, at(1));

test('an edit is told by the parts of the field it touched', () => {
  assert.equal(say({ field: 'env', parts: ['DB_HOST'] }), 'its environment variable DB_HOST changed at 12:00 UTC');
  assert.equal(say({ field: 'env', parts: ['A', 'B'] }), 'its environment variables A and B changed at 12:00 UTC');
  assert.equal(say({ field: 'env', parts: ['A', 'B', 'C', 'D'] }), 'its environment variables changed at 12:00 UTC');
  assert.equal(
    say({ field: 'resources', parts: ['limits.memory'], from: '256Mi', to: '128Mi' }),
    'its memory limit changed from 256Mi to 128Mi at 12:00 UTC',
  );
  assert.equal(
    say({ field: 'livenessProbe', parts: ['timeoutSeconds'], from: '5', to: '1' }),
    'its liveness probe (timeoutSeconds) changed from 5 to 1 at 12:00 UTC',
  );
  assert.equal(say({ field: 'resources', parts: ['limits.nvidia.com/gpu'] }), 'its resources changed at 12:00 UTC');
  assert.equal(say({ field: 'volumes', parts: ['data'] }), 'its volumes changed at 12:00 UTC');
});

test('of a network policy it is told whose traffic it restricts', () => {
  const policy = 'NetworkPolicy/shop/default-deny';
  const told = (change: Omit<BlamedChange, 'ref' | 'at'>): string =>
    describeChange({ ref: policy, at: at(0), ...change }, api, at(1));
  assert.equal(
    told({ field: 'creation', parts: ['all Pods of its namespace'], by: 'kubectl' }),
    'NetworkPolicy shop/default-deny, which selects all Pods of its namespace, was created at 12:00 UTC (kubectl)',
  );
  assert.equal(
    told({ field: 'policy', parts: ['Pods with app=api'] }),
    'the rules of NetworkPolicy shop/default-deny, which selects Pods with app=api, changed at 12:00 UTC',
  );
  assert.equal(
    told({ field: 'selector', from: 'app=web', to: 'app=api' }),
    'the selector of NetworkPolicy shop/default-deny changed from app=web to app=api at 12:00 UTC',
  );
});
