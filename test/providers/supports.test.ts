/** The suite finds claims that are not true, and what is done and not claimed: each on a type that is well otherwise. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import type { Support } from '../../src/providers/kit/supports.ts';
import { providers } from '../../src/providers/registry.ts';
import { type Mode, readCaseFile } from './conformance/case-file.ts';
import { startHttpProduct } from './conformance/http-product.ts';
import { proofsOf } from './conformance/supports.ts';
import { buildNetwork } from './conformance/wire.ts';

buildNetwork();

/** Another claim and other evidence for a type that has its own. */
type Lie = {
  readonly type: string;
  readonly mode?: string;
  readonly supports?: readonly Support[];
  readonly evidence?: Mode['supports'];
};

/** What the proofs of a type find, as messages. */
async function found({ type, mode: name = 'default', supports, evidence }: Lie): Promise<readonly string[]> {
  const known = providers.find((each) => each.type === type) ?? assert.fail(type);
  const definition: AnyProvider = { ...known, ...(supports && { supports }) };
  const own = readCaseFile(type).modes.get(name) ?? assert.fail(name);
  const mode: Mode = { ...own, ...(evidence && { supports: evidence }) };
  await using wire = await startHttpProduct(mode.well);
  const messages: string[] = [];
  for (const { run } of proofsOf(definition.supports, mode))
    try {
      await run({ definition, mode, wire });
    } catch (error) {
      assert.ok(error instanceof assert.AssertionError, String(error));
      messages.push(error.message);
    }
  return messages;
}

describe('a claim that does not hold is found', () => {
  const thread = { request: 'chat.postMessage', at: 'body.thread_ts' };
  const update = { request: 'chat.update', at: 'body.ts' };
  const rows: readonly (readonly [string, Lie, RegExp])[] = [
    ['a claim without evidence', { type: 'mattermost', supports: ['update'] }, /update is claimed, and the case file/],
    ['evidence without a claim', { type: 'mattermost', evidence: { close: { at: 'body.x' } } }, /which is not claimed/],
    [
      'a thread of messages that know nothing of each other',
      { type: 'mattermost', supports: ['thread'], evidence: { thread: { at: 'body.text' } } },
      /nothing of the opening is at body\.text/,
    ],
    [
      'a thread that wants a bot, claimed for webhooks as well',
      { type: 'slack', mode: 'webhook', supports: ['thread'], evidence: { thread } },
      /no request with "chat\.postMessage"/,
    ],
    [
      'a condition that makes no difference',
      {
        type: 'slack',
        mode: 'webhook',
        supports: [{ can: 'thread', with: ['token'] }],
        evidence: { thread: { at: 'body.attachments' } },
      },
      /Missing expected rejection/,
    ],
    [
      'an end that says nothing that an opening does not say',
      {
        type: 'pagerduty',
        supports: ['close'],
        evidence: { close: { at: 'body.dedup_key', is: 'tocsin-239710bd74f24b70' } },
      },
      /before it is over, too/,
    ],
    [
      'an end that says something else',
      { type: 'pagerduty', supports: ['close'], evidence: { close: { at: 'body.event_action', is: 'close' } } },
      /"close" is not at body\.event_action/,
    ],
    [
      'a key that all problems share',
      { type: 'pagerduty', supports: ['dedup'], evidence: { dedup: { at: 'body.client' } } },
      /another problem has the same at body\.client/,
    ],
    [
      'an item that is made again',
      { type: 'github', evidence: { dedup: { request: '/issues' } }, supports: ['dedup'] },
      /it was made again/,
    ],
    [
      'an edit that is not claimed',
      { type: 'slack', mode: 'token', supports: ['thread'], evidence: { thread } },
      /chat\.update/,
    ],
    [
      'a reply that is not claimed',
      { type: 'slack', mode: 'token', supports: ['update'], evidence: { update } },
      /chat\.postMessage/,
    ],
    [
      'an end that is not claimed',
      { type: 'opsgenie', mode: 'us', supports: [], evidence: {} },
      /is about what the opening made/,
    ],
    ['a key of repeats that is not claimed', { type: 'resend', supports: [], evidence: {} }, /Idempotency-Key/],
    ['a look-up that is not claimed', { type: 'github', supports: [], evidence: {} }, /claim `dedup`/],
  ];
  for (const [title, lie, message] of rows)
    test(title, async () => {
      const messages = await found(lie);
      assert.ok(
        messages.some((each) => message.test(each)),
        messages.join('\n') || 'nothing was found',
      );
    });
});
