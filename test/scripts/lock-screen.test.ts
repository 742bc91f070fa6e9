/** What people see of a message before they open it, over all provider types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockScreens } from '../../scripts/generate/lock-screen-page.ts';
import { providers } from '../../src/providers/registry.ts';

test('the first 100 characters of every provider type say what broke, why, and whom it hits', () => {
  const shown = lockScreens();
  assert.deepEqual([...shown.keys()].sort(), providers.map(({ type }) => type).sort());
  for (const [type, text] of shown)
    assert.match(text, /shop\/payments crashes: image 2\.3 (?:→|->) 2\.4 [·-] 3 of 5 serve/, type);
});
