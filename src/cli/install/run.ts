import { stringify } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ApiClient } from '../../kube/api-client.ts';
import { systemClock } from '../../kube/system-clock.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { type Streams, UsageError } from '../command.ts';
import { apply, read } from './apply.ts';
import type { InstallArguments } from './arguments.ts';
import { findInstalled, keptByOthers } from './found.ts';
import { releasedImage } from './image.ts';
import { installed, settings, type Wanted } from './objects.ts';
import { nameOf } from './places.ts';
import { prune } from './prune.ts';
import { rolledOut, served } from './rollout.ts';

/** The oldest minor version of Kubernetes 1 that serves what is installed. */
const oldestMinor = 29;

/** The four kinds are served within seconds. */
const servedSeconds = 30;

/**
 * `tocsin install` and `tocsin upgrade`: applies everything, waits until the Pod is ready, and says what changed. Exit code: 0 it runs (or would
 * be applied), 1 it does not, with why. Rejects with what to do where something is refused.
 */
export async function runInstall(
  verb: 'install' | 'upgrade',
  asked: InstallArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const { namespace, clusterName, dryRun, output } = asked;
  const image = asked.image ?? releasedImage;
  if (image === '')
    throw new UsageError(
      'this program is no release, so it knows no image: build one (docs/install.md) and say --image registry.example.com/tocsin:0.1.0',
    );
  const wanted: Wanted = {
    ...{ namespace, image, onOpenShift: await checkServer(client) },
    ...(clusterName !== undefined && { clusterName }),
  };
  const objects = installed(wanted);
  if (dryRun && output !== 'text') {
    stdout.write(manifestsOf([...objects, ...settings(wanted)], output));
    return 0;
  }
  const found = await findInstalled(client, namespace);
  const problem =
    keptByOthers(found, namespace, verb) ??
    (verb === 'upgrade' && !found.some((each) => each.namespace === namespace)
      ? `Tocsin is not in the namespace ${namespace}: tocsin install${found[0] ? `, or tocsin upgrade --namespace ${found[0].namespace}` : ''}`
      : undefined);
  if (problem !== undefined) {
    stderr.write(`tocsin ${verb}: ${problem}\n`);
    return 1;
  }
  const before = systemClock.monotonic();
  const say = (object: RawObject, outcome: string): void =>
    void stdout.write(`${nameOf(object)} ${dryRun && outcome !== 'unchanged' ? `would be ${outcome}` : outcome}\n`);
  for (const object of objects) say(object, await apply(client, object, asked));
  for (const object of await prune(client, objects, namespace, dryRun)) say(object, 'deleted');
  if (!dryRun && !(await served(client, servedSeconds))) {
    stderr.write(
      `tocsin ${verb}: the API server does not serve the four kinds after ${servedSeconds} s: kubectl get crd -l app.kubernetes.io/part-of=tocsin -o yaml\n`,
    );
    return 1;
  }
  for (const object of settings(wanted)) {
    const there = await read(client, object);
    if (there === undefined) say(object, await apply(client, object, asked));
    else stdout.write(`${nameOf(object)} ${kept(there, clusterName)}\n`);
  }
  if (dryRun) return 0;
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  const why = deployment && (await rolledOut(client, deployment, asked.timeoutSeconds));
  if (why !== undefined) {
    stderr.write(
      `tocsin ${verb}: everything is applied, but the Pod is not ready after ${asked.timeoutSeconds} s: ${why}\n` +
        `  kubectl -n ${namespace} describe pods -l app.kubernetes.io/name=tocsin\n  kubectl -n ${namespace} logs deployment/tocsin\n`,
    );
    return 1;
  }
  const seconds = Math.round((systemClock.monotonic() - before) / 1000);
  stdout.write(
    `\nTocsin ${packageJson.version} is ready in the namespace ${namespace}, after ${seconds} s.\n${verb === 'install' ? next(namespace) : ''}`,
  );
  return 0;
}

/** What is the users' stays as it is. */
const kept = ({ metadata, spec }: RawObject, asked: string | undefined): string =>
  asked === undefined || Object(spec).app?.clusterName === asked
    ? 'is yours: left as it is'
    : `is yours: left as it is. To name the cluster: kubectl -n ${metadata.namespace ?? ''} patch alertconfig default --type=merge -p '{"spec":{"app":{"clusterName":"${asked}"}}}'`;

const next = (namespace: string): string => `
Where messages go (a webhook; all types: docs/reference/README.md):
  kubectl -n ${namespace} create secret generic oncall --from-literal=url=https://receiver.example.com/alerts
  kubectl apply -f - <<'EOF'
  apiVersion: tocsin.dev/v1beta1
  kind: AlertProvider
  metadata: { name: oncall, namespace: ${namespace} }
  spec: { type: webhook, webhook: { url: { secretKeyRef: { name: oncall, key: url } } } }
  EOF
  tocsin send oncall${namespace === 'tocsin' ? '' : ` --namespace ${namespace}`}
`;

const manifestsOf = (objects: readonly RawObject[], output: 'json' | 'yaml'): string =>
  output === 'json'
    ? `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, undefined, 2)}\n`
    : objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');

/** Whether it is OpenShift. Rejects where the server is too old, or does not answer. */
async function checkServer(client: ApiClient): Promise<boolean> {
  const { major, minor, gitVersion } = await client.json<Readonly<Record<string, string>>>({ path: '/version' });
  if (major === '1' && Number.parseInt(minor ?? '', 10) < oldestMinor)
    throw new Error(`the API server is Kubernetes ${gitVersion}: Tocsin needs 1.${oldestMinor} or newer`);
  const { groups } = await client.json<{ readonly groups?: readonly { readonly name: string }[] }>({ path: '/apis' });
  return (groups ?? []).some(({ name }) => name === 'security.openshift.io');
}
