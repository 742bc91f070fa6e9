/** Signatures of AWS: the documented examples, and the vendor's own library on any request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { awsAddress, signAws, type Unsigned } from '../../src/providers/kit/aws.ts';
import { Refused } from '../../src/providers/kit/refused.ts';
import type { MaybeSecret, SendRequest } from '../../src/providers/provider.ts';
import { fc } from '../fast-check.ts';
import { signedByVendor } from './oracles/aws-signer.ts';

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const now = Date.parse('2015-08-30T12:36:00.400Z');
const sessionToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

type Keys = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };

async function sign(request: Unsigned, service: string, given: Keys = keys, region = 'us-east-1', at = now) {
  const { sessionToken: token, ...rest } = given;
  const config = {
    region,
    accessKeyId: new Secret(rest.accessKeyId),
    secretAccessKey: new Secret(rest.secretAccessKey),
    ...(token !== undefined && { sessionToken: new Secret(token) }),
  };
  return signAws(request, config, { service, now: at });
}

const shown = (value: MaybeSecret | undefined): string => (value instanceof Secret ? openSecret(value) : (value ?? ''));

/** The headers of a signed request as they are sent. */
function headersOf(signed: Awaited<ReturnType<typeof signAws>>): Readonly<Record<string, string>> {
  const { headers = {} }: SendRequest = signed;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shown(value)]));
}

describe('documented examples (AWS Signature Version 4 test suite, "Create a signed request")', () => {
  const form = 'application/x-www-form-urlencoded';
  const rows: readonly {
    readonly name: string;
    readonly request: Unsigned;
    readonly service?: string;
    readonly keys?: Keys;
    readonly signed: string;
    readonly signature: string;
  }[] = [
    {
      name: 'get-vanilla',
      request: { method: 'GET', url: 'https://example.amazonaws.com/' },
      signed: 'host;x-amz-date',
      signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    },
    {
      name: 'post-vanilla',
      request: { method: 'POST', url: 'https://example.amazonaws.com/' },
      signed: 'host;x-amz-date',
      signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    },
    {
      name: 'post-x-www-form-urlencoded',
      request: {
        method: 'POST',
        url: 'https://example.amazonaws.com/',
        headers: { 'content-type': form },
        body: 'Param1=value1',
      },
      signed: 'content-type;host;x-amz-date',
      signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    },
    {
      name: 'post-sts-header-before',
      request: { method: 'POST', url: 'https://example.amazonaws.com/' },
      keys: { ...keys, sessionToken },
      signed: 'host;x-amz-date;x-amz-security-token',
      signature: '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    },
    {
      name: 'ListUsers of IAM',
      request: {
        method: 'GET',
        url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
        headers: { 'content-type': `${form}; charset=utf-8` },
      },
      service: 'iam',
      signed: 'content-type;host;x-amz-date',
      signature: '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    },
  ];
  for (const { name, request, service = 'service', keys: given, signed, signature } of rows)
    test(name, async () => {
      const headers = headersOf(await sign(request, service, given));
      assert.equal(headers['x-amz-date'], '20150830T123600Z');
      assert.equal(
        headers.authorization,
        `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/${service}/aws4_request, SignedHeaders=${signed}, Signature=${signature}`,
      );
    });
});

test('whatever is sent, the signature is that of the vendor', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const key = fc.string({ unit: fc.constantFrom(...'ABCxyz019+/='), minLength: 16, maxLength: 60 });
  const requests = fc.record({
    region: fc.constantFrom('us-east-1', 'eu-central-2', 'us-gov-west-1', 'cn-north-1'),
    service: fc.constantFrom('ses', 'sns'),
    body: text,
    given: fc.record(
      { accessKeyId: key, secretAccessKey: key, sessionToken: key },
      { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
    ),
    at: fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ region, service, body, given, at }) => {
      const url = `${awsAddress(service, region)}/v2/email/outbound-emails`;
      const request: Unsigned = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body };
      const ours = headersOf(await sign(request, service, given, region, at.getTime()));
      const theirs = await signedByVendor({ ...request, service, keys: given, region, at: at.getTime() });
      for (const name of ['authorization', 'x-amz-date', 'x-amz-security-token'])
        assert.equal(ours[name], theirs[name]);
    }),
    { numRuns: 100 },
  );
});

describe('what leaves the signing', () => {
  test('the id of the key and the session token can be blanked out of an answer, and nothing shows them', async () => {
    const signed = await sign({ method: 'POST', url: 'https://example.amazonaws.com/' }, 'service', {
      ...keys,
      sessionToken,
    });
    assert.deepEqual(signed.secrets?.map(openSecret), ['AKIDEXAMPLE']);
    assert.doesNotMatch(JSON.stringify(signed), /AKID|AQoD|wJal/);
  });

  for (const field of ['accessKeyId', 'secretAccessKey', 'sessionToken'] as const)
    for (const wrong of ['T0KEN\nb', 'T0KEN b', 'T0KENü', ''])
      test(`${field} ${JSON.stringify(wrong)} is refused by name and without its value`, async () => {
        const signing = sign({ method: 'GET', url: 'https://a.amazonaws.com/' }, 's', { ...keys, [field]: wrong });
        await assert.rejects(signing, (error) => {
          assert.ok(error instanceof Refused && error.outcome.is === 'permanent' && error.outcome.credential);
          assert.match(error.outcome.reason, new RegExp(`\`${field}\``));
          assert.doesNotMatch(error.outcome.reason, /T0KEN/);
          return true;
        });
      });
});

// Source: partitions.json of the AWS SDKs (dnsSuffix by regionRegex).
test('each partition has a domain of its own', () => {
  const addresses: readonly (readonly [region: string, address: string])[] = [
    ['eu-west-1', 'https://sns.eu-west-1.amazonaws.com'],
    ['us-gov-west-1', 'https://sns.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 'https://sns.cn-north-1.amazonaws.com.cn'],
    ['eusc-de-east-1', 'https://sns.eusc-de-east-1.amazonaws.eu'],
    ['us-iso-east-1', 'https://sns.us-iso-east-1.c2s.ic.gov'],
    ['us-isob-east-1', 'https://sns.us-isob-east-1.sc2s.sgov.gov'],
    ['us-isof-south-1', 'https://sns.us-isof-south-1.csp.hci.ic.gov'],
    ['eu-isoe-west-1', 'https://sns.eu-isoe-west-1.cloud.adc-e.uk'],
  ];
  for (const [region, address] of addresses) assert.equal(awsAddress('sns', region), address);
});
