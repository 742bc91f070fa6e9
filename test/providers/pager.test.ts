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

test('an update that is no more severe is told when everybody must see it: it has spread, or a reminder was asked for', async () => {
  const incident = update.incident && { ...update.incident, ring: true as const };
  const reminder = { ...update, severity: 'high', ...(incident && { incident }) } as const;
  const { requests } = await sent(signl4, { teamSecret: key }, reminder);
  assert.equal(requests.length, 1);
  assert.equal((await sent(squadcast, { serviceKey: key, region: 'us' }, reminder)).requests.length, 1);
});
