import { stringify } from 'yaml';
import { type Streams, UsageError } from '../command.ts';
import { readSources } from '../lint/files.ts';
import type { Output } from '../output.ts';
import { alertmanager } from './alertmanager.ts';
import { botkube } from './botkube.ts';
import { type Converted, convert } from './convert.ts';
import { kwatch } from './kwatch.ts';
import { placesOf } from './places.ts';
import { robusta } from './robusta.ts';
import type { Tool } from './rule.ts';

/** The tools whose configurations are understood. */
export const tools: Readonly<Record<string, Tool>> = { kwatch, robusta, botkube, alertmanager };

/** What `tocsin import` is asked. */
export type ImportArguments = {
  readonly tool: string;
  readonly file: string;
  readonly namespace: string;
  readonly output: Output;
};

/**
 * Prints manifests on standard output and what became of each value on standard error. Exit code 0, or 1 where nothing of the file is a setting
 * that is known. Rejects with `UsageError` for another tool, or what cannot be read.
 */
export async function runImport(asked: ImportArguments, { stdin, stdout, stderr }: Streams): Promise<number> {
  const tool = Object.hasOwn(tools, asked.tool) ? tools[asked.tool] : undefined;
  if (tool === undefined) throw new UsageError(`"${asked.tool}" is not one of ${Object.keys(tools).join(', ')}`);
  const [source] = await readSources([asked.file], stdin);
  const places = placesOf(source?.text ?? '', asked.file);
  const converted = convert(places, tool, asked.namespace);
  if (asked.output === 'json') {
    const { manifests, lines, secrets } = converted;
    stdout.write(`${JSON.stringify({ manifests, lines, secrets: Object.fromEntries(secrets) }, undefined, 2)}\n`);
  } else {
    stdout.write(manifestsOf(converted, asked.namespace));
    stderr.write(reportOf(converted));
  }
  return converted.manifests.length > 0 ? 0 : 1;
}

/** With the commands that make the Secrets: credentials are not copied into what may end in Git. */
function manifestsOf({ manifests, secrets }: Converted, namespace: string): string {
  const commands = [...secrets].map(([name, keys]) => {
    const literals = keys.map((key) => `--from-literal=${key}=…`).join(' ');
    return `#   kubectl -n ${namespace} create secret generic ${name} ${literals}\n`;
  });
  const head =
    commands.length > 0 ? `# The Secrets that these name, with the values of your file:\n${commands.join('')}` : '';
  return head + manifests.map((manifest) => stringify(manifest, { lineWidth: 0 })).join('---\n');
}

function reportOf({ lines }: Converted): string {
  const rows = lines.map((each) => {
    const became = 'into' in each ? `→ ${each.into}` : `not taken over: ${each.why}`;
    return `${String(each.line).padStart(4)}  ${each.path}  ${became}\n`;
  });
  const taken = lines.filter((each) => 'into' in each).length;
  return `${rows.join('')}\n${lines.length} values: ${taken} taken over, ${lines.length - taken} not, each with why. Check the result: tocsin lint\n`;
}
