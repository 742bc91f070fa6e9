import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertsRemarks } from '../../../src/api/lint/alerts-in.ts';

test('alerts that nobody can send are told, and those that somebody can are not', () => {
  const remarks = (spec: Parameters<typeof alertsRemarks>[0]) =>
    alertsRemarks(spec).map(({ rule, path }) => `${rule} ${path}`);
  assert.deepEqual(remarks({ alertsIn: { enabled: true } }), ['NoEffect spec.alertsIn.enabled']);
  assert.deepEqual(remarks({ alertsIn: { names: ['Kube*'] } }), ['NoEffect spec.alertsIn']);
  for (const spec of [
    {},
    { alertsIn: { enabled: true, allowPlainHTTP: true } },
    { alertsIn: { enabled: true }, statusEndpoint: { tls: { secretName: 'tocsin-tls' } } },
  ])
    assert.deepEqual(remarks(spec), []);
});
