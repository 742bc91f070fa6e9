/** Which addresses of Teams are connectors: all others are flows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfBlock, isConnector } from '../../src/providers/teams/hosts.ts';

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

test('what Microsoft has taken down is named with its day, where the address can be seen', () => {
  const day = (value: string) => endOfBlock({ webhook: { value } })?.day;
  assert.equal(day('https://contoso.webhook.office.com/webhookb2/x'), '2026-05-22');
  assert.equal(day('https://prod-07.westeurope.logic.azure.com:443/workflows/x'), '2025-11-30');
  assert.equal(day('https://default0c2f.19.environment.api.powerplatform.com/x'), undefined);
  assert.equal(day('no address'), undefined);
  assert.equal(endOfBlock({ webhook: { secretKeyRef: { name: 'teams', key: 'webhook' } } }), undefined);
});
