import { secretsNamedIn } from '../model/named-secrets.ts';
import type { RawObject } from '../model/raw-object.ts';
import { qualifiedKind } from '../model/ref.ts';
import type { Resource } from '../model/resource.ts';

/**
 * Custom resources that nobody need be told of, by group (of `*.` any below it) and plural (absent: all of the group): records
 * of every Pod or node, reports, results of single runs, and steps of what is watched itself.
 */
const denied: readonly { readonly group: string; readonly plurals?: readonly string[] }[] = [
  // Ours.
  { group: 'tocsin.dev' },
  // Records of the network, one for each Pod, identity, node or block of addresses.
  {
    group: 'cilium.io',
    plurals: ['ciliumendpoints', 'ciliumendpointslices', 'ciliumidentities', 'ciliumnodes', 'ciliumpodippools'],
  },
  { group: 'projectcalico.org' },
  { group: 'k8s.ovn.org' },
  { group: 'kubeovn.io', plurals: ['ips', 'vpc-nat-gateways'] },
  { group: 'vpcresources.k8s.aws' },
  { group: 'crd.k8s.amazonaws.com' },
  { group: 'networking.gke.io', plurals: ['nodetopologies', 'servicenetworkendpointgroups'] },
  { group: 'whereabouts.cni.cncf.io' },
  // Reports.
  { group: 'wgpolicyk8s.io' },
  { group: 'reports.kyverno.io' },
  { group: 'openreports.io' },
  { group: 'kyverno.io', plurals: ['updaterequests', 'admissionreports', 'backgroundscanreports', 'cleanuppolicies'] },
  { group: 'aquasecurity.github.io' },
  { group: 'spdx.softwarecomposition.kubescape.io' },
  { group: 'status.gatekeeper.sh' },
  { group: 'core.k8sgpt.ai', plurals: ['results'] },
  // Single runs, steps and records of something else that is watched, or that nobody waits for.
  {
    group: 'argoproj.io',
    plurals: ['workflows', 'workflowtaskresults', 'workflowtasksets', 'analysisruns', 'experiments'],
  },
  { group: 'tekton.dev', plurals: ['taskruns', 'pipelineruns', 'customruns'] },
  { group: 'cert-manager.io', plurals: ['certificaterequests'] },
  { group: 'acme.cert-manager.io' },
  { group: 'velero.io', plurals: ['podvolumebackups', 'podvolumerestores', 'datauploads', 'datadownloads'] },
  { group: 'longhorn.io', plurals: ['engines', 'replicas', 'instancemanagers', 'orphans', 'backups', 'snapshots'] },
  { group: 'apiextensions.crossplane.io', plurals: ['compositionrevisions', 'usages'] },
  { group: 'pkg.crossplane.io', plurals: ['providerrevisions', 'configurationrevisions', 'functionrevisions'] },
];

/**
 * What decides about traffic and has no conditions, all of its group that is watched: who was served until one was edited asks for no
 * condition.
 */
const decidesOnTraffic: readonly { readonly group: string; readonly plurals: readonly string[] }[] = [
  { group: 'crd.projectcalico.org', plurals: ['networkpolicies', 'globalnetworkpolicies'] },
];

/** Groups whose statuses have conditions although their schema does not say so. */
const knownGroups: readonly string[] = [
  'argoproj.io',
  '*.knative.dev',
  '*.toolkit.fluxcd.io',
  'cert-manager.io',
  '*.crossplane.io',
  '*.x-k8s.io',
  'keda.sh',
  'karpenter.sh',
  '*.k8s.aws',
  'external-secrets.io',
  'monitoring.coreos.com',
  'kafka.strimzi.io',
  'postgresql.cnpg.io',
  'ceph.rook.io',
  '*.istio.io',
];

const isIn = (pattern: string, group: string): boolean =>
  pattern.startsWith('*.') ? group.endsWith(pattern.slice(1)) : group === pattern;

function isDenied(group: string, plural: string): boolean {
  return denied.some((row) => isIn(row.group, group) && (row.plurals?.includes(plural) ?? true));
}

/** Whether a kind is watched without conditions; `undefined`: nothing is said of its group. */
function isOfTraffic(group: string, plural: string): boolean | undefined {
  return decidesOnTraffic.find((row) => isIn(row.group, group))?.plurals.includes(plural);
}

type Fields = Readonly<Record<string, unknown>>;
const record = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(record) : []);
const below = (value: Fields, ...path: readonly string[]): Fields => path.reduce((at, step) => record(at[step]), value);

/** Whether the status of a version may have conditions: its schema says so, or leaves it open and the group is known for them. */
function hasConditions(version: Fields, group: string): boolean {
  const root = below(version, 'schema', 'openAPIV3Schema');
  const status = below(root, 'properties', 'status');
  if (record(status.properties).conditions !== undefined) return true;
  const open = 'x-kubernetes-preserve-unknown-fields';
  if (status[open] !== true && root[open] !== true) return false;
  return knownGroups.some((pattern) => isIn(pattern, group));
}

