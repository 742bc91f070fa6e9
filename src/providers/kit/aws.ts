import { AwsV4Signer } from 'aws4fetch';
import type { Outcome } from '../../model/delivery.ts';
import { openSecret, Secret } from '../../model/secret.ts';
import type { SendRequest } from '../provider.ts';
import { type ConfigOf, secret, string } from './fields.ts';
import { unsendable } from './headers.ts';

/** The fields of every product of Amazon: whose request it is, and where it goes. */
export const awsFields = {
  accessKeyId: secret({ required: true, description: 'Access key id.' }),
  secretAccessKey: secret({ required: true, description: 'Secret access key.' }),
  sessionToken: secret({ description: 'Session token of temporary credentials.' }),
  region: string({
    default: 'us-east-1',
    pattern: '^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$',
    maxLength: 32,
    description: 'Region.',
  }),
} as const;

/** The opened fields of one attempt. */
export type AwsConfig = ConfigOf<typeof awsFields>;

/** What the regions of a partition begin with → where its services are (partitions.json of the AWS SDKs). */
const domains: readonly (readonly [prefix: string, domain: string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
];

/** `https://<service>.<region>.amazonaws.com`, or the same of another partition than the public one. */
export function awsAddress(service: string, region: string): string {
  const [, domain = 'amazonaws.com'] = domains.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `https://${service}.${region}.${domain}`;
}

/** What is signed: exactly what is sent, but for the headers that the sender adds of itself. */
export type Unsigned = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/**
 * A request with AWS Signature Version 4, ready for `send`. `service`: the signing name, which is not always that of the host.
 * `now`: epoch milliseconds of this attempt; AWS refuses a signature that is more than five minutes off. Credentials that no
 * header can hold are refused, since errors of the library would quote them.
 */
export async function signAws(
  { method, url, headers = {}, body }: Unsigned,
  config: AwsConfig,
  { service, now }: { readonly service: string; readonly now: number },
): Promise<SendRequest | { readonly refused: Outcome }> {
  const given = { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey };
  const token = config.sessionToken && { sessionToken: config.sessionToken };
  const opened = Object.entries({ ...given, ...token }).map(([name, value]) => [name, openSecret(value)] as const);
  const broken = opened.find(([, value]) => !/^[\x21-\x7e]+$/.test(value));
  if (broken) return { refused: unsendable(`\`${broken[0]}\``) };
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers },
    ...(body !== undefined && { body }),
    accessKeyId: openSecret(config.accessKeyId),
    secretAccessKey: openSecret(config.secretAccessKey),
    ...(config.sessionToken && { sessionToken: openSecret(config.sessionToken) }),
    service,
    region: config.region,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  const signed = await signer.sign();
  const { authorization = '', 'x-amz-date': date = '' } = Object.fromEntries(signed.headers);
  return {
    method,
    url: signed.url,
    headers: {
      ...headers,
      'x-amz-date': date,
      ...(config.sessionToken && { 'x-amz-security-token': config.sessionToken }),
      authorization: new Secret(authorization),
    },
    ...(body !== undefined && { body }),
    // The id is a part of the header above, and errors quote it alone.
    secrets: [config.accessKeyId],
  };
}
