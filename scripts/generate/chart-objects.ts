/** What the chart holds besides the manifests of `config/`: the custom resources, objects made of values, alerts and the dashboard. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { configName, type Kind, storedApiVersion } from '../../src/api/group.ts';
import { dashboard } from './dashboard.ts';
import { mark } from './mark.ts';

const config = join(import.meta.dirname, '../../config');

/** The documented name and namespace of the release: one of these names may upgrade the custom resources without a further word. */
const release = { name: 'tocsin', namespace: 'tocsin' };

/** Labels that every object of the release has, besides `name` and `part-of`. */
export function labelLines(indent: number): string {
  const at = ' '.repeat(indent);
  return [
    'app.kubernetes.io/managed-by: {{ .Release.Service }}',
    'app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}',
    'helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}',
    '{{- with .Values.commonLabels }}',
    `{{- toYaml . | nindent ${indent} }}`,
    '{{- end }}',
  ]
    .map((line) => `${at}${line}\n`)
    .join('');
}

/** Path within the chart → text. `crds`: name of the file → text, as in `crds/`. */
export function chartObjects(crds: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const head = `{{- /* ${mark} */ -}}\n`;
  return new Map([
    ...[...crds].map(([name, text]) => [`crds/${name}`, adoptable(text)] as const),
    ['templates/crds.yaml', head + crdTemplate],
    ['templates/settings.yaml', head + objectsTemplate],
    ['files/alerts.yaml', readFileSync(join(config, 'prometheus/alerts.yaml'), 'utf8')],
    ['templates/prometheus-rule.yaml', head + ruleTemplate],
    ['files/tocsin.json', dashboard()],
    ['templates/dashboard.yaml', head + dashboardTemplate],
  ]);
}

/**
 * Helm makes what is in `crds/` before it reads the templates, so that objects of these kinds may be among them; but it never upgrades it. So
 * that a release may, it says whose it is, and the template below takes it in where that is true.
 */
function adoptable(text: string): string {
  const document = parseDocument(text);
  document.setIn(['metadata', 'labels', 'app.kubernetes.io/managed-by'], 'Helm');
  document.setIn(['metadata', 'annotations'], {
    'meta.helm.sh/release-name': release.name,
    'meta.helm.sh/release-namespace': release.namespace,
    'helm.sh/resource-policy': 'keep',
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Those that are there and are this release's. Without a cluster (`helm template`) nobody is, and `crds/` has them. */
const crdTemplate = `{{- if .Values.crds.upgrade }}
{{- range $path, $_ := .Files.Glob "crds/*.yaml" }}
{{- $crd := $.Files.Get $path | fromYaml }}
{{- $found := lookup $crd.apiVersion $crd.kind "" $crd.metadata.name }}
{{- $owner := dig "metadata" "annotations" dict $found }}
{{- if and (eq $.Release.Name (get $owner "meta.helm.sh/release-name")) (eq $.Release.Namespace (get $owner "meta.helm.sh/release-namespace")) }}
{{- $_ := set $crd.metadata.annotations "meta.helm.sh/release-name" $.Release.Name }}
{{- $_ := set $crd.metadata.annotations "meta.helm.sh/release-namespace" $.Release.Namespace }}
---
{{ toYaml $crd }}
{{- end }}
{{- end }}
{{- end }}
`;

const metadata = (name: string, more = ''): string => `metadata:
  name: ${name}
  namespace: {{ $.Release.Namespace }}
  labels:
    app.kubernetes.io/name: tocsin
    app.kubernetes.io/part-of: tocsin
${labelLines(4).replaceAll(/(?<=[ (])\.(?=[A-Z])/g, '$.')}${more}`;

const more = (value: string): string => `    {{- with $.Values.${value} }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
`;

// Helm asks for the kinds of all objects before it changes any: on the way from an older release the newer version is not there yet.
const object = (kind: Kind, name: string): string => `---
apiVersion: ${storedApiVersion}
kind: ${kind}
${metadata(name)}spec:
  {{- toYaml . | nindent 2 }}
`;

const each = (value: string, kind: Kind): string => `{{- range $name, $spec := .Values.${value} }}
{{- with $spec }}
${object(kind, '{{ $name }}')}{{- end }}
{{- end }}
`;

const objectsTemplate = `{{- with .Values.config }}
${object('AlertConfig', configName)}{{- end }}
${each('providers', 'AlertProvider')}${each('silences', 'Silence')}${each('maintenanceWindows', 'MaintenanceWindow')}`;

const ruleTemplate = `{{- if .Values.prometheusRule.enabled }}
{{- $rules := .Files.Get "files/alerts.yaml" | fromYaml }}
{{- range $rules.groups }}
{{- range .rules }}
{{- if $.Values.prometheusRule.runbookURL }}
{{- $_ := set .annotations "runbook_url" (printf "%s#%s" $.Values.prometheusRule.runbookURL (lower .alert)) }}
{{- end }}
{{- end }}
{{- end }}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
${metadata('tocsin', more('prometheusRule.labels'))}spec:
  {{- toYaml $rules | nindent 2 }}
{{- end }}
`;

const dashboardTemplate = `{{- if .Values.dashboard.enabled }}
apiVersion: v1
kind: ConfigMap
${metadata('tocsin-dashboard', more('dashboard.labels'))}data:
  tocsin.json: {{ .Files.Get "files/tocsin.json" | toJson }}
{{- end }}
`;