/**
 * What a CustomResourceDefinition defines, to be watched like any other kind; `undefined`: not by its conditions. The version is
 * the one that is stored, if it is served: it is what costs the API server least. Kinds of the groups of Kubernetes have rows
 * of their own.
 */
export function definedResource(definition: RawObject): Resource | undefined {
  const spec = record(definition.spec);
  const { group, scope } = spec;
  const { plural, kind } = record(spec.names);
  if (typeof group !== 'string' || typeof plural !== 'string' || typeof kind !== 'string') return undefined;
  const ofTraffic = isOfTraffic(group, plural);
  if (qualifiedKind(group, kind) === kind || isDenied(group, plural) || ofTraffic === false) return undefined;
  const served = listOf(spec.versions).filter(
    (version) => version.served === true && (ofTraffic || hasConditions(version, group)),
  );
  const [first, ...others] = served
    .sort((a, b) => Number(b.storage === true) - Number(a.storage === true))
    .flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (first === undefined) return undefined;
  return {
    group,
    versions: [first, ...others],
    plural,
    kind,
    namespaced: scope !== 'Cluster',
  };
}

/** A definition without its schemas, which are most of it: nobody but this file reads them. */
export function withoutSchemas(definition: RawObject): RawObject {
  const spec = record(definition.spec);
  const versions = listOf(spec.versions).map(({ schema: _, ...kept }) => kept);
  return { ...definition, spec: { ...spec, versions } };
}

/** Fields of `status` and `spec` that are read of custom resources (`world/reading/custom-resource.ts`). */
const statusFields = [
  'conditions',
  'observedGeneration',
  'phase',
  'message',
  'health',
  'inventory',
  'renewalTime',
] as const;
const specFields = [
  'suspend',
  'suspended',
  'paused',
  'sourceRef',
  'chart',
  'chartRef',
  'issuerRef',
  'secretName',
  'secretStoreRef',
  'infrastructureRef',
  'controlPlaneRef',
  'bootstrap',
  'nodeClassRef',
  'selector',
  'endpointSelector',
  'podSelector',
  'appliedTo',
  'workloadSelector',
  'namespaceSelector',
  'host',
  'hosts',
  'targetRef',
  'targetRefs',
] as const;
/** Resources of an Argo CD Application and entries of an inventory that are handed on. */
const maxEntries = 200;
/** Secrets of which the names are handed on. */
const maxSecrets = 50;

const picked = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

/** Of who wrote what of an object, who wrote its status last. */
function statusWrites({ managedFields }: RawObject['metadata']): { managedFields?: readonly Fields[] } {
  const written = listOf(managedFields).filter(({ subresource }) => subresource === 'status');
  if (written.length === 0) return {};
  return {
    managedFields: written.map(({ manager, time, subresource }) => ({
      manager,
      time,
      subresource,
      fieldsV1: { 'f:status': {} },
    })),
  };
}

/** Of the template of a NodePool of Karpenter no more than the class of its machines. */
function nodeClassOf({ spec }: RawObject): Fields {
  const { nodeClassRef } = below(record(spec), 'template', 'spec');
  return nodeClassRef === undefined ? {} : { template: { spec: { nodeClassRef } } };
}

/** The names of the Secrets that its spec names, wherever. */
function secretsOf({ spec }: RawObject): Fields {
  const named = [...Iterator.from(secretsNamedIn(spec)).take(maxSecrets)];
  return named.length === 0 ? {} : { secretRefs: named };
}

/** Fields of `spec` of which no more is read than the name in them: what is made may have templates beside it. */
const namingFields = ['target', 'destination', 'managedSecretReference'] as const;

const namesOnly = (spec: Fields): Fields =>
  Object.fromEntries(
    namingFields.flatMap((field) => {
      const { name, secretName } = record(spec[field]);
      return name === undefined && secretName === undefined ? [] : [[field, { name, secretName }]];
    }),
  );

/** A custom resource without what nobody reads: its spec may hold anything, and its status a history of everything. */
export function trimmed(raw: RawObject): RawObject {
  const { apiVersion, kind, metadata } = raw;
  const status = record(raw.status);
  const { managedFields: _, ...kept } = metadata;
  const { phase, message, finishedAt } = record(status.operationState);
  const resources = listOf(status.resources).filter(({ health }) => record(health).status !== 'Healthy');
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: { ...kept, ...statusWrites(metadata) },
    spec: {
      ...picked(record(raw.spec), specFields),
      ...nodeClassOf(raw),
      ...namesOnly(record(raw.spec)),
      ...secretsOf(raw),
    },
    status: {
      ...picked(status, statusFields),
      ...(phase !== undefined && { operationState: { phase, message, finishedAt } }),
      ...(resources.length > 0 && { resources: resources.slice(0, maxEntries) }),
    },
  };
}
