import type { AlertProvider } from '../../api/alert-provider.ts';
import { apiVersion, kinds } from '../../api/group.ts';
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
    return shown(asked, (await client.json<AlertProvider>({ path })).spec, streams);
  } catch (error) {
    streams.stderr.write(`tocsin: ${explainError(error, asked)}\n`);
    return 1;
  }
}

/** The same of one in a file, a folder or standard input (`-`). */
export async function previewOfFile(asked: Asked, from: string, streams: Streams): Promise<number> {
  const sources = await readSources([from], streams.stdin);
  const objects = sources.flatMap(({ text }) => parseText(text).objects.map(({ value }) => value));
  const found = objects.find((value) => isNamed(value, asked.provider));
  if (!found) throw new UsageError(`"${from}" holds no AlertProvider "${asked.provider}" with a spec`);
  return shown(asked, found.spec, streams);
}

function isNamed(value: unknown, name: string): value is Pick<AlertProvider, 'spec'> {
  const { kind, metadata, spec } = Object(value);
  return kind === 'AlertProvider' && Object(metadata).name === name && typeof Object(spec).type === 'string';
}

function shown({ output }: Asked, spec: AlertProvider['spec'], { stdout }: Streams): number {
  const previews = previewOf(spec);
  stdout.write(output === 'text' ? previews.map(inText).join('\n') : structured({ messages: previews }, output));
  return previews.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

const inText = ({ kind, text, problem }: Preview): string =>
  `--- ${kind}${problem === undefined ? '' : `, not as it was asked: ${problem}`}\n${text}\n`;
