/** The defaults the API server fills in, for the fields that controllers, the kubelet or Tocsin read. */
import { type Fields, isFields } from './object.ts';

const withDefaults = (value: unknown, defaults: Fields): Fields => ({ ...defaults, ...(isFields(value) ? value : {}) });

/** Admission plug-in DefaultTolerationSeconds: 300 s on a node that is not ready or unreachable. */
const evictionTolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

const containerDefaults = (container: unknown): Fields => {
  const image = isFields(container) ? String(container.image) : '';
  const floating = !image.includes('@') && (/:latest$/.test(image) || !/:[^/]+$/.test(image));
  return withDefaults(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: floating ? 'Always' : 'IfNotPresent',
  });
};

function podSpec(value: unknown): Fields {
  const spec = withDefaults(value, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  for (const field of ['containers', 'initContainers']) {
    const containers = spec[field];
    if (Array.isArray(containers)) spec[field] = containers.map(containerDefaults);
  }
  return spec;
}

function pod(object: Fields): Fields {
  const spec = withDefaults(podSpec(object.spec), {
    serviceAccountName: 'default',
    serviceAccount: 'default',
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
  });
  const own = Array.isArray(spec.tolerations) ? spec.tolerations : [];
  const missing = evictionTolerations.filter(
    (wanted) => !own.some((toleration) => isFields(toleration) && (toleration.key ?? wanted.key) === wanted.key),
  );
  return { ...object, spec: { ...spec, tolerations: [...own, ...missing] } };
}

/** A workload: its own defaults and those of its Pod template. */
const workload =
  (defaults: Fields) =>
  (object: Fields): Fields => {
    const spec = withDefaults(object.spec, defaults);
    const template = withDefaults(spec.template, { metadata: {} });
    return { ...object, spec: { ...spec, template: { ...template, spec: podSpec(template.spec) } } };
  };

/** Defaults by resource; a resource without a row has none. */
const table: Readonly<Record<string, (object: Fields) => Fields>> = {
  pods: pod,
  'deployments.apps': workload({
    replicas: 1,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  }),
  'replicasets.apps': workload({ replicas: 1 }),
  'statefulsets.apps': workload({
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  }),
  'daemonsets.apps': workload({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
  }),
  'jobs.batch': workload({
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  }),
  'cronjobs.batch': (object) => {
    const spec = withDefaults(object.spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const job = withDefaults(spec.jobTemplate, { metadata: {} });
    const inner = withDefaults(job.spec, {});
    const template = withDefaults(inner.template, { metadata: {} });
    const filled = { ...inner, template: { ...template, spec: podSpec(template.spec) } };
    return { ...object, spec: { ...spec, jobTemplate: { ...job, spec: filled } } };
  },
  namespaces: (object) => ({ ...object, spec: withDefaults(object.spec, { finalizers: ['kubernetes'] }) }),
  persistentvolumeclaims: (object) => ({ ...object, spec: withDefaults(object.spec, { volumeMode: 'Filesystem' }) }),
  persistentvolumes: (object) => ({
    ...object,
    spec: withDefaults(object.spec, { volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' }),
  }),
  'storageclasses.storage.k8s.io': (object) =>
    withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  services: (object) => ({
    ...object,
    spec: withDefaults(object.spec, { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' }),
  }),
  secrets: (object) => {
    const { stringData, ...rest } = withDefaults(object, { type: 'Opaque' });
    if (!isFields(stringData)) return rest;
    const encoded = Object.entries(stringData).map(([key, value]) => [
      key,
      Buffer.from(String(value)).toString('base64'),
    ]);
    return { ...rest, data: { ...(isFields(rest.data) ? rest.data : {}), ...Object.fromEntries(encoded) } };
  },
};

/** The object with the defaults of its kind. */
export function applyDefaults(resource: string, object: Fields): Fields {
  return table[resource]?.(object) ?? object;
}

/** The status an object of a built-in kind has from its creation. */
export function initialStatus(resource: string): Fields | undefined {
  const table: Readonly<Record<string, Fields>> = {
    pods: { phase: 'Pending', qosClass: 'BestEffort' },
    namespaces: { phase: 'Active' },
    'deployments.apps': {},
    'replicasets.apps': { replicas: 0 },
    'statefulsets.apps': { replicas: 0, availableReplicas: 0 },
    'daemonsets.apps': { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    'jobs.batch': {},
    'cronjobs.batch': {},
    resourcequotas: {},
    'poddisruptionbudgets.policy': { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    nodes: {},
    persistentvolumeclaims: { phase: 'Pending' },
    persistentvolumes: { phase: 'Available' },
    services: { loadBalancer: {} },
  };
  return table[resource];
}
