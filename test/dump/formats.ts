import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { RawObject } from '../../src/model/raw-object.ts';
import { nameOf, namespaceOf } from '../../src/model/ref.ts';
import type { ContainerLog } from '../../src/runtime/recording/container-logs.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';

/** What a cluster holds at one moment: what every format is made of. */
export type Holding = { readonly objects: readonly RawObject[]; readonly logs: readonly ContainerLog[] };

/** Path → content. */
export type Files = ReadonlyMap<string, string>;

const groupOf = (raw: RawObject): string => (raw.apiVersion?.includes('/') ? (raw.apiVersion.split('/')[0] ?? '') : '');
const groupOfKind = (kind: string): string => watchedKinds.find((row) => row.kind === kind)?.group || 'core';
const pluralOf = (raw: RawObject): string =>
  watchedKinds.find(({ kind }) => kind === raw.kind)?.plural ?? `${raw.kind?.toLowerCase()}s`;
const inJson = (value: unknown): string => `${JSON.stringify(value, undefined, 4)}\n`;
/** Without aliases, which Go does not write. */
const inYaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
const listOf = (kind: string, items: readonly RawObject[]): object => ({ kind, apiVersion: 'v1', metadata: {}, items });

/** Kinds that tools list, each in every namespace, also where there are none: kubectl 1.36, `oc adm inspect` 4.17, Troubleshoot 0.120. */
const listed = {
  clusterInfo: ['Node', 'Event', 'Service', 'DaemonSet', 'Deployment', 'ReplicaSet', 'Pod'],
  inspect: [
    ...['Pod', 'Service', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet', 'HorizontalPodAutoscaler', 'CronJob'],
    ...['Job', 'ConfigMap', 'Event', 'EndpointSlice', 'PersistentVolumeClaim', 'PodDisruptionBudget'],
  ],
  troubleshoot: [
    ...[
      'Pod',
      'PodDisruptionBudget',
      'Service',
      'Deployment',
      'StatefulSet',
      'ReplicaSet',
      'Job',
      'CronJob',
      'Ingress',
    ],
    ...['NetworkPolicy', 'ResourceQuota', 'LimitRange', 'Event', 'PersistentVolumeClaim', 'Namespace', 'Node'],
    ...['StorageClass', 'PersistentVolume'],
  ],
} as const;

/** By namespace and kind, as tools write lists. `always`: of these kinds every namespace has one. */
function grouped(
  { objects }: Holding,
  always: readonly string[] = [],
): Map<string, { namespace: string; plural: string; kind: string; items: RawObject[] }> {
  const groups = new Map<string, { namespace: string; plural: string; kind: string; items: RawObject[] }>();
  const namespaces = new Set(
    objects.map(({ metadata, kind }) => (kind === 'Namespace' ? metadata.name : (metadata.namespace ?? ''))),
  );
  for (const { kind, plural, namespaced } of watchedKinds.filter(({ kind }) => always.includes(kind)))
    for (const namespace of namespaced ? namespaces : [''])
      if (namespaced === (namespace !== '')) groups.set(`${namespace}/${kind}`, { namespace, plural, kind, items: [] });
  for (const raw of objects) {
    const { namespace = '' } = raw.metadata;
    const key = `${namespace}/${raw.kind}`;
    const group = groups.get(key) ?? { namespace, plural: pluralOf(raw), kind: raw.kind ?? '', items: [] };
    group.items.push(raw);
    groups.set(key, group);
  }
  return groups;
}

/** Without who wrote it and when: what prints through cli-runtime leaves that out since Kubernetes 1.21 (`OmitManagedFieldsPrinter`), and so does Insights. */
function bare({ objects, logs }: Holding): Holding {
  const without = objects.map((raw) => {
    const { managedFields: _, ...metadata } = raw.metadata;
    return { ...raw, metadata };
  });
  return { objects: without, logs };
}

const text = ({ lines }: ContainerLog): string => lines.map((line) => `${line}\n`).join('');

/** As the API server gives logs to who asks for times. */
const stamped = ({ lines }: ContainerLog): string =>
  lines.map((line, index) => `2026-11-22T02:44:${String(index % 60).padStart(2, '0')}.123456789Z ${line}\n`).join('');

/** `kubectl cluster-info dump --output-directory` (of the kinds that are watched; the tool has fewer). */
function clusterInfo(holding: Holding): Files {
  const files = new Map<string, string>();
  for (const { namespace, plural, kind, items } of grouped(holding, listed.clusterInfo).values())
    files.set(
      namespace === '' ? `${plural}.json` : `${namespace}/${plural}.json`,
      inJson(listOf(`${kind}List`, items)),
    );
  for (const { metadata } of holding.objects.filter(({ kind }) => kind === 'Namespace'))
    files.set(`${metadata.name}/replication-controllers.json`, inJson(listOf('ReplicationControllerList', [])));
  for (const log of holding.logs.filter(({ previous }) => !previous)) {
    const [namespace, pod] = [
      namespaceOf(log.pod as `${string}/${string}/${string}`),
      nameOf(log.pod as `${string}/${string}/${string}`),
    ];
    const path = `${namespace}/${pod}/logs.txt`;
    const marked = `==== START logs for container ${log.container} of pod ${namespace}/${pod} ====\n${text(log)}==== END logs for container ${log.container} of pod ${namespace}/${pod} ====\n`;
    files.set(path, `${files.get(path) ?? ''}${marked}`);
  }
  return files;
}

/** `oc adm must-gather`: YAML, lists by namespace, cluster-scoped objects each by itself. */
function mustGather(holding: Holding): Files {
  const files = new Map<string, string>();
  for (const { namespace, plural, kind, items } of grouped(holding, listed.inspect).values()) {
    const group = items[0] === undefined ? groupOfKind(kind) : groupOf(items[0]) || 'core';
    if (namespace !== '')
      files.set(
        `must-gather/namespaces/${namespace}/${group}/${plural}.yaml`,
        `---\n${inYaml(listOf(`${kind}List`, items))}`,
      );
    else
      for (const item of items)
        files.set(
          `must-gather/cluster-scoped-resources/${group}/${plural}/${item.metadata.name}.yaml`,
          `---\n${inYaml(item)}`,
        );
  }
  for (const log of holding.logs) {
    const [, namespace, pod] = log.pod.split('/');
    const run = log.previous ? 'previous' : 'current';
    files.set(
      `must-gather/namespaces/${namespace}/pods/${pod}/${log.container}/${log.container}/logs/${run}.log`,
      stamped(log),
    );
  }
  return files;
}

/** Troubleshoot's `clusterResources` collector: lists whose items say neither kind nor version. */
function troubleshoot(holding: Holding): Files {
  const files = new Map<string, string>();
  for (const { namespace, plural, kind, items } of grouped(holding, listed.troubleshoot).values()) {
    const bare = items.map(({ apiVersion: _, kind: __, ...rest }) => rest as RawObject);
    const path = namespace === '' ? `${plural}.json` : `${plural}/${namespace}.json`;
    files.set(`support-bundle-2026/cluster-resources/${path}`, JSON.stringify(listOf(`${kind}List`, bare)));
  }
  for (const { pod, container, previous, ...log } of holding.logs) {
    const [, namespace, name] = pod.split('/');
    const run = previous ? '-previous' : '';
    files.set(
      `support-bundle-2026/cluster-resources/pods/logs/${namespace}/${name}/${container}${run}.log`,
      text({ pod, container, previous, ...log }),
    );
  }
  return files;
}

/** OpenShift Insights: objects each by itself, without managed fields; logs with times. */
function insights(holding: Holding): Files {
  const files = new Map<string, string>();
  for (const { apiVersion: _, kind = '', ...raw } of holding.objects) {
    const { managedFields: __, ...metadata } = raw.metadata;
    const { namespace = '', name } = metadata;
    const place = namespace === '' ? '' : `${namespace}/`;
    files.set(`config/${kind.toLowerCase()}/${place}${name}.json`, JSON.stringify({ ...raw, metadata }));
  }
  for (const log of holding.logs) {
    const [, namespace, pod] = log.pod.split('/');
    files.set(
      `config/pod/${namespace}/logs/${pod}/${log.container}_${log.previous ? 'previous' : 'current'}.log`,
      stamped(log),
    );
  }
  return files;
}

/** `kubectl get … -A -o yaml`. */
function kubectlGet({ objects }: Holding): Files {
  return new Map([
    ['all.yaml', inYaml({ apiVersion: 'v1', items: objects, kind: 'List', metadata: { resourceVersion: '' } })],
  ]);
}

/** Format → how a cluster is written down in it. */
export const formats: Readonly<Record<string, (holding: Holding) => Files>> = {
  'kubectl cluster-info dump': (holding) => clusterInfo(bare(holding)),
  'must-gather': (holding) => mustGather(bare(holding)),
  'Troubleshoot support bundle': troubleshoot,
  'OpenShift Insights archive': insights,
  'objects as kubectl prints them': (holding) => kubectlGet(bare(holding)),
};

/** Writes files below a folder, as of a time (epoch milliseconds). */
export function writeFiles(folder: string, files: Files, at: number): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    utimesSync(join(folder, path), at / 1000, at / 1000);
  }
}
