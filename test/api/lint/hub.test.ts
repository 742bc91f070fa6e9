import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hubRemarks } from '../../../src/api/lint/hub.ts';

test('a hub that nobody can reach is told, and one that somebody can is not', () => {
  const remarks = (spec: Parameters<typeof hubRemarks>[0]) =>
    hubRemarks(spec).map(({ rule, path }) => `${rule} ${path}`);
  assert.deepEqual(remarks({ hub: { enabled: true } }), ['NoEffect spec.hub.enabled']);
  assert.deepEqual(remarks({ hub: { allowPlainHTTP: true } }), ['NoEffect spec.hub']);
  for (const spec of [
    {},
    { hub: { url: 'https://hub.example.com' } },
    { hub: { enabled: true, allowPlainHTTP: true } },
    { hub: { enabled: true }, statusEndpoint: { tls: { secretName: 'tocsin-tls' } } },
  ])
    assert.deepEqual(remarks(spec), []);
});
