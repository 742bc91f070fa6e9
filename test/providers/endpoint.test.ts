import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '../../src/providers/kit.ts';

test('an endpoint keeps the path and port of its base, with or without a slash at the end', () => {
  for (const base of ['https://h:8443/api', 'https://h:8443/api/', 'https://h:8443/api//'])
    assert.equal(endpoint(base, 'alert').href, 'https://h:8443/api/alert');
  assert.equal(endpoint('https://h', '/v1/x').href, 'https://h/v1/x');
});

test('a query is encoded, and a fragment is not sent', () => {
  assert.equal(endpoint('https://h/a?old=1#top', 'b', { q: 'x&y=z' }).href, 'https://h/a/b?q=x%26y%3Dz');
  assert.equal(endpoint('https://h/', `b/${encodeURIComponent('c/d?e')}`).href, 'https://h/b/c%2Fd%3Fe');
});
