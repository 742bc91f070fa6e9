import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { secretAddresses } from '../../src/model/redaction/addresses.ts';
import { providers } from '../../src/providers/registry.ts';

/** The address of each type that has its credential in it, the credential between « and ». */
const addresses: Readonly<Record<string, readonly string[]>> = {
  dingtalk: ['https://oapi.dingtalk.com/robot/send?access_token=«0a1b2c3d4e5f60718293a4b5c6d7e8f9»'],
  discord: [
    'https://discord.com/api/webhooks/123456789012345678/«AbCdEfGh_IjKl-MnOp»',
    'https://discordapp.com/api/v10/webhooks/1/«AbCd»',
  ],
  feishu: [
    'https://open.feishu.cn/open-apis/bot/v2/hook/«0a1b2c3d-4e5f-6789»',
    'https://open.larksuite.com/open-apis/bot/v2/hook/«0a1b2c3d»',
  ],
  flock: ['https://api.flock.com/hooks/sendMessage/«0a1b2c3d-4e5f»'],
  googlechat: ['https://chat.googleapis.com/v1/spaces/AAAA/messages?key=«AbCdEfGh0123456789»&token=«aBcDeFgHiJkL0123»'],
  homeassistant: ['http://ha.example:8123/api/webhook/«aB3dE5fG7hJ9kL1mN2pQ»'],
  ifttt: [
    'https://maker.ifttt.com/trigger/tocsin/with/key/«dJk39sKqLwPz»',
    'https://maker.ifttt.com/trigger/tocsin/json/with/key/«dJk39sKqLwPz»',
  ],
  incidentio: ['https://api.incident.io/v2/alert_events/http/«01HABCDEFGH»'],
  mattermost: ['https://chat.example/hooks/«4jf8s0d9f8g7h6j5k4l3z2x1c0»'],
  n8n: [
    'https://n8n.example/webhook/«0b9f2c4e-77aa-4c1b-8a3d-5e6f7a8b9c0d»',
    'https://n8n.example/webhook-test/«0b9f2c4e-77aa-4c1b-8a3d-5e6f7a8b9c0d»',
  ],
  pagerduty: [
    'https://events.pagerduty.com/integration/«0123456789abcdef»/enqueue',
    'https://events.eu.pagerduty.com/integration/«0123456789abcdef»/enqueue',
  ],
  rocketchat: ['https://chat.example/hooks/«5f8a7b6c5d4e3f2a1b0c9d8e»/«AbCdEfGhIjKlMnOpQrStUvWxYz0123456789»'],
  signl4: ['https://connect.signl4.com/webhook/«abc12def34»'],
  slack: ['https://hooks.slack.com/services/«T000/B000/XXXX»', 'https://hooks.slack.com/triggers/«T0/1/abc»'],
  splunkoncall: ['https://alert.victorops.com/integrations/generic/20131114/alert/«0a1b2c3d/team»'],
  squadcast: ['https://api.squadcast.com/v2/incidents/api/«0a1b2c3d4e»'],
  teams: ['https://contoso.webhook.office.com/webhookb2/«a1b2@c3/IncomingWebhook/d4e5»'],
  teamsworkflows: [
    'https://prod-01.westeurope.logic.azure.com/workflows/w/triggers/manual/paths/invoke?sp=x&sv=1.0&sig=«AbCdEfGh_IjKlMnOpQrS»',
    'https://default0c2f.19.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/w/triggers/manual/paths/invoke?api-version=1&sig=«AbCdEfGh0IjKlMnOp»',
  ],
  telegram: ['https://api.telegram.org/bot«123456789:AAabc»/sendMessage'],
  wecom: ['https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«693a91f6-7abc-4bc4-97a0-0ec2aaaa5aaa»'],
  zapier: ['https://hooks.zapier.com/hooks/catch/«123456/abc12de»/'],
  zenduty: ['https://events.zenduty.com/integration/acme/generic/«0123456789abcdef»/'],
};

test('no address that is a credential of a product that Tocsin sends to stays readable', () => {
  for (const [type, list] of Object.entries(addresses))
    for (const address of list) {
      const clean = redact(`POST ${address.replace(/[«»]/g, '')} failed: 410`);
      for (const [, secret = ''] of address.matchAll(/«([^»]*)»/g))
        assert.ok(!clean.includes(secret), `${type}: ${clean}`);
      assert.ok(clean.endsWith(' failed: 410'), clean);
    }
});

test('every type with such an address is tried, and every row is of a type', () => {
  const types: ReadonlySet<string> = new Set(providers.map(({ type }) => type));
  const secret = providers.filter(({ fields }) =>
    Object.values(fields).some((field) => field.is === 'secret' && field.holds === 'url'),
  );
  // `webhook` may be any address at all.
  assert.deepEqual(
    secret.map(({ type }) => type).filter((type) => type !== 'webhook' && !(type in addresses)),
    [],
  );
  assert.deepEqual(
    Object.keys(addresses).filter((type) => !types.has(type)),
    [],
  );
  assert.deepEqual(
    Object.keys(secretAddresses).filter((name) => !types.has(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(secretAddresses).filter((name) => types.has(name) && !(name in addresses)),
    [],
  );
});
