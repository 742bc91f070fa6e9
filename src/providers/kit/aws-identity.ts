import type { Outcome } from '../../model/delivery.ts';
import { Secret } from '../../model/secret.ts';
import type { Answer, AwsIdentity, AwsKeys, Reading, Send } from '../provider.ts';
import { awsAddress } from './aws.ts';
import { awsReading, queryError } from './aws-answers.ts';
import { beforehand } from './beforehand.ts';
import { denied } from './codes.ts';

/** Credentials are renewed so long before they end; milliseconds. */
const marginMs = 5 * 60_000;

/** What the Pod was given to be somebody at AWS, by the webhooks of EKS. */
type Given =
  | { readonly by: 'web identity'; readonly role: string; readonly tokenFile: string; readonly region?: string }
  | { readonly by: 'Pod identity'; readonly url: string; readonly tokenFile: string };

/** What an identity works with. */
export type AwsIdentityOptions = {
  /** Of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file, which the kubelet replaces. Rejects when it cannot be read. */
  readonly read: (file: string) => Promise<string>;
  /** Asks the agent of EKS Pod Identity on this Node. Rejects with `TransportError`. */
  readonly askAgent: (url: string, token: Secret) => Promise<Answer>;
};

/** Credentials, and when they end (epoch milliseconds). */
type Lent = { readonly keys: AwsKeys; readonly until: number };
type Refused = { readonly refused: Outcome };

/**
 * Who the Pod of this process is to AWS: by web identity (IAM roles for ServiceAccounts), else by Pod identity. Credentials are kept until shortly
 * before they end, and longer when new ones cannot be had. Sources: the SDKs' reference of both providers; API reference of STS.
 */
export function createAwsIdentity({ env, read, askAgent }: AwsIdentityOptions): AwsIdentity {
  const given = givenBy(env);
  let lent: Lent | undefined;
  let asking: Promise<Lent | Refused> | undefined;

  async function ask(from: Given, send: Send, region: string): Promise<Lent | Refused> {
    const token = await read(from.tokenFile).then(
      (text) => text.trim(),
      () => '',
    );
    if (token === '') return refused(from, `its token (${from.tokenFile}) cannot be read`, 'retryable');
    return from.by === 'web identity'
      ? askSts(from, new Secret(token), send, region)
      : askPodAgent(from, new Secret(token), askAgent);
  }

  return {
    async keys({ send, region, now, fresh = false }) {
      if (!given) return { refused: nobody };
      if (lent && !fresh && now < lent.until - marginMs) return lent.keys;
      asking ??= ask(given, send, region).finally(() => {
        asking = undefined;
      });
      const known = fresh ? undefined : lent;
      try {
        const answered = await asking;
        if ('keys' in answered) lent = answered;
        else if (!known || known.until <= now) return answered;
      } catch (error) {
        if (!known || known.until <= now) throw error;
      }
      return lent?.keys ?? { refused: nobody };
    },
  };
}

/** Both or none of the two variables of each way are set. */
function givenBy(env: AwsIdentityOptions['env']): Given | undefined {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: webToken, AWS_REGION: region } = env;
  if (role && webToken) return { by: 'web identity', role, tokenFile: webToken, ...(region && { region }) };
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: url, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: podToken } = env;
  return url && podToken ? { by: 'Pod identity', url, tokenFile: podToken } : undefined;
}

/** Outside the Pod of Tocsin nobody can tell what its role may. */
export const awsElsewhere: AwsIdentity = {
  keys: async () => ({
    refused: {
      is: 'retryable',
      reason: "there are no keys, and the role of Tocsin's Pod is known to that Pod alone",
      mayHaveArrived: false,
    },
  }),
};

/** Without keys and without anything that could stand in for them. */
const nobody: Outcome = denied(
  'there are no keys, and the Pod of Tocsin is nobody at AWS: set `accessKeyId` and `secretAccessKey`, or give its ServiceAccount a role (`eks.amazonaws.com/role-arn`, or an association of EKS Pod Identity) and restart it',
);

