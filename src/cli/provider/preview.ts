import type { AlertConfig } from '../../api/alert-config.ts';
import type { AlertProvider } from '../../api/alert-provider.ts';
import { storedApiVersion as apiVersion, configName, kinds } from '../../api/group.ts';
import { type Preview, previewOf } from '../../api/preview.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { type Streams, UsageError } from '../command.ts';
import { parseText } from '../lint/documents.ts';
import { readSources } from '../lint/files.ts';
import { structured } from '../output.ts';
import type { ProviderArguments } from './arguments.ts';
import { explainError } from './request.ts';

type Asked = Pick<ProviderArguments, 'provider' | 'namespace' | 'output'>;

/** Prints what an AlertProvider of the cluster would send. Exit code: 0 as it is asked for, 1 otherwise. */
export async function previewInCluster(asked: ProviderArguments, streams: Streams, client: ApiClient): Promise<number> {
  const { provider, namespace } = asked;
  try {
    const path = `/apis/${apiVersion}/namespaces/${namespace}/${kinds.AlertProvider.plural}/${provider}`;
    const { spec } = await client.json<AlertProvider>({ path });
    return shown(asked, spec, streams, await zoneOf(namespace, client));
  } catch (error) {
    streams.stderr.write(`tocsin: ${explainError(error, asked)}\n`);
    return 1;
  }
}

/** The time zone that the AlertConfig of the namespace sets; nothing where there is none, or nobody may read it. */
async function zoneOf(namespace: string, client: ApiClient): Promise<string | undefined> {
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${kinds.AlertConfig.plural}/${configName}`;
  try {
    return (await client.json<AlertConfig>({ path })).spec?.app?.timeZone;
  } catch {
    return undefined;
  }
}

/** The same of one in a file, a folder or standard input (`-`). */
export async function previewOfFile(asked: Asked, from: string, streams: Streams): Promise<number> {
  const sources = await readSources([from], streams.stdin);
  const objects = sources.flatMap(({ text }) => parseText(text).objects.map(({ value }) => value));
  const found = objects.find((value) => isNamed(value, asked.provider));
  if (!found) throw new UsageError(`"${from}" holds no AlertProvider "${asked.provider}" with a spec`);
  return shown(asked, found.spec, streams, zoneIn(objects));
}

function isNamed(value: unknown, name: string): value is Pick<AlertProvider, 'spec'> {
  const { kind, metadata, spec } = Object(value);
  return kind === 'AlertProvider' && Object(metadata).name === name && typeof Object(spec).type === 'string';
}

/** The time zone that an AlertConfig beside it sets. */
function zoneIn(objects: readonly unknown[]): string | undefined {
  const config = objects.find((value) => Object(value).kind === 'AlertConfig');
  const { timeZone } = Object(Object(Object(config).spec).app);
  return typeof timeZone === 'string' ? timeZone : undefined;
}

function shown(
  { output }: Asked,
  spec: AlertProvider['spec'],
  { stdout }: Streams,
  timeZone: string | undefined,
): number {
  const previews = previewOf(spec, timeZone);
  stdout.write(output === 'text' ? previews.map(inText).join('\n') : structured({ messages: previews }, output));
  return previews.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

const inText = ({ kind, text, problem }: Preview): string =>
  `--- ${kind}${problem === undefined ? '' : `, not as it was asked: ${problem}`}\n${text}\n`;
