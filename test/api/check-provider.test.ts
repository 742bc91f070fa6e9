import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkProvider } from '../../src/api/check-provider.ts';
import { cases } from './cases.ts';

const webhook = { url: { secretKeyRef: { name: 'a', key: 'b' } } };

test('an unknown type is named, with the types there are', () => {
  const [problem, ...others] = checkProvider({ type: 'carrierpigeon', carrierpigeon: {} });
  assert.deepEqual([problem?.path, others], ['spec.type', []]);
  assert.match(
    problem?.message ?? '',
    /^`spec\.type` is "carrierpigeon", which is no provider type; use one of: .*webhook/,
  );
});

test('a missing block is named', () => {
  const [problem] = checkProvider({ type: 'webhook' });
  assert.equal(problem?.path, 'spec.webhook');
  assert.match(problem.message, /is required, since `spec\.type` is "webhook"/);
});

test('a block of another type is named, beside what is wrong with the own one', () => {
  const problems = checkProvider({ type: 'webhook', webhook: {}, slack: { token: 'T0KEN' } });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['spec.slack', 'spec.webhook.url'],
  );
  assert.match(problems[0]?.message ?? '', /remove the block/);
  assert.doesNotMatch(JSON.stringify(problems), /T0KEN/);
});

test('a right spec with all common fields has no problem', () => {
  const common = { routes: [{ selector: {} }], retry: { delay: '5s' }, fallback: 'mail', suspend: true };
  assert.deepEqual(checkProvider({ type: 'webhook', webhook, ...common }), []);
});

test('what the API server takes passes, but for addresses that it cannot judge', () => {
  for (const { name, manifest, refused } of cases) {
    const spec: unknown = manifest.spec;
    if (refused || manifest.kind !== 'AlertProvider') continue;
    assert.deepEqual(checkProvider({ type: 'webhook', ...Object(spec) }), [], name);
  }
});

test('a spec of any shape is judged without a crash', () => {
  for (const block of [null, 5, 'x', [], { url: null }, { url: [], headers: [null, 5], basicAuth: 7 }])
    assert.ok(checkProvider({ type: 'webhook', webhook: block }).length > 0, JSON.stringify(block));
});
