/**
 * The Helm chart, made of what `config/` holds: its manifests with the namespace of the release and, where a value may change something, that
 * value, whose preset is what the manifest says. A test compares what Helm renders with what kustomize builds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isMap, parseAllDocuments, stringify } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { chartObjects, labelLines } from './chart-objects.ts';
import { schemaOf, valuesText } from './chart-schema.ts';
import { chartValues } from './chart-values.ts';
import { mark } from './mark.ts';

const config = join(import.meta.dirname, '../../config');

/** The manifests of the chart, and the value without which one is left out. What else it holds is in chart-objects.ts. */
const manifests: readonly { readonly file: string; readonly when?: string }[] = [
  { file: 'rbac/service-account.yaml' },
  { file: 'rbac/cluster-role.yaml' },
  { file: 'rbac/namespace-role.yaml' },
  { file: 'rbac/view.yaml' },
  { file: 'rbac/watch.yaml' },
  { file: 'rbac/people.yaml', when: 'rbac.people' },
  { file: 'node-stats/cluster-role.yaml', when: 'rbac.nodeStats' },
  { file: 'secrets/cluster-role.yaml', when: 'rbac.secrets' },
  { file: 'actions/role.yaml', when: 'rbac.actions' },
  { file: 'pro/volume-claim.yaml', when: 'state.persistent' },
  { file: 'manager/deployment.yaml' },
  { file: 'manager/network-policy.yaml', when: 'networkPolicy.enabled' },
  { file: 'manager/resource-quota.yaml', when: 'resourceQuota.enabled' },
  { file: 'prometheus/pod-monitor.yaml', when: 'podMonitor.enabled' },
];

/** Kinds that belong to no namespace. */
const clusterKinds = new Set(['ClusterRole', 'ClusterRoleBinding']);
const commonLabels = { 'app.kubernetes.io/name': 'tocsin', 'app.kubernetes.io/part-of': 'tocsin' };

/** Path from the top of the repository → text. `crds`: name of the file → text, as in `crds/`. */
export function chartFiles(crds: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = (path: string): string => `config/chart/${path}`;
  const deployment = documentsOf('manager/deployment.yaml')[0]?.toJS() as unknown;
  const values = chartValues(deployment);
  const files: [string, string][] = [
    [at('Chart.yaml'), chartText()],
    [at('values.yaml'), `# ${mark}\n${valuesText(values)}`],
    [at('values.schema.json'), `${JSON.stringify(schemaOf(values), undefined, 1)}\n`],
    ...[...chartObjects(crds)].map(([path, text]): [string, string] => [at(path), text]),
    [at('templates/NOTES.txt'), readFileSync(join(config, 'chart-notes.txt'), 'utf8')],
    ...manifests.map(({ file, when }): [string, string] => [
      at(`templates/${file.replaceAll('/', '-')}`),
      template(documentsOf(file), when),
    ]),
  ];
  return new Map(files);
}

function chartText(): string {
  const { version, description, license } = packageJson;
  return `# ${mark}\n${stringify({
    ...{ apiVersion: 'v2', name: 'tocsin', type: 'application', description },
    ...{ version, appVersion: version, kubeVersion: '>=1.29.0-0' },
    keywords: ['alerting', 'incidents', 'monitoring', 'operator'],
    annotations: { 'artifacthub.io/license': license, 'artifacthub.io/operator': 'true' },
  })}`;
}

function documentsOf(file: string): Document[] {
  return parseAllDocuments(readFileSync(join(config, file), 'utf8')) as Document[];
}

function template(documents: readonly Document[], when: string | undefined): string {
  const text = documents.map((document) => fill(rendered(document))).join('---\n');
  const head = `{{- /* ${mark} */ -}}\n`;
  return when === undefined ? `${head}${text}` : `${head}{{- if .Values.${when} }}\n${text}{{- end }}\n`;
}

/** A manifest with marks where the release or a value has its say. */
function rendered(document: Document): string {
  document.commentBefore = null;
  const kind = String(document.get('kind'));
  for (const [key, value] of Object.entries(commonLabels)) document.setIn(['metadata', 'labels', key], value);
  document.setIn(['metadata', 'labels', '@labels'], '');
  if (!clusterKinds.has(kind)) document.setIn(['metadata', 'namespace'], '@namespace');
  const subjects = document.get('subjects');
  if (subjects !== undefined) document.setIn(['subjects', 0, 'namespace'], '@namespace');
  for (const { kind: of, path, mark: name } of slots)
    if (of === kind && isMap(document.contents)) document.setIn([...path], `@${name}`);
  return document.toString({ lineWidth: 0 });
}

type Slot = { readonly kind: string; readonly path: readonly (string | number)[]; readonly mark: string };

const pod = ['spec', 'template', 'spec'];
const container = [...pod, 'containers', 0];

