import { kinds, storedApiVersion } from '../../api/group.ts';
import type { Silence } from '../../api/silence.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { tocsin } from '../../model/command.ts';
import { explained } from '../cluster/explain.ts';
import { untilAnswered } from '../cluster/until.ts';
import type { Streams } from '../command.ts';
import { structured } from '../output.ts';
import type { AddArguments } from './arguments.ts';
import { silenceManifest } from './manifest.ts';

/** How long the operator may take to say that it has read it (seconds). */
const understoodSeconds = 5;

/**
 * Makes a Silence, waits until the operator says that it is in force, and prints its name and until when it mutes. Exit code: 0 it is in
 * force, or will be; 1 it was refused or is wrong. Rejects with `UsageError` where it would mute everything, or has no end.
 */
export async function runSilenceAdd(
  asked: AddArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const manifest = await silenceManifest(asked, client);
  if (asked.dryRun) {
    stdout.write(structured(manifest, asked.output === 'json' ? 'json' : 'yaml'));
    return 0;
  }
  const path = `/apis/${storedApiVersion}/namespaces/${asked.namespace}/${kinds.Silence.plural}`;
  let made: Silence;
  try {
    made = await client.json<Silence>({ method: 'POST', path, body: { ...manifest, apiVersion: storedApiVersion } });
  } catch (error) {
    stderr.write(`tocsin: ${explained(error, meaningOf(asked))}\n`);
    return 1;
  }
  const understood = await untilAnswered(async () => {
    const silence = await client.json<Silence>({ path: `${path}/${made.metadata.name}` });
    return silence.status?.conditions?.some(({ type }) => type === 'Ready') ? silence : undefined;
  }, understoodSeconds);
  const silence = understood ?? made;
  const ready = silence.status?.conditions?.find(({ type }) => type === 'Ready');
  if (asked.output !== 'text') stdout.write(structured(silence, asked.output));
  else stdout.write(said(silence, asked.namespace));
  return ready?.status === 'False' ? 1 : 0;
}

function said({ metadata, status }: Silence, namespace: string): string {
  const condition = (type: string) => status?.conditions?.find((each) => each.type === type);
  const [ready, active] = [condition('Ready'), condition('Active')];
  const where = namespace === 'tocsin' ? [] : ['--namespace', namespace];
  const end = tocsin('silence', 'expire', metadata.name ?? '', ...where);
  if (ready === undefined)
    return `${namespace}/${metadata.name}: made, but Tocsin has not acted on it within ${understoodSeconds} s: does it run? (kubectl get pods -A -l app.kubernetes.io/name=tocsin)\n`;
  if (ready.status === 'False') return `${namespace}/${metadata.name}: ${ready.message}\n`;
  return `${namespace}/${metadata.name}: ${active?.message ?? ready.message}\n${end === undefined ? '' : `End it early: ${end}\n`}`;
}

const meaningOf = ({ namespace }: AddArguments): Parameters<typeof explained>[1] => ({
  missing: `the namespace "${namespace}" does not exist, or the CRDs of Tocsin are not installed (kubectl get crd silences.tocsin.dev)`,
  needs: `\`create\` on Silences in the namespace "${namespace}"`,
});
