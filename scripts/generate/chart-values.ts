import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { byReference, labelsSchema, specSchema } from './chart-schema.ts';

/** A value of the chart: its preset, what it is, and which other types it may have. */
export type ChartValue = {
  readonly name: string;
  readonly preset: unknown;
  readonly says: string;
  /** JSON schema; the type of the preset unless given. */
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
  const settings = parse(readFileSync(join(import.meta.dirname, '../../config/settings/alertconfig.yaml'), 'utf8')) as {
    readonly spec: unknown;
  };
  const object = { type: 'object' };
  const textsSchema = { type: 'object', additionalProperties: { type: 'string' } };
  const list = { type: 'array', items: { type: 'object' } };
  return [
    { name: 'image.repository', preset: 'tocsin', says: 'Where the image is.' },
    { name: 'image.tag', preset: '', says: 'Its tag; empty: the version of the chart.' },
    {
      ...{ name: 'image.digest', preset: '', says: 'Its digest, sha256:…, which goes before the tag.' },
      schema: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
    },
    {
      ...{ name: 'image.pullPolicy', preset: '', says: 'Always, IfNotPresent or Never; empty: as Kubernetes decides.' },
      schema: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
    },
    { name: 'imagePullSecrets', preset: [], says: 'Secrets of the registry: [{ name: registry }].', schema: list },
    {
      ...{ name: 'config', preset: settings.spec, schema: specSchema('AlertConfig') },
      says: 'The AlertConfig `default`: its spec, as docs/reference/alertconfig.md has it. Name the cluster: config.app.clusterName. `null`: you apply your own.',
    },
    {
      ...{ name: 'providers', preset: {}, schema: byName(byReference(specSchema('AlertProvider'))) },
      says: 'AlertProviders: name → spec, as docs/reference/providers/ has it. Credentials by reference to Secrets that are there: secretKeyRef.',
    },
    {
      ...{ name: 'silences', preset: {}, schema: byName(specSchema('Silence')) },
      says: 'Silences: name → spec, as docs/silencing.md has it.',
    },
    {
      ...{ name: 'maintenanceWindows', preset: {}, schema: byName(specSchema('MaintenanceWindow')) },
      says: 'MaintenanceWindows (Pro): name → spec, as docs/maintenance.md has it.',
    },
    { name: 'commonLabels', preset: {}, says: 'More labels of every object and of the Pod.', schema: labelsSchema },
    {
      ...{ name: 'serviceAccount.annotations', preset: {}, schema: textsSchema },
      says: 'Of the service account, such as eks.amazonaws.com/role-arn for SES and SNS.',
    },
    {
      name: 'resources',
      preset: containers[0]?.resources,
      says: 'By the size of the cluster: docs/running.md.',
      schema: object,
    },
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
    { name: 'podLabels', preset: {}, says: 'More labels of the Pod.', schema: labelsSchema },
    { name: 'podAnnotations', preset: {}, says: 'More annotations of the Pod.', schema: textsSchema },
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
    {
      ...{ name: 'crds.upgrade', preset: true },
      says: 'Upgrade the four custom resources with the release. Helm makes them at the first install (unless --skip-crds), and never deletes them.',
    },
    { name: 'rbac.people', preset: true, says: 'Roles for people, which add to the built-in view, edit and admin.' },
    {
      name: 'rbac.nodeStats',
      preset: false,
      says: 'Ask kubelets how full disks are (Pro). Read docs/security.md first.',
    },
    {
      name: 'rbac.secrets',
      preset: false,
      says: 'See when Secrets are edited, and when certificates in TLS Secrets expire (Pro). Read docs/security.md first.',
    },
    {
      name: 'rbac.actions',
      preset: false,
      says: 'Let people act from chats and pagers: acknowledge, silence. Read docs/security.md first.',
    },
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
    {
      ...{ name: 'podMonitor.enabled', preset: false },
      says: 'Scraping by the Prometheus operator, whose custom resources must be there. Series get the label cluster from config.app.clusterName.',
    },
    { name: 'podMonitor.labels', preset: {}, says: 'Labels that your Prometheus selects by.', schema: labelsSchema },
    { name: 'prometheusRule.enabled', preset: false, says: 'Alerts on Tocsin itself, for the Prometheus operator.' },
    {
      name: 'prometheusRule.labels',
      preset: {},
      says: 'Labels that your Prometheus selects by.',
      schema: labelsSchema,
    },
    {
      ...{ name: 'prometheusRule.runbookURL', preset: '' },
      says: 'Where your copy of docs/reference/metrics.md is: each alert gets its runbook_url there.',
    },
    {
      name: 'dashboard.enabled',
      preset: false,
      says: 'The Grafana dashboard as a ConfigMap, for the sidecar of Grafana.',
    },
    {
      ...{ name: 'dashboard.labels', preset: { grafana_dashboard: '1' }, schema: labelsSchema },
      says: 'Labels that the sidecar selects by.',
    },
  ];
}

/** Specs by the names of their objects. */
const byName = (spec: object): object => ({
  type: 'object',
  propertyNames: { pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 253 },
  additionalProperties: spec,
});

function podSpecOf(deployment: unknown): PodSpec {
  return (deployment as { readonly spec: { readonly template: { readonly spec: PodSpec } } }).spec.template.spec;
}
