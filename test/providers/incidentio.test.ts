/** What the conformance suite cannot know of incident.io: an address without any token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import { incidentio } from '../../src/providers/incidentio.ts';
import { notifications } from './notifications.ts';
import { sent } from './sent.ts';

test('without a token anywhere nothing is sent, and the outcome says what to set', async () => {
  for (const end of ['', '?token=', '?other=1']) {
    const url = new Secret(`https://api.incident.io/v2/alert_events/http/canary${end}`);
    const { outcome, requests } = await sent(incidentio, { url }, notifications.open);
    assert.deepEqual(requests, []);
    assert.ok(outcome.is === 'permanent' && outcome.credential);
    assert.match(outcome.reason, /^set `apiKey` to the token of the alert source/);
    assert.doesNotMatch(outcome.reason, /canary/);
  }
});
