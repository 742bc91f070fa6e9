/** Links where each product has a place for them, and nowhere twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordMessage } from '../../src/message/render/discord.ts';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { gotify } from '../../src/providers/gotify.ts';
import { contentOf } from '../../src/providers/homeassistant/action.ts';
import { ntfy } from '../../src/providers/ntfy.ts';
import { pagerduty } from '../../src/providers/pagerduty.ts';
import { pushbullet } from '../../src/providers/pushbullet.ts';
import { pushover } from '../../src/providers/pushover.ts';
import { notifications } from './notifications.ts';
import { sent } from './sent.ts';

const runbook = { title: 'Runbook', url: 'https://runbooks.example/crash' };
const dashboard = { title: 'Dashboard', url: 'https://grafana.example/d/1' };
const linked: Notification = { ...notifications.open, links: [runbook, dashboard] };

test('PagerDuty: the dashboard is where the client leads', async () => {
  const config = { integrationKey: new Secret('k'), region: 'us' } as const;
  const { requests } = await sent(pagerduty, config, linked);
  assert.equal(Object(requests[0]?.json).client_url, dashboard.url);
  const none = await sent(pagerduty, config, { ...linked, links: [runbook] });
  assert.ok(!('client_url' in Object(none.requests[0]?.json)));
});

test('Home Assistant: a tap opens the first link, buttons open each, and the text repeats none', () => {
  const { data, message } = contentOf(linked, { domain: 'notify', name: 'mobile_app_phone' }, 'key');
  assert.doesNotMatch(String(message), /example\/(crash|d\/1)/);
  const { url, clickAction, actions } = Object(data);
  assert.deepEqual([url, clickAction], [runbook.url, runbook.url]);
  assert.deepEqual(actions, [
    { action: 'URI', title: 'Runbook', uri: runbook.url },
    { action: 'URI', title: 'Dashboard', uri: dashboard.url },
  ]);
});

test('Discord: links are buttons; with one too long for a button all stand in the text', () => {
  const { components, embeds } = discordMessage(linked);
  assert.deepEqual(
    components?.[0].components.map(({ label, url }) => [label, url]),
    [
      ['Runbook', runbook.url],
      ['Dashboard', dashboard.url],
    ],
  );
  assert.doesNotMatch(embeds[0]?.description ?? '', /runbooks\.example/);
  const long = { title: 'Long', url: `https://x.example/${'y'.repeat(600)}` };
  const told = discordMessage({ ...linked, links: [runbook, long] });
  assert.equal(told.components, undefined);
  assert.match(told.embeds[0]?.description ?? '', /runbooks\.example/);
});

test('ntfy: a link is a button and nowhere else, but for those beyond three', async () => {
  const more = [...linked.links, { title: 'A', url: 'https://a.example/' }, { title: 'B', url: 'https://b.example/' }];
  const config = { topic: new Secret('t'), url: 'https://ntfy.sh', priority: 4 };
  const { requests } = await sent(ntfy, config, { ...linked, links: more });
  const { message, actions, click } = Object(requests[0]?.json);
  assert.deepEqual([actions.length, click], [3, undefined]);
  assert.deepEqual(String(message).match(/https:\S+/g), ['https://b.example/']);
});

test('Gotify: links stand in the text, which every client shows, and nowhere else', async () => {
  const config = { url: 'https://gotify.example', token: new Secret('t') };
  const { requests } = await sent(gotify, config, linked);
  assert.equal(JSON.stringify(requests[0]?.json).split('runbooks.example').length, 2);
});

test('Pushover and Pushbullet: the link that opens is not in the text as well, any other is', async () => {
  const keys = { token: new Secret('t'), user: new Secret('u') };
  const { requests: over } = await sent(pushover, keys, linked);
  assert.equal(over[0]?.form?.url, runbook.url);
  assert.doesNotMatch(String(over[0]?.form?.message), /runbooks\.example/);
  assert.match(String(over[0]?.form?.message), /Dashboard: https:\/\/grafana\.example/);
  const { requests: bullet } = await sent(pushbullet, { accessToken: new Secret('t') }, linked);
  assert.doesNotMatch(Object(bullet[0]?.json).body, /runbooks\.example|Cluster:/);
});