/** Where a value has its say. */
const slots: readonly Slot[] = [
  { kind: 'ServiceAccount', path: ['metadata', '@annotations'], mark: 'accountAnnotations' },
  { kind: 'PodMonitor', path: ['metadata', 'labels', '@more'], mark: 'monitorLabels' },
  { kind: 'PodMonitor', path: ['spec', 'podMetricsEndpoints', 0, '@cluster'], mark: 'cluster' },
  { kind: 'Deployment', path: [...container, 'image'], mark: 'image' },
  { kind: 'Deployment', path: [...container, 'resources'], mark: 'resources' },
  { kind: 'Deployment', path: [...container, '@pull'], mark: 'pull' },
  { kind: 'Deployment', path: [...container, 'env', 2], mark: 'env' },
  { kind: 'Deployment', path: [...container, 'args', 1], mark: 'args' },
  { kind: 'Deployment', path: [...pod, 'priorityClassName'], mark: 'priority' },
  { kind: 'Deployment', path: [...pod, 'tolerations'], mark: 'tolerations' },
  { kind: 'Deployment', path: [...pod, 'securityContext'], mark: 'podSecurity' },
  { kind: 'Deployment', path: [...pod, '@placement'], mark: 'placement' },
  { kind: 'Deployment', path: [...pod, 'volumes', 0], mark: 'state' },
  { kind: 'Deployment', path: ['spec', 'template', 'metadata', 'labels', '@podLabels'], mark: 'podLabels' },
  {
    kind: 'Deployment',
    path: ['spec', 'template', 'metadata', 'annotations', '@podAnnotations'],
    mark: 'podAnnotations',
  },
  { kind: 'PersistentVolumeClaim', path: ['spec', 'resources', 'requests', 'storage'], mark: 'stateSize' },
  { kind: 'PersistentVolumeClaim', path: ['spec', '@class'], mark: 'class' },
  { kind: 'NetworkPolicy', path: ['spec', 'egress'], mark: 'egress' },
];

/** An optional field of a value, or nothing at all. */
const optional = (value: string, field: string, indent: number): string =>
  `${' '.repeat(indent)}{{- with .Values.${value} }}\n${' '.repeat(indent)}${field}:\n${' '.repeat(indent + 2)}{{- toYaml . | nindent ${indent + 2} }}\n${' '.repeat(indent)}{{- end }}\n`;

/** The same of a value that is one word. */
const optionalText = (value: string, field: string, indent: number): string =>
  `${' '.repeat(indent)}{{- with .Values.${value} }}\n${' '.repeat(indent)}${field}: {{ . }}\n${' '.repeat(indent)}{{- end }}\n`;

/** A line that a mark made → what stands there. `$1`: its indent. */
const fillings: readonly (readonly [RegExp, string | ((indent: number) => string)])[] = [
  [/"@namespace"/g, '{{ .Release.Namespace }}'],
  [/^( *)"@labels": ""\n/gm, labelLines],
  [
    /^( *)"@annotations": "@accountAnnotations"\n/gm,
    (indent) => optional('serviceAccount.annotations', 'annotations', indent),
  ],
  [/^( *)"@more": "@monitorLabels"\n/gm, (indent) => addition('podMonitor.labels', indent)],
  [
    /^( *)"@cluster": "@cluster"\n/gm,
    (indent) => {
      const at = ' '.repeat(indent);
      const name = '(.Values.config | default dict | dig "app" "clusterName" "")';
      return `${at}{{- with ${name} }}\n${at}relabelings:\n${at}  - { targetLabel: cluster, replacement: {{ . | quote }} }\n${at}{{- end }}\n`;
    },
  ],
  [
    /image: "@image"/g,
    'image: {{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}',
  ],
  [/^( *)"@pull": "@pull"\n/gm, (indent) => optionalText('image.pullPolicy', 'imagePullPolicy', indent)],
  [/"@resources"/g, '{{- toYaml .Values.resources | nindent 12 }}'],
  [/^( *)- "@env"\n/gm, (indent) => addition('extraEnv', indent)],
  [/\[ ?run, "@args" ?\]/g, '[run{{ range .Values.extraArgs }}, {{ . | quote }}{{ end }}]'],
  [
    /^( *)priorityClassName: "@priority"\n/gm,
    (indent) => optionalText('priorityClassName', 'priorityClassName', indent),
  ],
  [/^( *)tolerations: "@tolerations"\n/gm, (indent) => optional('tolerations', 'tolerations', indent)],
  [/^( *)securityContext: "@podSecurity"\n/gm, (indent) => optional('podSecurityContext', 'securityContext', indent)],
  [
    /^( *)"@placement": "@placement"\n/gm,
    (indent) =>
      ['nodeSelector', 'affinity', 'imagePullSecrets'].map((field) => optional(field, field, indent)).join(''),
  ],
  [
    /^( *)- "@state"\n/gm,
    (indent) => {
      const at = ' '.repeat(indent);
      return `${at}- name: state
${at}  {{- if .Values.state.persistent }}
${at}  persistentVolumeClaim:
${at}    claimName: tocsin-state
${at}  {{- else }}
${at}  emptyDir:
${at}    sizeLimit: {{ .Values.state.size }}
${at}  {{- end }}
`;
    },
  ],
  [
    /^( *)"@podLabels": "@podLabels"\n/gm,
    (indent) => addition('podLabels', indent, 'merge dict .Values.podLabels .Values.commonLabels'),
  ],
  [/^( *)"@podAnnotations": "@podAnnotations"\n/gm, (indent) => addition('podAnnotations', indent)],
  [/"@stateSize"/g, '{{ .Values.state.size }}'],
  [/^( *)"@class": "@class"\n/gm, (indent) => optionalText('state.storageClassName', 'storageClassName', indent)],
  [/"@egress"/g, '{{- toYaml .Values.networkPolicy.egress | nindent 4 }}'],
];

/** What a value adds to a map or a list. */
function addition(value: string, indent: number, expression = `.Values.${value}`): string {
  const at = ' '.repeat(indent);
  return `${at}{{- with ${expression} }}\n${at}{{- toYaml . | nindent ${indent} }}\n${at}{{- end }}\n`;
}

function fill(text: string): string {
  const filled = fillings.reduce(
    (before, [pattern, filling]) =>
      typeof filling === 'string'
        ? before.replaceAll(pattern, filling)
        : before.replaceAll(pattern, (_, indent: string) => filling(indent.length)),
    text,
  );
  const left = /"?@[a-zA-Z]+"?/.exec(filled)?.[0];
  if (left !== undefined) throw new Error(`the chart has no filling for ${left} in:\n${filled}`);
  return filled;
}
