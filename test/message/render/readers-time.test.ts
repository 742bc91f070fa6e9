/** Times that the product shows in the zone of whoever reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordMessage } from '../../../src/message/render/discord.ts';
import { slackLine, slackMessage } from '../../../src/message/render/slack.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { notifications } from './sample.ts';

const at = Date.parse('2026-11-20T12:30:00Z');
const seconds = (iso: string): number => Date.parse(iso) / 1000;
const told: Notification = {
  ...notifications.open,
  at,
  lead: 'It began at 12:11 UTC, after 19 Nov 23:30 UTC & before <!date^1^{time}|99:99>.',
  evidence: ['Its key changed at 31 Dec 2025 08:00 UTC.'],
};

test('Slack gets instants, which it shows in the zone of each reader, and what it shows where it cannot', () => {
  const text = JSON.stringify(slackMessage(told));
  assert.ok(text.includes(`It began at <!date^${seconds('2026-11-20T12:11:00Z')}^{time}|12:11 UTC>, after`));
  assert.ok(
    text.includes(`<!date^${seconds('2026-11-19T23:30:00Z')}^{date_short_pretty}, {time}|19 Nov 23:30 UTC> &amp;`),
  );
  assert.ok(
    text.includes(`<!date^${seconds('2025-12-31T08:00:00Z')}^{date_short_pretty}, {time}|31 Dec 2025 08:00 UTC>`),
  );
  assert.ok(slackLine(told).text.includes(`<!date^${seconds('2026-11-20T12:11:00Z')}^{time}|12:11 UTC>`));
});

test('a text of the cluster can forge no instant', () => {
  for (const content of [slackMessage(told), slackLine(told)])
    assert.ok(!JSON.stringify(content).includes('<!date^1^'), 'Slack would show it');
  const forged = { ...told, lead: 'It says <t:1:R> and :t:1:.' };
  assert.ok(!JSON.stringify(discordMessage(forged)).includes('<t:1:R>'));
});

test('Discord gets instants as well, with their day where that is another', () => {
  const [{ description } = { description: '' }] = discordMessage(told).embeds;
  assert.ok(description.includes(`It began at <t:${seconds('2026-11-20T12:11:00Z')}:t>, after`));
  assert.ok(description.includes(`<t:${seconds('2026-11-19T23:30:00Z')}:f>`));
});

test('a time that a long text is cut at is written whole or not at all', () => {
  for (let length = 1_400; length <= 1_520; length += 1) {
    const lead = `${'x'.repeat(length)} at 12:11 UTC and more`;
    for (const text of [JSON.stringify(slackMessage({ ...told, lead })), JSON.stringify(slackLine({ ...told, lead }))])
      assert.equal(text.match(/<!date/g)?.length, text.match(/<!date\^\d+\^[^|>]+\|[^>]+ UTC>/g)?.length);
  }
});
