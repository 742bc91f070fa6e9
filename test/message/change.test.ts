import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeChange } from '../../src/message/change.ts';
import type { BlamedChange } from '../../src/model/explanation.ts';
import { at } from '../world/objects.ts';

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
  assert.equal(
    say({ field: 'resources', parts: ['limits.nvidia.com/gpu'] }),
    'its resource requests or limits changed at 12:00 UTC',
  );
  assert.equal(say({ field: 'volumes', parts: ['data'] }), 'its volumes changed at 12:00 UTC');
});
