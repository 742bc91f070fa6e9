/** Credentials of AWS that nobody wrote down, against a server that answers as STS and the agent of EKS Pod Identity do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Outcome } from '../../src/model/delivery.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { createAwsIdentity } from '../../src/providers/kit/aws-identity.ts';
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import { type AwsIdentity, type Send, TransportError } from '../../src/providers/provider.ts';
import { ses } from '../../src/providers/ses.ts';
import { sns } from '../../src/providers/sns.ts';
import type { HttpAnswer } from './conformance/case-file.ts';
import { startHttpProduct } from './conformance/http-product.ts';
import { buildNetwork, type Wire } from './conformance/wire.ts';
import { deliveryOf, notifications } from './notifications.ts';

buildNetwork();
const now = Date.parse('2026-11-20T10:00:00Z');
const minute = 60_000;
const token = 'canary.web-identity.token9f3c';
const role = 'arn:aws:iam::123456789012:role/tocsin';
const webEnv = { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/token', AWS_REGION: 'eu-central-1' };
const podEnv = {
  AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/var/run/pod-token',
};

/** An answer of AssumeRoleWithWebIdentity, as the API reference has it. */
const lent = (id: string, until = now + 60 * minute): HttpAnswer => ({
  ...{ match: 'sts.', status: 200 },
  text: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <SubjectFromWebIdentityToken>system:serviceaccount:tocsin:tocsin</SubjectFromWebIdentityToken>
    <Audience>sts.amazonaws.com</Audience>
    <AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/tocsin/tocsin</Arn><AssumedRoleId>AROA:tocsin</AssumedRoleId></AssumedRoleUser>
    <Credentials>
      <SessionToken>session+${id}/==</SessionToken>
      <SecretAccessKey>secret/of+${id}</SecretAccessKey>
      <Expiration>${new Date(until).toISOString().replace('.000Z', 'Z')}</Expiration>
      <AccessKeyId>${id}</AccessKeyId>
    </Credentials>
  </AssumeRoleWithWebIdentityResult>
  <ResponseMetadata><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ResponseMetadata>
</AssumeRoleWithWebIdentityResponse>`,
});
const stsError = (status: number, code: string, message: string): HttpAnswer => ({
  ...{ match: 'sts.', status },
  text: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});
const published: HttpAnswer = { match: 'sns.', status: 200, text: '<PublishResponse/>' };

let wire: Wire;
let send: Send;
before(async () => {
  wire = await startHttpProduct([published]);
  send = wire.ways(undefined, false).send;
});
after(() => wire[Symbol.asyncDispose]());

/** An identity in a Pod with these variables; `tokens`: what its token file holds, read by read. */
const identityOf = (env: Readonly<Record<string, string>>, tokens: string[] = []): AwsIdentity =>
  createAwsIdentity({
    env,
    read: async () => tokens.shift() ?? token,
    askAgent: (_url, authorization) =>
      send({ method: 'GET', url: 'https://agent.example/v1/credentials', headers: { authorization } }),
  });
const requests = () => wire.arrived().map(({ brief }) => brief);
const idOf = async (keys: ReturnType<AwsIdentity['keys']>): Promise<string> => {
  const got = await keys;
  return 'refused' in got ? said(got.refused) : openSecret(got.accessKeyId);
};

/** An outcome in words, in which no credential stands. */
function said(outcome: Outcome): string {
  assert.doesNotMatch(inspect(outcome, { depth: 9, showHidden: true }), /canary|secret\/of|session\+/);
  const code = 'code' in outcome ? ` ${outcome.code}` : '';
  return `${outcome.is}${code}: ${'reason' in outcome ? outcome.reason : ''}`;
}

/** Publishes once as whoever `aws` is. */
const publish = (aws: AwsIdentity | undefined, at = now): Promise<Outcome> =>
  sns.deliver({
    notification: notifications.open,
    delivery: deliveryOf(notifications.open),
    config: { region: 'eu-west-1', topicArn: 'arn:aws:sns:eu-west-1:123456789012:alerts' },
    ...{ send, mail: wire.ways(undefined, false).mail, now: at },
    ...(aws && { aws }),
  });

test('web identity: the token is shown to the STS of the region that the Pod names, and what that lends signs', async () => {
  wire.script([lent('ASIAONE')]);
  assert.deepEqual(await publish(identityOf(webEnv)), { is: 'delivered' });
  const [sts, publication] = wire.arrived();
  assert.equal(sts?.golden.request, 'POST https://sts.eu-central-1.amazonaws.com/');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(sts?.body)), {
    ...{ Action: 'AssumeRoleWithWebIdentity', Version: '2011-06-15', RoleArn: role },
    ...{ RoleSessionName: 'tocsin', WebIdentityToken: token },
  });
  const headers = Object(publication?.golden.headers);
  assert.match(headers.authorization, /^AWS4-HMAC-SHA256 Credential=ASIAONE\/20261120\/eu-west-1\/sns\/aws4_request/);
  assert.equal(headers['x-amz-security-token'], 'session+ASIAONE/==');
});

test('SES goes the same way, its test of the credentials as well', async () => {
  const account: HttpAnswer = { match: 'email.', status: 200, json: { SendingEnabled: true } };
  wire.script([lent('ASIASES'), account]);
  const config = { region: 'eu-west-1', from: 'a@example.org', to: 'b@example.org' };
  const parts = { config, send, mail: wire.ways(undefined, false).mail, now, aws: identityOf(webEnv) };
  assert.deepEqual(await ses.check?.(parts), { is: 'delivered' });
  assert.equal(requests().length, 2);
});

test('credentials are kept until shortly before they end', async () => {
  const aws = identityOf(webEnv);
  wire.script([lent('ASIAONE')]);
  for (const at of [now, now + 30 * minute, now + 54 * minute])
    assert.equal(await idOf(aws.keys({ send, region: 'x', now: at })), 'ASIAONE');
  assert.equal(requests().length, 1);
  wire.script([lent('ASIATWO', now + 120 * minute)]);
  assert.equal(await idOf(aws.keys({ send, region: 'x', now: now + 56 * minute })), 'ASIATWO');
  assert.equal(requests().length, 1);
});

test('several who ask at once ask once', async () => {
  const aws = identityOf(webEnv);
  wire.script([lent('ASIAONE')]);
  await Promise.all([1, 2, 3].map(() => aws.keys({ send, region: 'x', now })));
  assert.equal(requests().length, 1);
});

test('while new ones cannot be had, those that still hold are used, and no others', async () => {
  const aws = identityOf(webEnv);
  wire.script([lent('ASIAONE')]);
  await aws.keys({ send, region: 'x', now });
  for (const answer of [stsError(400, 'IDPCommunicationError', 'x'), { match: 'sts.', status: 503 }]) {
    wire.script([answer]);
    assert.equal(await idOf(aws.keys({ send, region: 'x', now: now + 58 * minute })), 'ASIAONE');
    assert.match(
      await idOf(aws.keys({ send, region: 'x', now: now + 61 * minute })),
      /^retryable ServerError: the Pod/,
    );
  }
  wire.script('reset');
  assert.equal(await idOf(aws.keys({ send, region: 'x', now: now + 58 * minute })), 'ASIAONE');
  await assert.rejects(
    aws.keys({ send, region: 'x', now: now + 61 * minute }),
    (error) => error instanceof TransportError && !error.mayHaveArrived,
  );
});

test('what STS refuses is said, with what to do', async () => {
  const rows: readonly [HttpAnswer, RegExp][] = [
    [
      stsError(403, 'AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity'),
      /^permanent AuthFailed: .*by web identity: .*trust policy/,
    ],
    [
      stsError(400, 'InvalidIdentityToken', 'No OpenIDConnect provider found in your account'),
      /^permanent AuthFailed: .*OpenID Connect/,
    ],
    [stsError(403, 'IDPRejectedClaim', 'x'), /^permanent AuthFailed/],
    [stsError(403, 'RegionDisabledException', 'x'), /^permanent AuthFailed: .*enable STS/],
    [stsError(400, 'ExpiredTokenException', `Token expired: ${token}`), /^retryable ServerError: .*clock of the node/],
    [stsError(400, 'IDPCommunicationError', 'x'), /^retryable ServerError/],
    [stsError(400, 'Throttling', 'Rate exceeded'), /^rateLimited/],
    [{ match: 'sts.', status: 500, text: 'x' }, /^retryable ServerError/],
    [{ match: 'sts.', status: 200, text: '<html>' }, /^retryable ServerError: .*holds none/],
    [
      {
        ...lent('ASIAONE'),
        text: lent('ASIAONE').text?.replace(/<Expiration>.*n>/, '<Expiration>soon</Expiration>') ?? '',
      },
      /holds none/,
    ],
    [{ ...lent('ASIAONE'), text: lent('ASIAONE').text?.replace(/<SessionToken>.*n>/, '') ?? '' }, /holds none/],
  ];
  for (const [answer, expected] of rows) {
    wire.script([answer]);
    assert.match(await idOf(identityOf(webEnv).keys({ send, region: 'x', now })), expected);
  }
});

test('a token that cannot be read is waited for', async () => {
  const aws = createAwsIdentity({
    env: webEnv,
    read: () => Promise.reject(new Error('ENOENT')),
    askAgent: () => assert.fail(),
  });
  assert.match(await idOf(aws.keys({ send, region: 'x', now })), /^retryable .*\/var\/run\/token\) cannot be read/);
});

test('credentials that AWS no longer takes are replaced once; the token is read anew', async () => {
  const aws = identityOf(webEnv, ['first', 'second', 'third']);
  wire.script([lent('ASIAONE')]);
  await publish(aws);
  const over = '<ErrorResponse><Error><Code>ExpiredToken</Code><Message>x</Message></Error></ErrorResponse>';
  wire.script([{ status: 403, text: over }, { status: 200, text: lent('ASIATWO').text ?? '' }, published]);
  assert.deepEqual(await publish(aws), { is: 'delivered' });
  assert.deepEqual(
    wire.arrived().map(({ body }) => new URLSearchParams(body).get('WebIdentityToken') ?? 'sns'),
    ['sns', 'second', 'sns'],
  );
  wire.script([{ match: 'sns.', status: 403, text: over }, lent('ASIATHREE')]);
  assert.match(said(await publish(aws)), /^permanent AuthFailed/);
  assert.equal(requests().length, 3, 'no third time');
});

test('Pod identity: the agent is shown the token, and what it lends signs', async () => {
  const json = {
    ...{ AccessKeyId: 'ASIAPOD', SecretAccessKey: 'secret/of+ASIAPOD', Token: 'session+ASIAPOD/==' },
    ...{ AccountId: '123456789012', Expiration: '2026-11-20T16:00:00Z' },
  };
  wire.script([{ match: 'agent.', status: 200, json }]);
  assert.deepEqual(await publish(identityOf(podEnv)), { is: 'delivered' });
  const [agent, publication] = wire.arrived();
  assert.equal(Object(agent?.golden.headers).authorization, token);
  assert.match(Object(publication?.golden.headers).authorization, /Credential=ASIAPOD\//);
});

test('what the agent refuses is said, with what to do', async () => {
  const rows: readonly [HttpAnswer, RegExp][] = [
    [
      { match: 'agent.', status: 403, text: `denied ${token}` },
      /^permanent AuthFailed: .*by Pod identity: HTTP 403.*pods\.eks/,
    ],
    [{ match: 'agent.', status: 404, text: 'ResourceNotFoundException' }, /^permanent AuthFailed: .*associate/],
    [{ match: 'agent.', status: 500, text: 'x' }, /^retryable ServerError/],
    [{ match: 'agent.', status: 200, json: { AccessKeyId: 'ASIAPOD' } }, /^retryable ServerError: .*holds none/],
    [{ match: 'agent.', status: 200, text: 'null' }, /holds none/],
  ];
  for (const [answer, expected] of rows) {
    wire.script([answer]);
    assert.match(await idOf(identityOf(podEnv).keys({ send, region: 'x', now })), expected);
  }
});

test('web identity comes first; half of what either needs is nothing', async () => {
  wire.script([lent('ASIAONE')]);
  assert.equal(await idOf(identityOf({ ...podEnv, ...webEnv }).keys({ send, region: 'x', now })), 'ASIAONE');
  for (const env of [
    {},
    { AWS_ROLE_ARN: role },
    { AWS_WEB_IDENTITY_TOKEN_FILE: '/t' },
    { ...podEnv, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '' },
  ])
    assert.match(
      await idOf(identityOf(env as Record<string, string>).keys({ send, region: 'x', now })),
      /^permanent AuthFailed: there are no keys.*`accessKeyId` and `secretAccessKey`.*eks\.amazonaws\.com\/role-arn/,
    );
});

test('who is not Tocsin does not come as Tocsin; whoever has keys asks nobody', async () => {
  wire.script([]);
  assert.match(said(await publish(undefined)), /^permanent AuthFailed: it has no keys: .*namespace of Tocsin/);
  assert.deepEqual(requests(), []);
  const config = {
    ...{ region: 'eu-west-1', topicArn: 'arn:aws:sns:eu-west-1:123456789012:alerts' },
    ...{ accessKeyId: new Secret('AKIAOWN'), secretAccessKey: new Secret('x') },
  };
  const parts = { config, send, mail: wire.ways(undefined, false).mail, now };
  await (sns as AnyProvider).check?.({ ...parts, aws: { keys: () => assert.fail() } });
  assert.match(String(Object(wire.arrived()[0]?.golden.headers).authorization), /AKIAOWN/);
});