function refused({ by }: Given, why: string, is: 'permanent' | 'retryable'): Refused {
  const reason = `the Pod of Tocsin gets no credentials of AWS by ${by}: ${why}`;
  if (is === 'permanent') return { refused: { is, reason, credential: true, code: 'AuthFailed' } };
  return { refused: { is, reason, code: 'ServerError', mayHaveArrived: false } };
}

/** Errors of AssumeRoleWithWebIdentity. The kubelet renews the token by itself, so that one which is over may not be at the next try. */
const stsReading: Reading = awsReading(
  queryError,
  {
    retryable: ['IDPCommunicationError', 'ExpiredToken'],
    credential: ['IDPRejectedClaim', 'InvalidIdentityToken', 'MalformedPolicyDocument', 'RegionDisabled'],
  },
  {
    AccessDenied: 'the trust policy of the role must name the ServiceAccount of Tocsin',
    ExpiredToken: 'the token of the ServiceAccount is over: check the clock of the node',
    InvalidIdentityToken: 'IAM must know the OpenID Connect provider of this cluster',
    RegionDisabled: 'enable STS in this region',
  },
);

async function askSts(
  from: Extract<Given, { by: 'web identity' }>,
  token: Secret,
  send: Send,
  region: string,
): Promise<Lent | Refused> {
  const form = {
    ...{ Action: 'AssumeRoleWithWebIdentity', Version: '2011-06-15', RoleArn: from.role },
    ...{ RoleSessionName: 'tocsin', WebIdentityToken: token },
  };
  const url = `${awsAddress('sts', from.region ?? region)}/`;
  const answer = await beforehand(send({ method: 'POST', url, form }));
  const outcome = answer.outcome(stsReading);
  if (outcome.is !== 'delivered') return asRefused(from, outcome);
  const part = (name: string): string | undefined =>
    new RegExp(`<${name}>([^<]{1,8192})</${name}>`).exec(answer.body)?.[1];
  return lentBy(from, {
    id: part('AccessKeyId'),
    secret: part('SecretAccessKey'),
    token: part('SessionToken'),
    end: part('Expiration'),
  });
}

async function askPodAgent(
  from: Extract<Given, { by: 'Pod identity' }>,
  token: Secret,
  askAgent: AwsIdentityOptions['askAgent'],
): Promise<Lent | Refused> {
  const answer = await beforehand(askAgent(from.url, token));
  const outcome = answer.outcome({ advice: agentAdvice });
  if (outcome.is !== 'delivered') return asRefused(from, outcome);
  const {
    AccessKeyId: id,
    SecretAccessKey: secret,
    Token,
    Expiration: end,
  }: Readonly<Record<string, unknown>> = Object(answer.json());
  return lentBy(from, { id, secret, token: Token, end });
}

const association = 'associate the ServiceAccount of Tocsin with a role that trusts `pods.eks.amazonaws.com`';
const agentAdvice: NonNullable<Reading['advice']> = { 400: association, 403: association, 404: association };

/** What was refused is no message of ours: it is told as what it is. */
function asRefused(from: Given, outcome: Exclude<Outcome, { is: 'delivered' }>): Refused {
  if (outcome.is === 'rateLimited') return { refused: outcome };
  return refused(from, outcome.reason, outcome.is);
}

function lentBy(
  from: Given,
  { id, secret, token, end }: Readonly<Record<'id' | 'secret' | 'token' | 'end', unknown>>,
): Lent | Refused {
  const until = typeof end === 'string' ? Date.parse(end) : Number.NaN;
  const isWhole = [id, secret, token].every((part) => typeof part === 'string' && part !== '') && !Number.isNaN(until);
  if (!isWhole) return refused(from, 'the answer holds none', 'retryable');
  const keys = {
    accessKeyId: new Secret(String(id)),
    secretAccessKey: new Secret(String(secret)),
    sessionToken: new Secret(String(token)),
  };
  return { keys, until };
}
