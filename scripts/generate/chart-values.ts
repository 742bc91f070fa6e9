import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, parse, YAMLMap } from 'yaml';

/** A value of the chart: its preset, what it is, and which other types it may have. */
export type ChartValue = {
  readonly name: string;
  readonly preset: unknown;
  readonly says: string;
  /** JSON schema types; that of the preset unless given. */
  readonly schema?: object;
};

type PodSpec = {
  readonly priorityClassName: string;
  readonly tolerations: unknown;
  readonly securityContext: unknown;
  readonly containers: readonly { readonly resources: unknown }[];
};

/** Every value; presets are what the manifests of `config/` say. */
export function chartValues(deployment: unknown): readonly ChartValue[] {
  const { priorityClassName, tolerations, securityContext, containers } = podSpecOf(deployment);
  const policy = parse(readFileSync(join(import.meta.dirname, '../../config/manager/network-policy.yaml'), 'utf8')) as {
    readonly spec: { readonly egress: unknown };
  };
  const object = { type: 'object' };
  const list = { type: 'array', items: { type: 'object' } };
  return [
    { name: 'image.repository', preset: 'tocsin', says: 'The image that you built and pushed.' },
    { name: 'image.tag', preset: '', says: 'Its tag; empty: the version of the chart.' },
    {
      ...{ name: 'image.pullPolicy', preset: '', says: 'Always, IfNotPresent or Never; empty: as Kubernetes decides.' },
      schema: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
    },
    { name: 'imagePullSecrets', preset: [], says: 'Secrets of the registry: [{ name: registry }].', schema: list },
    { name: 'resources', preset: containers[0]?.resources, says: 'Measured: docs/performance.md.', schema: object },
    {
      ...{ name: 'priorityClassName', preset: priorityClassName },
      says: 'An alerter must not be the first to go when a node is full.',
    },
    { name: 'tolerations', preset: tolerations, says: 'It leaves a lost node after 30 s.', schema: list },
    { name: 'nodeSelector', preset: {}, says: 'Where it may run.', schema: object },
    { name: 'affinity', preset: {}, says: 'Where it would rather run.', schema: object },
    {
      ...{ name: 'podSecurityContext', preset: securityContext, schema: object },
      says: 'On OpenShift set runAsUser, runAsGroup and fsGroup to null: it assigns them.',
    },
    { name: 'podLabels', preset: {}, says: 'More labels of the Pod.', schema: object },
    { name: 'podAnnotations', preset: {}, says: 'More annotations of the Pod.', schema: object },
    { name: 'extraEnv', preset: [], says: 'More environment variables.', schema: list },
    {
      ...{ name: 'extraArgs', preset: [], says: 'More arguments of `tocsin run`, such as --log-level=debug.' },
      schema: { type: 'array', items: { type: 'string' } },
    },
    {
      ...{ name: 'state.persistent', preset: false },
      says: 'Keep state in a volume claim, so that a restart goes on where it was (Pro).',
    },
    { name: 'state.size', preset: '1Gi', says: 'Of the claim, or of the emptyDir.' },
    { name: 'state.storageClassName', preset: '', says: 'Of the claim; empty: the default class.' },
    { name: 'crds.enabled', preset: true, says: 'Install and upgrade the four custom resources.' },
    { name: 'crds.keep', preset: true, says: 'Keep them, and all objects of theirs, when the release is uninstalled.' },
    { name: 'rbac.people', preset: true, says: 'Roles for people, which add to the built-in view, edit and admin.' },
    {
      name: 'rbac.nodeStats',
      preset: false,
      says: 'Ask kubelets how full disks are (Pro). Read docs/install.md first.',
    },
    { name: 'rbac.tlsSecrets', preset: false, says: 'Watch TLS Secrets for expiry (Pro). Read docs/install.md first.' },
    { name: 'networkPolicy.enabled', preset: true, says: 'Who may reach it, and whom it may reach.' },
    {
      name: 'networkPolicy.egress',
      preset: policy.spec.egress,
      says: 'Narrow it if your addresses are known.',
      schema: list,
    },
    {
      name: 'resourceQuota.enabled',
      preset: true,
      says: 'Some clusters (GKE) admit a critical priority only with a quota.',
    },
  ];
}

function podSpecOf(deployment: unknown): PodSpec {
  return (deployment as { readonly spec: { readonly template: { readonly spec: PodSpec } } }).spec.template.spec;
}

/** `values.yaml`, each with what it is. */
export function valuesText(values: readonly ChartValue[]): string {
  const document = new Document({});
  for (const { name, preset, says } of values) {
    const path = name.split('.');
    document.setIn(path, document.createNode(preset));
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
    if (!(parent instanceof YAMLMap)) continue;
    const pair = parent.items.at(-1);
    const key = document.createNode(path.at(-1));
    key.commentBefore = ` ${says}`;
    if (pair) pair.key = key;
  }
  return document.toString({ lineWidth: 0 });
}

type Schema = {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
};

/** The JSON schema of the values: what is misspelt is refused. */
export function schemaOf(values: readonly ChartValue[]): object {
  const root: Schema = { type: 'object', additionalProperties: false, properties: {} };
  // Helm adds `global` to the values of every chart.
  root.properties = { global: { type: 'object' } };
  for (const { name, preset, says, schema } of values) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let at = root;
    for (const part of path) {
      at.properties ??= {};
      at = at.properties[part] ??= { type: 'object', additionalProperties: false, properties: {} };
    }
    at.properties ??= {};
    at.properties[last] = { description: says, ...(schema ?? { type: typeof preset }) };
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Values of the chart tocsin', ...root };
}
