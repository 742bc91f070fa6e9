/** The flow that people import (config/teams): whole, and made for what is sent. That Power Automate takes it nobody can try here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cardMessage } from '../../src/message/render/adaptive-card.ts';
import { notifications } from './notifications.ts';

const folder = 'config/teams/';
const read = (path: string) => JSON.parse(readFileSync(`${folder}${path}`, 'utf8'));
const { resources } = read('manifest.json');
const [flow = ''] = read('Microsoft.Flow/flows/manifest.json').flowAssets.assetPaths;
const { definition, connectionReferences } = read(`Microsoft.Flow/flows/${flow}/definition.json`).properties;
const each = definition.actions.For_each_card;
const { Post_what_broke: post, Reply_with_the_card: reply } = each.actions;

test('the package names what it holds: a flow, and the connection to Teams that people choose', () => {
  const [api, connection] = resources[flow].dependsOn;
  assert.deepEqual(Object.keys(resources), [flow, api, connection]);
  assert.deepEqual(read(`Microsoft.Flow/flows/${flow}/apisMap.json`), { shared_teams: api });
  assert.deepEqual(read(`Microsoft.Flow/flows/${flow}/connectionsMap.json`), { shared_teams: connection });
  assert.deepEqual(Object.keys(connectionReferences), ['shared_teams']);
  for (const { inputs } of [post, reply]) assert.equal(inputs.host.connectionName, 'shared_teams');
});

test('what broke is a message, which pop-ups show; the card is its reply', () => {
  assert.equal(post.inputs.host.operationId, 'PostMessageToConversation');
  assert.equal(reply.inputs.host.operationId, 'ReplyWithCardToConversation');
  assert.equal(reply.inputs.parameters['body/parentMessageId'], "@outputs('Post_what_broke')?['body/id']");
  assert.deepEqual(reply.runAfter, { Post_what_broke: ['Succeeded'] });
});

test('it reads what is sent, and a text of the cluster is none of its HTML', () => {
  const { summary, attachments } = cardMessage(notifications.open);
  assert.ok(summary !== '' && attachments[0].content.type === 'AdaptiveCard');
  assert.equal(each.foreach, "@triggerBody()?['attachments']");
  assert.equal(reply.inputs.parameters['body/messageBody'], "@{items('For_each_card')?['content']}");
  const text: string = post.inputs.parameters['body/messageBody'];
  assert.match(text, /^<p>@\{replace\(.*triggerBody\(\)\?\['summary'\].*\}<\/p>$/);
  // The ampersand first, or it would take the others apart.
  assert.ok(text.endsWith("'&', '&amp;'), '<', '&lt;'), '>', '&gt;')}</p>"));
});

test('anyone who has the address may call it, and without a card it posts nothing', () => {
  const { manual } = definition.triggers;
  assert.deepEqual([manual.kind, manual.inputs], ['TeamsWebhook', { triggerAuthenticationType: 'All' }]);
  assert.deepEqual(Object.keys(definition.actions), ['For_each_card']);
});
