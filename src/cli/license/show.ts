import { readFile } from 'node:fs/promises';
import type { LicenseClaims } from '../../edition/claims.ts';
import { type LicenseKeys, licenseKeysOf } from '../../edition/keys.ts';
import { judgeLicense, unusableToken } from '../../edition/standing.ts';
import { checkToken } from '../../edition/token.ts';
import { featureNames, features, includes } from '../../model/edition.ts';
import { type LicenseStanding, licenseStates } from '../../model/license.ts';
import { openSecret } from '../../model/secret.ts';
import { type Streams, UsageError } from '../command.ts';
import { bakedKeys } from '../license-keys.ts';
import { parseText } from '../lint/documents.ts';
import { readSources } from '../lint/files.ts';
import { secretValues } from '../lint/gather.ts';

/** What was asked of show. */
export type ShowArguments = {
  readonly file: string;
  readonly cluster?: string;
  readonly keys?: string;
  readonly output: 'text' | 'json';
};

/** Checks a licence offline and says what it gives. `now`: epoch milliseconds. Exit code 0 when it gives an edition now. */
export async function show(asked: ShowArguments, { stdin, stdout }: Streams, now = Date.now()): Promise<number> {
  const [source] = await readSources([asked.file], stdin);
  const keys = asked.keys === undefined ? bakedKeys() : await readKeys(asked.keys);
  const checked = await checkToken(tokenIn(source?.text ?? ''), keys);
  if (!('claims' in checked)) {
    const { state, why } = unusableToken(checked.flaw, checked.detail);
    stdout.write(asked.output === 'json' ? json({ state, message: why }) : `${why}\n`);
    return 1;
  }
  const { claims, keyId } = checked;
  // Without a cluster to judge it for, any that it lists will do.
  const standing = judgeLicense(claims, asked.cluster ?? claims.clusters?.[0] ?? '', now);
  stdout.write(asked.output === 'json' ? json({ ...brief(standing), keyId, claims }) : text(standing, claims, keyId));
  return licenseStates[standing.state].licensed === 'True' ? 0 : 1;
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function brief({ state, edition, message }: LicenseStanding): object {
  return { state, edition, message };
}

function text(standing: LicenseStanding, claims: LicenseClaims, keyId: string): string {
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  const rows = [
    ['Licensee', standing.licensee ?? ''],
    ['Edition', claims.edition],
    ['Issued', time(claims.iat)],
    ...(claims.nbf === undefined ? [] : [['Begins', time(claims.nbf)]]),
    ['Expires', time(claims.exp)],
    ['Clusters', claims.clusters?.join(', ') ?? 'any'],
    ['Key', keyId],
  ];
  const gives = featureNames.filter((each) => includes(standing.edition, each)).map((each) => features[each].name);
  return [
    ...rows.map(([name = '', value = '']) => `${name.padEnd(8)}  ${value}`),
    '',
    standing.message,
    ...(gives.length > 0 ? [`It gives ${gives.join(', ')}.`] : []),
    '',
  ].join('\n');
}

async function readKeys(path: string): Promise<LicenseKeys> {
  try {
    return licenseKeysOf(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageError(
      `the keys in "${path}" cannot be used: ${error instanceof Error ? error.message : 'not JSON'}`,
    );
  }
}

/** The licence in a text: the text itself, or the value in a manifest of its Secret. Rejects with `UsageError` where that is unclear. */
function tokenIn(text: string): string {
  if (!/^\s*(?:kind|apiVersion|\{|---)/m.test(text)) return text;
  const secrets = parseText(text).objects.filter(({ value }) => Object(value).kind === 'Secret');
  const [secret, ...others] = secrets;
  if (!secret || others.length > 0) throw new UsageError('give a licence, or a manifest of one Secret');
  const given = secretValues(Object(secret.value));
  if (given === 'sealed') throw new UsageError('the Secret is encrypted: decrypt it first');
  const { values } = given;
  const value = values.get('license') ?? (values.size === 1 ? [...values.values()][0] : undefined);
  if (!value) throw new UsageError('the Secret has no key "license": name the key so, or give the licence itself');
  return openSecret(value);
}
