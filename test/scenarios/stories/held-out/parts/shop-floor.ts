/** Manifests as charts render them, for stories whose workloads have probes, mounts, accounts and addresses. */

import type { ClusterBuilder } from '../../../kit/scenario.ts';
import { claim, dns } from '../../../kit/things.ts';

type Manifest = Parameters<ClusterBuilder['object']>[0] & { readonly spec: Readonly<Record<string, unknown>> };

/** What differs from one workload to the next. */
export type Parts = {
  readonly replicas?: number;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables from a Secret, by `name.key`. */
  readonly secretEnv?: Readonly<Record<string, string>>;
  /** Variables from a ConfigMap, by `name.key`. */
  readonly configEnv?: Readonly<Record<string, string>>;
  /** Mount path of each Secret, ConfigMap or claim: `Secret/tls`. */
  readonly mounts?: Readonly<Record<string, string>>;
  readonly account?: string;
  readonly resources?: object;
  /** More of the container, of the Pod's spec and of the workload's spec. */
  readonly container?: object;
  readonly pod?: object;
  readonly more?: object;
  readonly labels?: Readonly<Record<string, string>>;
};

const split = (place: string): { namespace: string; name: string } => {
  const [namespace = '', name = ''] = place.split('/');
  return { namespace, name };
};

const keyOf = (at: string): { name: string; key: string } => {
  const dot = at.lastIndexOf('.');
  return { name: at.slice(0, dot), key: at.slice(dot + 1) };
};

/** The source of a volume: `Secret/tls` is a Secret named tls. */
function volumeOf(source: string, index: number): object {
  const [kind, name] = source.split('/');
  const volume = { name: `v${index}` };
  if (kind === 'Secret') return { ...volume, secret: { secretName: name } };
  if (kind === 'ConfigMap') return { ...volume, configMap: { name } };
  if (kind === 'emptyDir') return { ...volume, emptyDir: {} };
  return { ...volume, persistentVolumeClaim: { claimName: name } };
}

function template(place: string, image: string, parts: Parts): { metadata: object; spec: object } {
  const { name } = split(place);
  const mounts = Object.entries(parts.mounts ?? {});
  const own = mounts.filter(([source]) => !source.startsWith('own/'));
  const env = [
    ...Object.entries(parts.env ?? {}).map(([key, value]) => ({ name: key, value })),
    ...Object.entries(parts.secretEnv ?? {}).map(([key, at]) => ({
      name: key,
      valueFrom: { secretKeyRef: keyOf(at) },
    })),
    ...Object.entries(parts.configEnv ?? {}).map(([key, at]) => ({
      name: key,
      valueFrom: { configMapKeyRef: keyOf(at) },
    })),
  ];
  return {
    metadata: { labels: { app: name, 'app.kubernetes.io/name': name, ...parts.labels } },
    spec: {
      ...(parts.account && { serviceAccountName: parts.account }),
      containers: [
        {
          ...{ name, image },
          ...(parts.port && { ports: [{ name: 'main', containerPort: parts.port }] }),
          ...(env.length > 0 && { env }),
          resources: parts.resources ?? { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
          volumeMounts: mounts.map(([source, mountPath], index) => ({
            name: source.startsWith('own/') ? source.slice(4) : `v${index}`,
            mountPath,
          })),
          ...parts.container,
        },
      ],
      ...(own.length > 0 && {
        volumes: mounts.flatMap(([source], index) => (source.startsWith('own/') ? [] : [volumeOf(source, index)])),
      }),
      ...parts.pod,
    },
  };
}

/** A Deployment, StatefulSet or DaemonSet. */
export function app(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  place: string,
  image: string,
  parts: Parts = {},
): Manifest {
  const { namespace, name } = split(place);
  const labels = { app: name, 'app.kubernetes.io/name': name, ...parts.labels };
  return {
    ...{ apiVersion: 'apps/v1', kind, metadata: { namespace, name, labels } },
    spec: {
      ...(kind !== 'DaemonSet' && { replicas: parts.replicas ?? 2 }),
      ...(kind === 'StatefulSet' && { serviceName: name }),
      selector: { matchLabels: { app: name } },
      template: template(place, image, parts),
      ...parts.more,
    },
  };
}

/** A Job that is tried again as often as `backoffLimit` says. */
export function job(place: string, image: string, parts: Parts = {}): Manifest {
  const { metadata, spec } = template(place, image, parts);
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: split(place) },
    spec: { backoffLimit: 2, template: { metadata, spec: { restartPolicy: 'Never', ...spec } }, ...parts.more },
  };
}

/** A CronJob; `more` goes to its Jobs. */
export function cron(place: string, schedule: string, image: string, parts: Parts = {}): Manifest {
  const { spec } = job(place, image, parts);
  return {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: split(place) },
    spec: { schedule, concurrencyPolicy: 'Forbid', jobTemplate: { spec } },
  };
}

/** A Service of one port for the Pods labelled `app: <its name>`. */
export function service(place: string, port: number, more: object = {}): Manifest {
  const { name } = split(place);
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: split(place) },
    spec: { selector: { app: name }, ports: [{ name: 'main', port, targetPort: port }], ...more },
  };
}

/** Templates of claims for a StatefulSet. */
export const claims = (name: string, storageClassName: string, storage: string): object => {
  const { spec } = claim(`x/${name}`, storageClassName, { resources: { requests: { storage } } });
  return { volumeClaimTemplates: [{ metadata: { name }, spec }] };
};

/** Anything of the `v1` API and others without a spec of their own. */
export function plain(apiVersion: string, kind: string, place: string, content: object = {}): Manifest {
  const { namespace, name } = split(place);
  return { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, ...content } as Manifest;
}

/** The one container of a workload with other words: a merge patch replaces lists, so it is written whole. */
export function edited(manifest: Manifest): object {
  return { spec: manifest.spec };
}

/** A cluster with a clock of its own and names that are resolved. */
export function floor(cluster: ClusterBuilder, lasts: string): void {
  cluster.recordedFrom('sandbox');
  cluster.lasts(lasts);
  const { image } = dns.workload;
  // It comes up last: whatever is awaited has been well by then.
  cluster.image(image, { readyAfterSeconds: 40, log: ['.:53', 'CoreDNS-1.12.0', 'linux/amd64, go1.23.3, 51e11f1'] });
  cluster.deployment('kube-system/coredns', dns.workload);
  cluster.object(dns.service);
  cluster.at('1s', () => cluster.image(image, { readyAfterSeconds: 2, log: ['.:53', 'CoreDNS-1.12.0'] }));
}
