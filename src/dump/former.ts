import type { Resource } from '../model/resource.ts';
import { groupOf } from '../model/resource.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../world/reading/fields.ts';

const admission = ['admissionregistration.k8s.io/v1beta1', 'admissionregistration.k8s.io/v1alpha1'];
const workload = ['apps/v1beta2', 'apps/v1beta1', 'extensions/v1beta1'];
const storage = ['storage.k8s.io/v1beta1', 'storage.k8s.io/v1alpha1'];

/**
 * Versions that clusters served before those that are watched now, and that mean the same: what is written in other fields there is in the present ones
 * once it went through `inPresentShape`. Kubernetes 1.18 serves all of them or their successors; `extensions` and `apps/v1beta*` are of before.
 */
const formerVersions: Readonly<Record<string, readonly string[]>> = {
  Deployment: workload,
  ReplicaSet: workload,
  DaemonSet: workload,
  StatefulSet: workload,
  CronJob: ['batch/v1beta1', 'batch/v2alpha1'],
  PriorityClass: ['scheduling.k8s.io/v1beta1', 'scheduling.k8s.io/v1alpha1'],
  RuntimeClass: ['node.k8s.io/v1beta1', 'node.k8s.io/v1alpha1'],
  EndpointSlice: ['discovery.k8s.io/v1beta1', 'discovery.k8s.io/v1alpha1'],
  HorizontalPodAutoscaler: ['autoscaling/v2beta2', 'autoscaling/v2beta1', 'autoscaling/v1'],
  VerticalPodAutoscaler: ['autoscaling.k8s.io/v1beta2'],
  PodDisruptionBudget: ['policy/v1beta1'],
  APIService: ['apiregistration.k8s.io/v1beta1'],
  CustomResourceDefinition: ['apiextensions.k8s.io/v1beta1'],
  StorageClass: storage,
  VolumeAttachment: storage,
  CSIDriver: storage,
  CSINode: storage,
  VolumeSnapshot: ['snapshot.storage.k8s.io/v1beta1'],
  ResourceClaim: ['resource.k8s.io/v1alpha3'],
  ResourceSlice: ['resource.k8s.io/v1alpha3', 'resource.k8s.io/v1alpha2'],
  ServiceCIDR: ['networking.k8s.io/v1beta1', 'networking.k8s.io/v1alpha1'],
  NetworkPolicy: ['extensions/v1beta1'],
  IngressClass: ['networking.k8s.io/v1beta1'],
  Ingress: ['networking.k8s.io/v1beta1', 'extensions/v1beta1'],
  ValidatingWebhookConfiguration: admission,
  MutatingWebhookConfiguration: admission,
  ValidatingAdmissionPolicy: admission,
  ValidatingAdmissionPolicyBinding: admission,
  CertificateSigningRequest: ['certificates.k8s.io/v1beta1'],
  FlowSchema: ['v1beta2', 'v1beta1', 'v1alpha1'].map((version) => `flowcontrol.apiserver.k8s.io/${version}`),
  Lease: ['coordination.k8s.io/v1beta1'],
  Event: ['v1', 'events.k8s.io/v1beta1'],
};

/** Whether all that is read of a kind is where it is expected in objects of this version. */
export function isKnownVersion({ kind, group, versions }: Resource, apiVersion: string): boolean {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  if (groupOf(apiVersion) === group && versions.includes(version)) return true;
  return formerVersions[kind]?.includes(apiVersion) === true;
}

/** Whether a kind was in another group once. */
export function wasInGroup(kind: string, group: string): boolean {
  return formerVersions[kind]?.some((apiVersion) => groupOf(apiVersion) === group) === true;
}

/**
 * What former versions wrote elsewhere, where the present one has it. It goes by the fields and not by the version, which items of lists need not say; what
 * is written as at present stays as it is.
 */
export function inPresentShape<Raw extends Fields & { readonly kind?: string }>(raw: Raw): Raw {
  const { kind = '' } = raw;
  return Object.hasOwn(shapes, kind) ? { ...raw, ...shapes[kind]?.(raw) } : raw;
}

/** Kind → the parts of an object that were written otherwise. */
const shapes: Readonly<Record<string, (raw: Fields) => Fields>> = {
  Event: (raw) => (raw.involvedObject === undefined ? {} : eventOf(raw)),
  Ingress: ({ spec }) => (spec === undefined ? {} : { spec: ingressOf(fieldsOf(spec)) }),
  HorizontalPodAutoscaler: autoscalerOf,
  PodDisruptionBudget: budgetOf,
  CustomResourceDefinition: definitionOf,
  CertificateSigningRequest: requestOf,
  ResourceSlice: ({ driverName, spec }) =>
    driverName === undefined ? {} : { spec: { driver: driverName, ...fieldsOf(spec) } },
};

/** An Event of v1 in the words of events.k8s.io/v1. */
function eventOf({ involvedObject, message, firstTimestamp, lastTimestamp, count, source, ...raw }: Fields): Fields {
  return {
    ...{ regarding: involvedObject, involvedObject: undefined, note: message, message: undefined },
    ...{ deprecatedFirstTimestamp: firstTimestamp, firstTimestamp: undefined },
    ...{ deprecatedLastTimestamp: lastTimestamp, lastTimestamp: undefined },
    ...{ deprecatedCount: count, count: undefined, deprecatedSource: source, source: undefined },
    ...{ reportingController: raw.reportingComponent, reportingComponent: undefined },
  };
}

