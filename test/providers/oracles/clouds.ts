/** Judges of clouds and of webhooks. */
import assert from 'node:assert/strict';
import { GetAccountCommand, SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import {
  GetEndpointAttributesCommand,
  GetTopicAttributesCommand,
  PublishCommand,
  type PublishCommandInput,
  SNSClient,
} from '@aws-sdk/client-sns';
import { CloudEvent, HTTP } from 'cloudevents';
import { readCaseFile } from '../conformance/case-file.ts';
import { signedByVendor } from './aws-signer.ts';
import type { Call } from './calls.ts';
import { sentBy } from './client.ts';
import { type Judge, type RunJudge, withMore } from './judge.ts';

/** The headers and the body are an event by the specification. */
function assertEvent({ headers, body }: Call): void {
  const event = HTTP.toEvent({ headers, body });
  assert.ok(event instanceof CloudEvent && event.validate());
}

/** A form without the values that a client leaves out. */
type Form = Readonly<Record<string, string>>;

/** What AWS's own client sends for the same call to SNS has the same fields. */
async function assertAsSns({ method, url, headers, parsed }: Call): Promise<void> {
  const form: Form = Object(parsed);
  const sent = await sentBy((endpoint) => {
    const client = new SNSClient({ ...clientOptions, endpoint });
    const { TopicArn, EndpointArn } = form;
    if (form.Action === 'GetTopicAttributes') return client.send(new GetTopicAttributesCommand({ TopicArn }));
    if (form.Action === 'GetEndpointAttributes') return client.send(new GetEndpointAttributesCommand({ EndpointArn }));
    return client.send(new PublishCommand(publishInput(form)));
  }, snsAnswer);
  assert.equal(`${method} ${url.pathname}`, `${sent.method} ${sent.path}`);
  assert.equal(headers['content-type']?.split(';')[0], sent.headers['content-type']);
  assert.deepEqual(form, Object.fromEntries(new URLSearchParams(sent.body)));
}
const clientOptions = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  maxAttempts: 1,
} as const;
const snsAnswer = {
  type: 'text/xml',
  body: '<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>',
};

/** The numbered fields of the wire as the client takes them. */
function publishInput({ Action: _action, Version: _version, ...form }: Form): PublishCommandInput {
  const numbered = /^MessageAttributes\.entry\.(\d+)\./;
  const numbers = new Set(Object.keys(form).map((name) => numbered.exec(name)?.[1] ?? ''));
  const attributes = [...numbers].filter(Boolean).map((number) => {
    const at = `MessageAttributes.entry.${number}`;
    return [
      form[`${at}.Name`] ?? '',
      { DataType: form[`${at}.Value.DataType`], StringValue: form[`${at}.Value.StringValue`] },
    ] as const;
  });
  const plain = Object.fromEntries(Object.entries(form).filter(([name]) => !numbered.test(name)));
  return { Message: form.Message, ...plain, MessageAttributes: Object.fromEntries(attributes) };
}

/** What AWS's own client sends for the same call to SES is the same. */
async function assertAsSes({ method, url, parsed }: Call): Promise<void> {
  const input: SendEmailCommandInput = Object(parsed);
  const sent = await sentBy((endpoint) => {
    const client = new SESv2Client({ ...clientOptions, endpoint });
    return method === 'GET' ? client.send(new GetAccountCommand()) : client.send(new SendEmailCommand(input));
  });
  assert.equal(`${method} ${url.pathname}`, `${sent.method} ${sent.path}`);
  assert.deepEqual(parsed, sent.body === '' ? '' : JSON.parse(sent.body));
}

/** The signature that arrived is the one that AWS's library makes of what arrived. */
const signature = (service: 'ses' | 'sns'): RunJudge => ({
  of: /^(?:POST|GET) /,
  by: '@smithy/signature-v4',
  says: 'its signature of the same request is the one that was sent',
  async judge({ method, url, headers, body }) {
    const { authorization = '', 'x-amz-date': date = '' } = headers;
    const [, region = '', names = ''] =
      /\/([^/]+)\/[^/]+\/aws4_request, SignedHeaders=([^,]+)/.exec(authorization) ?? [];
    const signed = names.split(';').map((name) => [name, headers[name] ?? ''] as const);
    const given = Object.fromEntries(signed.filter(([name]) => !/^(?:host|x-amz-.*)$/.test(name)));
    const at = Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
    const expected = await signedByVendor({
      ...{ method, url: url.href, headers: given, keys: keysOf(service), service, region, at },
      ...(body !== '' && { body }),
    });
    for (const name of ['authorization', 'x-amz-date', 'x-amz-security-token'])
      assert.equal(headers[name], expected[name]);
  },
  spoil: (call) => ({ ...call, body: `${call.body} ` }),
});

/** The same keys in every mode of the fixtures. */
function keysOf(type: string): { accessKeyId: string; secretAccessKey: string; sessionToken?: string } {
  const [mode] = readCaseFile(type).modes.values();
  const { accessKeyId = '', secretAccessKey = '', sessionToken } = mode?.secrets ?? {};
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Type → judges. */
export const clouds: Readonly<Record<string, readonly Judge[]>> = {
  sns: [
    {
      of: /^POST sns\./,
      by: '@aws-sdk/client-sns',
      says: 'its client sends the same fields',
      judge: assertAsSns,
      spoil: (call) => withMore(call, { 'MessageAttributes.entry.9.Value.Name': 'a' }),
    },
    signature('sns'),
  ],
  ses: [
    {
      of: /^(?:POST|GET) email\./,
      by: '@aws-sdk/client-sesv2',
      says: 'its client sends the same',
      judge: assertAsSes,
      spoil: (call) => ({ ...call, url: new URL('/v1/email', call.url) }),
    },
    signature('ses'),
  ],
  webhook: [
    {
      of: /^POST /,
      by: 'cloudevents',
      says: 'headers and body are a CloudEvent',
      judge: assertEvent,
      spoil: (call) => ({ ...call, headers: { ...call.headers, 'ce-type': '' } }),
    },
  ],
};
