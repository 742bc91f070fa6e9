import type { RawObject } from '../../../src/model/raw-object.ts';

/** What the workloads of stories differ in. Absent: what most workloads have. */
export type Workload = {
  readonly image: string;
  readonly replicas?: number;
  /** `memory: '64Mi'`, set as request and limit. */
  readonly memory?: string;
  readonly cpu?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Environment variables from a key: `TOKEN: 'secret/payments-token/token'`, `configmap/…`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Environment variables with plain values: `DB_HOST: 'db.shop.svc'`. */
  readonly values?: Readonly<Record<string, string>>;
  /** Names of ConfigMaps whose keys all become environment variables. */
  readonly envFrom?: readonly string[];
  /** Image of an init container named `init`. */
  readonly init?: string;
  readonly command?: readonly string[];
  /** Default true: a readiness probe on port 8080, as served traffic has. */
  readonly probe?: boolean;
  /** Fields of the container: `livenessProbe`, `volumeMounts`, `ports`. */
  readonly container?: object;
  /** Fields of the Pods' `spec`: `volumes`, `priorityClassName`. */
  readonly pod?: object;
  readonly labels?: Readonly<Record<string, string>>;
  /** It is broken from the beginning: nobody waits for it to be ready. */
  readonly broken?: true;
  /** Fields of the workload's own `spec`: `progressDeadlineSeconds`, `backoffLimit`. */
  readonly spec?: object;
};

/** An object as it is applied. */
export type Manifest = RawObject & { readonly apiVersion: string; readonly kind: string };

/** What the CronJobs of stories differ in. */
export type CronJob = Pick<Workload, 'image' | 'spec'> & {
  readonly schedule: string;
  /** Fields of the Jobs' `spec`. */
  readonly job?: object;
};

/** `shop/api` as namespace and name. */
export function split(place: string): { readonly namespace: string; readonly name: string } {
  const [namespace, name] = place.split('/');
  if (!namespace || !name) throw new Error(`"${place}" is not a namespace and a name: write shop/api`);
  return { namespace, name };
}

function fromKey(source: string): object {
  const [kind, name, key] = source.split('/');
  return kind === 'secret' ? { secretKeyRef: { name, key } } : { configMapKeyRef: { name, key } };
}

/** The Pod template of a workload: one container named as the workload. */
export function templateOf(name: string, workload: Workload, restartPolicy: 'Always' | 'Never' | 'OnFailure'): object {
  const {
    image,
    memory,
    cpu,
    nodeSelector,
    env = {},
    values = {},
    envFrom = [],
    init,
    command,
    probe = true,
  } = workload;
  const sizes = { ...(cpu && { cpu }), ...(memory && { memory }) };
  return {
    metadata: { labels: { app: name, ...workload.labels } },
    spec: {
      restartPolicy,
      ...(nodeSelector && { nodeSelector }),
      ...(init && { initContainers: [{ name: 'init', image: init }] }),
      containers: [
        {
          name,
          image,
          ...(command && { command }),
          env: [
            ...Object.entries(env).map(([variable, source]) => ({ name: variable, valueFrom: fromKey(source) })),
            ...Object.entries(values).map(([variable, value]) => ({ name: variable, value })),
          ],
          envFrom: envFrom.map((configMap) => ({ configMapRef: { name: configMap } })),
          ...(Object.keys(sizes).length > 0 && {
            resources: { requests: sizes, ...(memory && { limits: { memory } }) },
          }),
          ...(probe && restartPolicy === 'Always' && { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } }),
          ...workload.container,
        },
      ],
      ...workload.pod,
    },
  };
}

/** A kind of workload: where it lives in the API, and what its status says when all is well. */
export type WorkloadKind = {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job';
  readonly path: 'apis/apps/v1' | 'apis/batch/v1';
  readonly plural: string;
  readonly restartPolicy: 'Always' | 'Never';
  /** `status` fields: how many are ready, of how many. */
  readonly ready?: readonly [string, string];
};

/** The kinds that stories use. */
export const workloadKinds = {
  Deployment: {
    kind: 'Deployment',
    path: 'apis/apps/v1',
    plural: 'deployments',
    restartPolicy: 'Always',
    ready: ['readyReplicas', 'replicas'],
  },
  StatefulSet: {
    kind: 'StatefulSet',
    path: 'apis/apps/v1',
    plural: 'statefulsets',
    restartPolicy: 'Always',
    ready: ['readyReplicas', 'replicas'],
  },
  DaemonSet: {
    kind: 'DaemonSet',
    path: 'apis/apps/v1',
    plural: 'daemonsets',
    restartPolicy: 'Always',
    ready: ['numberReady', 'desiredNumberScheduled'],
  },
  Job: { kind: 'Job', path: 'apis/batch/v1', plural: 'jobs', restartPolicy: 'Never' },
} as const satisfies Record<string, WorkloadKind>;

/** The manifest of a workload. */
export function workloadOf(kind: WorkloadKind, place: string, workload: Workload): RawObject {
  const { namespace, name } = split(place);
  const replicated = kind.kind === 'Deployment' || kind.kind === 'StatefulSet';
  return {
    apiVersion: kind.path.replace('apis/', ''),
    kind: kind.kind,
    metadata: { name, namespace },
    spec: {
      ...(replicated && { replicas: workload.replicas ?? 1 }),
      ...(kind.kind === 'StatefulSet' && { serviceName: name }),
      ...(kind.kind !== 'Job' && { selector: { matchLabels: { app: name } } }),
      template: templateOf(name, workload, kind.restartPolicy),
      ...workload.spec,
    },
  };
}

/** A Pod that nobody owns. */
export function podOf(place: string, workload: Workload): Manifest {
  const { namespace, name } = split(place);
  const { metadata, spec } = templateOf(name, workload, 'Always') as { metadata: object; spec: object };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, ...metadata }, spec };
}

/** A CronJob whose Jobs do not try again. */
export function cronJobOf(place: string, { schedule, image, job, spec }: CronJob): Manifest {
  const { namespace, name } = split(place);
  const template = templateOf(name, { image }, 'Never');
  return {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name, namespace } },
    spec: { schedule, jobTemplate: { spec: { backoffLimit: 0, template, ...job } }, ...spec },
  };
}

/** A Service for the Pods of the workload of its name. */
export function serviceOf(place: string, spec: object = {}): Manifest {
  const { namespace, name } = split(place);
  const ports = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }];
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } },
    spec: { selector: { app: name }, ports, ...spec },
  };
}

/** A ConfigMap, a Secret (its values in clear) or a ResourceQuota of a namespace. */
export function plainObject(kind: 'ConfigMap' | 'Secret' | 'ResourceQuota', place: string, content: object): RawObject {
  const { namespace, name } = split(place);
  const field =
    kind === 'Secret'
      ? { stringData: content }
      : kind === 'ConfigMap'
        ? { data: content }
        : { spec: { hard: content } };
  return { apiVersion: 'v1', kind, metadata: { name, namespace }, ...field };
}

/** The plural of the plain kinds, for paths. */
export const plainPlurals = { ConfigMap: 'configmaps', Secret: 'secrets', ResourceQuota: 'resourcequotas' } as const;
