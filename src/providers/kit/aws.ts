import { AwsV4Signer } from 'aws4fetch';
import type { Outcome } from '../../model/delivery.ts';
import { openSecret, Secret } from '../../model/secret.ts';
import type { Answer, AwsKeys, CheckParts, SendRequest } from '../provider.ts';
import type { AwsError } from './aws-answers.ts';
import type { AnyConfig } from './block.ts';
import { denied } from './codes.ts';
import { type ConfigOf, secret, string } from './fields.ts';
import { unsendable } from './headers.ts';
import { Refused } from './refused.ts';

/** The fields of every product of Amazon: whose request it is, and where it goes. */
export const awsFields = {
  accessKeyId: secret({ description: "Access key id; without keys, the role of Tocsin's Pod." }),
  secretAccessKey: secret({ description: 'Secret access key.' }),
  sessionToken: secret({ description: 'Session token of temporary credentials.', needs: 'accessKeyId' }),
  region: string({
    default: 'us-east-1',
    pattern: '^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$',
    maxLength: 32,
    description: 'Region.',
  }),
} as const;

/** What these fields have to agree in. */
export const awsRules = [
  {
    cel: 'has(self.accessKeyId) == has(self.secretAccessKey)',
    message: "set `accessKeyId` and `secretAccessKey` together, or neither for the role of Tocsin's Pod",
  },
] as const;

/** For the pages: how to do without keys. */
export const awsRole =
  "Without keys Tocsin comes as the role of its ServiceAccount: annotate that with `eks.amazonaws.com/role-arn`, or associate it with a role (EKS Pod Identity), and restart the Pod. This is for AlertProviders in Tocsin's namespace alone; `config/hardened` keeps the Pod from the agent of EKS Pod Identity.";

/** Why a block without keys works in Tocsin's namespace alone. */
export function awsAtHomeOnly({ accessKeyId, secretAccessKey }: AnyConfig): string | undefined {
  if (accessKeyId !== undefined || secretAccessKey !== undefined) return undefined;
  return "has no keys: the role of Tocsin's Pod is for AlertProviders in the namespace of Tocsin; set `accessKeyId` and `secretAccessKey`";
}

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
 * header can hold are refused (`Refused`), since errors of the library would quote them.
 */
export async function signAws(
  { method, url, headers = {}, body }: Unsigned,
  config: AwsKeys & Pick<AwsConfig, 'region'>,
  { service, now }: { readonly service: string; readonly now: number },
): Promise<SendRequest> {
  const given = { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey };
  const token = config.sessionToken && { sessionToken: config.sessionToken };
  const opened = Object.entries({ ...given, ...token }).map(([name, value]) => [name, openSecret(value)] as const);
  const broken = opened.find(([, value]) => !/^[\x21-\x7e]+$/.test(value));
  if (broken) throw unsendable(`\`${broken[0]}\``);
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

/** Errors that say that credentials no longer hold, by names without `Exception` at their end. */
const outdated: ReadonlySet<string> = new Set(['ExpiredToken', 'UnrecognizedClient', 'InvalidClientTokenId']);

/**
 * One action, with the keys of the block, else as whoever the process is; when what that had got no longer holds, once more with new ones.
 * `errorOf`: where the protocol has the name of an error. Rejects with `TransportError` and `Refused`.
 */
export async function askAws(
  { config, send, now, aws }: Pick<CheckParts<AwsConfig>, 'config' | 'send' | 'now' | 'aws'>,
  unsigned: Unsigned,
  { service, errorOf }: { readonly service: string; readonly errorOf: (answer: Answer) => AwsError | undefined },
): Promise<Answer> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = config;
  const ask = async (keys: AwsKeys): Promise<Answer> =>
    send(await signAws(unsigned, { ...keys, region }, { service, now }));
  if (accessKeyId && secretAccessKey)
    return ask({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  if (!aws) throw new Refused(notAtHome);
  const askWith = async (lent: Awaited<ReturnType<typeof aws.keys>>): Promise<Answer> => {
    if ('refused' in lent) throw new Refused(lent.refused);
    return ask(lent);
  };
  const answer = await askWith(await aws.keys({ send, region, now }));
  const code = answer.status < 300 ? undefined : errorOf(answer)?.code;
  if (!outdated.has(code?.replace(/Exception$/, '') ?? '')) return answer;
  return askWith(await aws.keys({ send, region, now, fresh: true }));
}

const notAtHome: Outcome = denied(`it ${awsAtHomeOnly({})}`);
