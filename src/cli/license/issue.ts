import { stringify } from 'yaml';
import type { LicenseClaims } from '../../edition/claims.ts';
import { signToken } from '../../edition/token.ts';
import { type Streams, UsageError } from '../command.ts';
import { readSigningKey } from './key-file.ts';

/** What was asked of issue. */
export type IssueArguments = {
  readonly key: string;
  readonly licensee: string;
  readonly expires: Date;
  readonly begins?: Date;
  readonly cluster?: readonly string[];
  readonly output: 'text' | 'manifest' | 'json';
};

const secondOf = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Signs a licence and prints it. `now`: epoch milliseconds. */
export async function issue(asked: IssueArguments, { stdout }: Streams, now = Date.now()): Promise<number> {
  const { id, key } = await readSigningKey(asked.key);
  if (asked.expires.getTime() <= now) throw new UsageError('a licence must expire in the future: correct --expires');
  const claims: LicenseClaims = {
    licensee: asked.licensee,
    edition: 'Pro',
    iat: Math.floor(now / 1000),
    ...(asked.begins && { nbf: secondOf(asked.begins) }),
    exp: secondOf(asked.expires),
    ...(asked.cluster && { clusters: asked.cluster }),
  };
  const token = await signToken(claims, id, key).catch((error: Error) => {
    throw new UsageError(`nothing is issued: ${error.message}`);
  });
  stdout.write(formats[asked.output](token, claims));
  return 0;
}

const formats: Readonly<Record<IssueArguments['output'], (token: string, claims: LicenseClaims) => string>> = {
  text: (token) => `${token}\n`,
  json: (token, claims) => `${JSON.stringify({ license: token, claims }, null, 2)}\n`,
  manifest: (token) =>
    stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'tocsin-license', namespace: 'tocsin' },
      stringData: { license: token },
    }),
};
