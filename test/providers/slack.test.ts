/** What the conformance suite cannot know of Slack: the vendor's own types, and the rules of Block Kit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownBlock, MessageAttachment } from '@slack/types';
import { slackLine, slackMessage, slackText } from '../../src/message/render/slack.ts';
import { Secret } from '../../src/model/secret.ts';
import { slack } from '../../src/providers/slack.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { deliveryOf, notifications } from './notifications.ts';

/** Compiles only while what we send is what the vendor's types say. */
function typedBlocks(content: ReturnType<typeof slackMessage>): readonly KnownBlock[] {
  const attachments = (content.attachments ?? []) satisfies MessageAttachment[];
  const top = (content.blocks ?? []) satisfies KnownBlock[];
  return [...top, ...attachments.flatMap(({ blocks }) => blocks satisfies KnownBlock[])];
}

const all = [
  ...Object.values(notifications),
  hostile(),
  ...Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]),
];

test('every message keeps to the limits of Block Kit', () => {
  for (const notification of all) {
    const blocks = typedBlocks(slackMessage(notification));
    assert.ok(blocks.length >= 1 && blocks.length <= 50);
    let total = 0;
    for (const block of blocks) {
      const texts =
        block.type === 'section'
          ? [...(block.text ? [block.text.text] : []), ...(block.fields ?? []).map(({ text }) => text)]
          : block.type === 'context'
            ? block.elements.map((element) => ('text' in element ? element.text : ''))
            : assert.fail(block.type);
      assert.ok(texts.length >= 1 && texts.length <= 10);
      assert.ok(texts.every((text) => text.length > 0 && text.length <= 3_000));
      total += texts.reduce((sum, text) => sum + text.length, 0);
    }
    assert.ok(total <= 9_000, String(total));
    for (const { text } of [slackMessage(notification), slackLine(notification), slackText(notification)])
      assert.ok(text.length > 0 && text.length <= 4_000);
  }
});

test('a fence that begins ends, and no escape is cut', () => {
  for (const notification of all)
    for (const { text } of typedBlocks(slackMessage(notification)).flatMap((block) =>
      block.type === 'section' && block.text ? [block.text] : [],
    )) {
      assert.equal(text.split('```').length % 2, 1, text.slice(0, 200));
      assert.doesNotMatch(text, /&(?!amp;|lt;|gt;)/);
    }
});

test('one line is one line', () => {
  assert.doesNotMatch(slackLine(hostile()).text, /\n/);
});

test('what gets worse and what comes back is shown in the channel, everything else in the thread only', async () => {
  const { update, resolve, reopen } = notifications;
  const loud = async (notification: typeof update): Promise<unknown> => {
    const bodies: Record<string, unknown>[] = [];
    await slack.deliver({
      notification,
      delivery: deliveryOf(notification),
      config: { token: new Secret('t'), channel: 'C1', compact: false, site: 'slack.com' },
      ref: { channel: 'C1', ts: '1.1' },
      now: 0,
      mail: { send: () => assert.fail(), check: () => assert.fail() },
      async send({ json }) {
        bodies.push(Object(json));
        const body = '{"ok":true}';
        const answer = { status: 200, headers: {}, body, json: () => JSON.parse(body) };
        return { ...answer, outcome: (_reading, ref) => ({ is: 'delivered', ...(ref && { ref }) }) };
      },
    });
    assert.equal(bodies.length, 2);
    return bodies[1]?.reply_broadcast;
  };
  await Promise.all([
    loud(update).then((found) => assert.equal(found, true, 'from high to critical')),
    loud({ ...update, severity: 'high' }).then((found) => assert.equal(found, undefined, 'no worse')),
    loud(resolve).then((found) => assert.equal(found, undefined)),
    loud(reopen).then((found) => assert.equal(found, true)),
  ]);
});

test('the address of a workflow is refused with what to do, and not shown', async () => {
  const outcome = await slack.deliver({
    notification: notifications.open,
    delivery: deliveryOf(notifications.open),
    config: { webhook: new Secret('https://hooks.slack.com/triggers/T0/1/canary'), compact: false, site: 'slack.com' },
    now: 0,
    mail: { send: () => assert.fail(), check: () => assert.fail() },
    send: () => assert.fail('nothing must be sent'),
  });
  assert.ok(outcome.is === 'permanent');
  assert.match(outcome.reason, /`webhook` is "https:\/\/hooks\.slack\.com\/…": it is the address of a Slack workflow/);
  assert.doesNotMatch(outcome.reason, /canary/);
});
