/** Which addresses of Teams are connectors: all others are flows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnector } from '../../src/providers/teams/connector.ts';
import { retiredHost } from '../../src/providers/teams/flow.ts';

test('connectors are told by their host, and by all of it', () => {
  const connectors = [
    'contoso.webhook.office.com',
    'outlook.office.com',
    'outlook.office365.com',
    'outlook.office365.us',
  ];
  const flows = [
    ...['prod-07.westeurope.logic.azure.com', 'default0c2f.19.environment.api.powerplatform.com'],
    ...['hooks.azure-api.net', 'webhook.office.com.evil.example', 'fakewebhook.office.com', 'alerts.example.com'],
  ];
  for (const host of connectors) assert.equal(isConnector(host), true, host);
  for (const host of flows) assert.equal(isConnector(host), false, host);
});

test('only the hosts that were taken down have advice of their own', () => {
  assert.match(retiredHost('prod-07.westeurope.logic.azure.com') ?? '', /copy the new address/);
  assert.equal(retiredHost('default0c2f.19.environment.api.powerplatform.com'), undefined);
});
