import packageJson from '../../../package.json' with { type: 'json' };
import { type LintOptions, lint, type Verdict } from '../../api/lint/lint.ts';
import type { Remark } from '../../api/lint/remark.ts';
import type { Ref } from '../../model/ref.ts';
import type { Tested } from '../../runtime/sending/check-credentials.ts';
import { type Streams, UsageError } from '../command.ts';
import { bakedKeys } from '../license-keys.ts';
import type { LintArguments } from './arguments.ts';
import { readSources } from './files.ts';
import { type Gathered, gather, type LocatedManifest } from './gather.ts';
import { githubReport } from './github.ts';
import { jsonReport } from './json.ts';
import { licenseIn } from './license.ts';
import { type Report, reportOf } from './report.ts';
import { textReport } from './text.ts';

/** Runs lint and resolves with the exit code: 0 nothing wrong, 1 errors, 2 called wrongly. `keys`: whose licences are believed. */
export async function runLint(asked: LintArguments, streams: Streams, keys = bakedKeys()): Promise<number> {
  const { stdin, stdout, stderr } = streams;
  try {
    const gathered = await everything(asked, stdin);
    const now = Date.now();
    const license = await licenseIn(gathered, asked.namespace, keys, now);
    const options: LintOptions = {
      operatorNamespace: asked.namespace,
      now,
      secrets: gathered.secrets,
      ...(license && { license }),
    };
    const verdict = lint(gathered.manifests, options);
    const tested = asked.check ? await testCredentials(verdict, asked.namespace) : new Map<Ref, Remark>();
    const report = reportOf(gathered, verdict, { tested, license, strict: asked.strict });
    stdout.write(formats[asked.output](report, stdout.isTTY === true && stdout.hasColors?.() === true));
    return report.counts.error > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`tocsin lint: ${error.message}\n`);
    return 2;
  }
}

const formats: Readonly<Record<LintArguments['output'], (report: Report, colour: boolean) => string>> = {
  text: textReport,
  json: jsonReport,
  github: githubReport,
};

async function everything(asked: LintArguments, stdin: Streams['stdin']): Promise<Gathered> {
  const { names, namespace, cluster } = asked;
  if (names.length === 0 && !cluster)
    throw new UsageError(
      'name files, folders or - (standard input), or say --cluster; `tocsin lint --help` shows examples',
    );
  const files = names.length > 0 ? gather(await readSources(names, stdin), namespace) : undefined;
  // As kubectl has it: nothing to apply is a mistake, such as of the tool whose output this should be.
  if (files && isEmpty(files)) throw new UsageError(`${empty(names)} no object: there is nothing to check`);
  if (!cluster && files) return files;
  // The way to a cluster costs time and memory that a file does not need.
  const { openCluster } = await import('../cluster/open.ts');
  const { withCluster } = await import('./cluster.ts');
  const client = await openCluster(asked);
  try {
    return await withCluster(files, client, namespace);
  } finally {
    await client.close();
  }
}

const isEmpty = ({ manifests, misread, foreign, secretCount }: Gathered): boolean =>
  manifests.length + misread.length + foreign + secretCount === 0;

const empty = (names: readonly string[]): string =>
  names.length > 1 ? 'these files hold' : names[0] === '-' ? 'standard input holds' : `"${names[0]}" holds`;

async function testCredentials(
  { sound, config }: Verdict<LocatedManifest>,
  operatorNamespace: string,
): Promise<ReadonlyMap<Ref, Remark>> {
  const [{ createCredentialCheck }, { systemClock }] = await Promise.all([
    import('../../runtime/sending/check-credentials.ts'),
    import('../../kube/system-clock.ts'),
  ]);
  const settings = {
    ...config,
    edition: 'Community' as const,
    editionIsKnown: true,
    operatorNamespace,
    providers: [],
    silences: [],
    windows: [],
  };
  const checker = createCredentialCheck({ clock: systemClock, version: packageJson.version, settings });
  try {
    const rows = sound.map(async ({ settings: provider, values, complete }): Promise<[Ref, Remark]> => {
      const path = `spec.${provider.type}`;
      if (!complete) return [provider.ref, { rule: 'CheckSkipped', path, message: notGiven }];
      const result = await checker.test(provider, values);
      return [provider.ref, { path, ...sayTested(provider.type, result) }];
    });
    return new Map(await Promise.all(rows));
  } finally {
    await checker.close();
  }
}

const notGiven =
  'the credentials were not tested, since the Secret is not given: add its file, or say --cluster where you may read it';

function sayTested(type: string, result: Tested): Omit<Remark, 'path'> {
  switch (result.is) {
    case 'accepted':
      return { rule: 'CredentialAccepted', message: 'the product accepted the credentials' };
    case 'unsupported':
      return {
        rule: 'CheckSkipped',
        message: `type ${type} cannot test credentials without sending a message: apply it and annotate it with tocsin.dev/test`,
      };
    case 'refused':
      return {
        rule: 'CredentialRefused',
        message: `the product refused the credentials or the destination: ${result.message}`,
      };
    case 'unclear':
      return {
        rule: 'CredentialUntested',
        message: `the credentials could not be tested from here: ${result.message}`,
      };
  }
}
