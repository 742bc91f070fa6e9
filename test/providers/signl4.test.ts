/** What the conformance suite cannot know of SIGNL4: what is worth another call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import type { Severity } from '../../src/model/severity.ts';
import { signl4 } from '../../src/providers/signl4.ts';
import { notifications } from './notifications.ts';
import { sent } from './sent.ts';

const config = { teamSecret: new Secret('team') };
const { update } = notifications;

test('an update is told only when it is worse than what was told before', async () => {
  const count = async (severity: Severity): Promise<number> => {
    const { outcome, requests } = await sent(signl4, config, { ...update, severity });
    assert.equal(outcome.is, 'delivered');
    return requests.length;
  };
  assert.deepEqual(await Promise.all([count('critical'), count('high'), count('medium')]), [1, 0, 0]);
});
