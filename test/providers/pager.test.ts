/** What the conformance suite cannot know of pagers that cannot change an alert: which updates are worth another call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import type { Severity } from '../../src/model/severity.ts';
import { signl4 } from '../../src/providers/signl4.ts';
import { squadcast } from '../../src/providers/squadcast.ts';
import { notifications } from './notifications.ts';
import { sent } from './sent.ts';

const { update } = notifications;
const key = new Secret('key');

test('an update is told only when it is worse than what was told before', async () => {
  for (const tell of [
    (severity: Severity) => sent(signl4, { teamSecret: key }, { ...update, severity }),
    (severity: Severity) => sent(squadcast, { serviceKey: key, region: 'us' }, { ...update, severity }),
  ]) {
    const told = await Promise.all((['critical', 'high', 'medium'] as const).map(tell));
    assert.deepEqual(
      told.map(({ outcome, requests }) => [outcome.is, requests.length]),
      [
        ['delivered', 1],
        ['delivered', 0],
        ['delivered', 0],
      ],
    );
  }
});