/** networking.k8s.io/v1beta1: `backend`, and in backends `serviceName` and `servicePort`. */
function ingressOf({ backend, ...spec }: Fields): Fields {
  const rules = listOf(spec.rules).map((rule) => {
    if (rule.http === undefined) return rule;
    const http = fieldsOf(rule.http);
    const paths = listOf(http.paths).map((path) => ({ ...path, backend: backendOf(path.backend) }));
    return { ...rule, http: { ...http, paths } };
  });
  return {
    ...spec,
    ...(spec.rules !== undefined && { rules }),
    ...(backend !== undefined && { defaultBackend: backendOf(backend) }),
  };
}

function backendOf(raw: unknown): unknown {
  const { serviceName, servicePort, ...backend } = fieldsOf(raw);
  if (serviceName === undefined) return raw;
  const port = typeof servicePort === 'number' ? { number: servicePort } : { name: servicePort };
  return { ...backend, service: { name: serviceName, port } };
}

/** Parts of autoscaling/v1 that stand in annotations, as JSON. */
const ofAutoscaler = 'autoscaling.alpha.kubernetes.io/';

/** autoscaling/v1 knows of the processor alone and has the rest in annotations; in v2beta1 each type of metric has fields of its own. */
function autoscalerOf({ metadata, spec: ofSpec, status: ofStatus }: Fields): Fields {
  const { targetCPUUtilizationPercentage: wanted, ...spec } = fieldsOf(ofSpec);
  const { currentCPUUtilizationPercentage: current, ...status } = fieldsOf(ofStatus);
  const annotations = fieldsOf(fieldsOf(metadata).annotations);
  const noted = (name: string): readonly Fields[] => listOf(parsed(annotations[`${ofAutoscaler}${name}`]));
  const processor = (value: unknown, field: string): readonly Fields[] =>
    value === undefined
      ? []
      : [{ type: 'Resource', resource: { name: 'cpu', [field]: { type: 'Utilization', averageUtilization: value } } }];
  const metrics = [...listOf(spec.metrics), ...processor(wanted, 'target'), ...noted('metrics')];
  const seen = [...listOf(status.currentMetrics), ...processor(current, 'current'), ...noted('current-metrics')];
  const conditions = [...listOf(status.conditions), ...noted('conditions')];
  return {
    ...(ofSpec !== undefined && { spec: { ...spec, ...(metrics.length > 0 && { metrics: metrics.map(metricOf) }) } }),
    ...(ofStatus !== undefined && {
      status: {
        ...status,
        ...(seen.length > 0 && { currentMetrics: seen.map(metricOf) }),
        ...(conditions.length > 0 && { conditions }),
      },
    }),
  };
}

/** A metric in which the amounts are beside the name: there is one part, of the type of metric that it is. */
function metricOf(raw: Fields): Fields {
  return Object.fromEntries(
    Object.entries(raw).map(([type, part]) => [type, type === 'type' ? part : partOf(fieldsOf(part))]),
  );
}

/** The fields of v2beta1 that hold an amount → where v2 has it. */
const amounts: Readonly<Record<string, readonly [of: 'target' | 'current', name: string]>> = {
  targetAverageUtilization: ['target', 'averageUtilization'],
  targetAverageValue: ['target', 'averageValue'],
  targetValue: ['target', 'value'],
  currentAverageUtilization: ['current', 'averageUtilization'],
  currentAverageValue: ['current', 'averageValue'],
  currentValue: ['current', 'value'],
};

function partOf({ metricName, ...part }: Fields): Fields {
  const found = Object.entries(amounts).filter(([field]) => part[field] !== undefined);
  if (metricName === undefined && found.length === 0) return part;
  // What v2beta1 calls the target of a metric of an object is that object.
  const { target, ...rest } = part;
  const isOfObject = target !== undefined;
  const named = { target: {}, current: {} } as Record<'target' | 'current', Fields>;
  for (const [field, [of, name]] of found) named[of] = { ...named[of], [name]: part[field] };
  return {
    ...rest,
    ...(isOfObject && { describedObject: target }),
    ...(metricName !== undefined && { metric: { name: metricName } }),
    ...(Object.keys(named.target).length > 0 && { target: named.target }),
    ...(Object.keys(named.current).length > 0 && { current: named.current }),
  };
}

/** policy/v1beta1: an empty selector selects nothing, in v1 everything. */
function budgetOf({ apiVersion, spec }: Fields): Fields {
  const { selector, ...rest } = fieldsOf(spec);
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const isEmpty = Object.keys(fieldsOf(matchLabels)).length + listOf(matchExpressions).length === 0;
  return apiVersion === 'policy/v1beta1' && selector !== undefined && isEmpty ? { spec: rest } : {};
}

/** apiextensions.k8s.io/v1beta1: who converts stands beside how. */
function definitionOf({ spec: ofSpec }: Fields): Fields {
  const spec = fieldsOf(ofSpec);
  const { webhookClientConfig: clientConfig, ...conversion } = fieldsOf(spec.conversion);
  if (clientConfig === undefined) return {};
  return { spec: { ...spec, conversion: { ...conversion, webhook: { clientConfig } } } };
}

/** certificates.k8s.io/v1beta1: a condition that is there is so, whether it says it or not. */
function requestOf({ status: ofStatus }: Fields): Fields {
  const status = fieldsOf(ofStatus);
  const conditions = listOf(status.conditions);
  if (conditions.every((condition) => condition.status !== undefined)) return {};
  return { status: { ...status, conditions: conditions.map((condition) => ({ status: 'True', ...condition })) } };
}

function parsed(json: unknown): unknown {
  try {
    return JSON.parse(textOf(json) ?? 'null');
  } catch {
    return null;
  }
}
