import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiClient, ApiError, type ApiRequest } from '../../../src/kube/api-client.ts';
import type { PressDeed, PressedRequest } from '../../../src/model/press.ts';
import { Secret } from '../../../src/model/secret.ts';
import { readAnswer } from '../../../src/providers/kit/answer.ts';
import type { Answer, SendRequest } from '../../../src/providers/provider.ts';
import { TransportError } from '../../../src/providers/provider.ts';
import { telegram } from '../../../src/providers/telegram.ts';
import { Acting } from '../../../src/runtime/loop/acting.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { provider } from '../../incident/helpers.ts';

const chat = provider('chat', { type: 'telegram', config: { chatId: '-1', actions: { users: ['7'] } } });
const press = { id: 'q1', user: { id: '7', name: 'Ada' }, carries: 'ack:i1:chat' };
const acknowledge: PressDeed = {
  ...{ is: 'acknowledge', incident: 'i1' },
  acknowledgement: { by: 'Ada', via: 'Telegram', since: 0 },
};
const silence: PressDeed = {
  ...{ is: 'silence', incident: 'i1', name: 'pressed-1', selector: { names: ['api'] } },
  ...{ createdBy: 'Ada via Telegram', seconds: 3_600 },
};

/** Acts once; what was written, what who pressed was told, and what stands in the log. */
async function act(deed: PressDeed | undefined, more: Partial<PressedRequest> = {}, failure?: Error, unsent?: Error) {
  const written: ApiRequest[] = [];
  const told: ReturnType<typeof Object>[] = [];
  const log: string[] = [];
  const client: Pick<ApiClient, 'json'> = {
    async json<T>(request: ApiRequest): Promise<T> {
      written.push(request);
      if (failure) throw failure;
      return {} as T;
    },
  };
  const acting = new Acting({
    ...{ client, namespace: 'tocsin', definitions: [telegram as never], provider: () => chat },
    log: createLogger({ level: 'debug', stream: { write: (line) => log.push(line) } }),
    secrets: { open: async () => ({ values: new Map([['token', new Secret('1:a')]]), version: '1' }) },
    reply: ({ id }) => ({ query: id }),
    send:
      () =>
      async ({ json }: SendRequest): Promise<Answer> => {
        if (unsent) throw unsent;
        told.push(Object(json));
        const answer: Answer = {
          ...{ status: 200, headers: {}, body: '', json: () => ({ ok: true, result: true }) },
          outcome: (reading) => readAnswer(answer, reading, undefined, 0),
        };
        return answer;
      },
  });
  await acting.act({ provider: chat.ref, press, says: 'Done.', ...(deed && { deed }), ...more });
  return { written, told, log: log.join('') };
}

test('an acknowledgement is an annotation and nothing else of the AlertConfig', async () => {
  const { written, told, log } = await act(acknowledge);
  assert.deepEqual(
    written.map(({ method, path, body }) => ({ method, path, body })),
    [
      {
        method: 'PATCH',
        path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
        body: {
          metadata: {
            annotations: { 'acknowledged.tocsin.dev/i1': 'Ada via Telegram at 1970-01-01T00:00:00.000Z' },
          },
        },
      },
    ],
  );
  assert.deepEqual(told, [{ callback_query_id: 'q1', text: 'Done.', show_alert: false }]);
  assert.match(log, /"a button was pressed"/);
});

test('a Silence of an hour is made in Tocsin’s own namespace; one that is there already was made by the same press', async () => {
  for (const failure of [undefined, new ApiError(409, 'AlreadyExists', 'it exists')]) {
    const { written, told } = await act(silence, {}, failure);
    const { metadata, spec } = Object(written[0]?.body);
    assert.deepEqual([written.length, metadata], [1, { name: 'pressed-1', namespace: 'tocsin' }]);
    assert.deepEqual([spec.selector, spec.durationSeconds], [{ names: ['api'] }, 3600]);
    assert.equal(told[0].text, 'Done.');
  }
});

test('who pressed is told what is missing where it could not be done', async () => {
  for (const [deed, failure, says] of [
    [
      acknowledge,
      new ApiError(403, 'Forbidden', 'no'),
      /Tocsin may not\. It needs `patch` on its AlertConfig .*config\/actions/,
    ],
    [silence, new ApiError(403, 'Forbidden', 'no'), /It needs `create` on Silences in the namespace tocsin/],
    [acknowledge, new ApiError(404, 'NotFound', 'no'), /there is no AlertConfig "default"/],
    [acknowledge, new ApiError(0, 'LockNotHeld', 'no'), /Not done this time/],
    [silence, new ApiError(500, 'InternalError', 'no'), /Not done this time/],
  ] as const) {
    const { told, log } = await act(deed, {}, failure);
    assert.match(told[0].text, says);
    assert.equal(told[0].show_alert, true);
    assert.match(log, /could not be done/);
  }
});

test('a refusal writes nothing, is shown as an alarm, and stands in the log', async () => {
  const { written, told, log } = await act(undefined, { isRefused: true, says: 'No.' });
  assert.deepEqual([written, told[0].show_alert, told[0].text], [[], true, 'No.']);
  assert.match(log, /"account":"7".*by somebody who may not: nothing was done/);
});

test('an answer that cannot be sent changes nothing about what was done', async () => {
  const { written } = await act(acknowledge, {}, undefined, new TransportError('Timeout', 'no answer', true));
  assert.equal(written.length, 1);
});
