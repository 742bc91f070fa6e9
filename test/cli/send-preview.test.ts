import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../src/cli/command.ts';
import { previewOfFile } from '../../src/cli/provider/preview.ts';
import { printed } from './streams.ts';

const recipe = (name: string): string => join(import.meta.dirname, `../../config/recipes/${name}.yaml`);
const asked = (provider: string, output: 'text' | 'json' = 'text') => ({ provider, namespace: 'tocsin', output });
const provider = (spec: object): string => JSON.stringify({ kind: 'AlertProvider', metadata: { name: 'x' }, spec });

test('a webhook shows the body of a message of each kind', async () => {
  const { code, out } = await printed((streams) =>
    previewOfFile(asked('pagertree', 'json'), recipe('pagertree'), streams),
  );
  assert.equal(code, 0);
  const { messages } = JSON.parse(out);
  assert.deepEqual(
    messages.map(({ kind }: { kind: string }) => kind),
    [
      'an opening',
      'an update',
      'an end',
      'an incident without a cause',
      'a digest',
      'the summary of a start',
      'a test',
    ],
  );
  assert.equal(JSON.parse(messages[2].text).event_type, 'resolve');
});

test('what cannot be put as it was asked is said, with the body that goes out instead and exit code 1', async () => {
  const manifest = provider({ type: 'webhook', webhook: { body: '{"id": event.incident.id}' } });
  const { code, out } = await printed((streams) => previewOfFile(asked('x'), '-', streams), manifest);
  assert.equal(code, 1);
  assert.match(out, /^--- an opening\n\{\n {2}"id": "5cec68311fbba211"\n\}\n/);
  assert.match(out, /--- a digest, not as it was asked: .+\n\{\n {2}"version": "1",/);
});

test('of other types it is the text, in the words that were asked for', async () => {
  const message = { prefix: 'PROD', facts: { leaveOut: ['Owner'] }, timeZone: 'Asia/Tokyo' };
  const { code, out } = await printed(
    (streams) => previewOfFile(asked('x'), '-', streams),
    provider({ type: 'slack', message }),
  );
  assert.equal(code, 0);
  assert.match(out, /PROD shop\/payments crashes: image 2\.3 → 2\.4 · 3 of 5 serve/);
  assert.match(out, /It began at 21:11 GMT\+9, because/);
  assert.doesNotMatch(out, /Owner/);
});

test('the time zone of an AlertConfig beside it holds, unless the AlertProvider has its own', async () => {
  const config = JSON.stringify({ kind: 'AlertConfig', spec: { app: { timeZone: 'Europe/Berlin' } } });
  const shown = async (spec: object): Promise<string> => {
    const manifests = `${provider({ type: 'slack', ...spec })}\n---\n${config}\n`;
    return (await printed((streams) => previewOfFile(asked('x'), '-', streams), manifests)).out;
  };
  assert.match(await shown({}), /It began at 13:11 CET, because/);
  assert.match(await shown({ message: { timeZone: 'Asia/Tokyo' } }), /It began at 21:11 GMT\+9, because/);
});

test('a manifest without that AlertProvider is a mistake of the caller', async () => {
  await assert.rejects(
    printed((streams) => previewOfFile(asked('other'), recipe('rootly'), streams)),
    UsageError,
  );
});
