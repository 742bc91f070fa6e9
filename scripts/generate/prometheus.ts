import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { metricTable } from '../../src/telemetry/metric-table.ts';
import { mark } from './mark.ts';

const config = join(import.meta.dirname, '../../config/prometheus');

/** The alerts as the custom resource that the Prometheus operator reads. */
export function prometheusRule(): string {
  const spec: unknown = parse(readFileSync(join(config, 'alerts.yaml'), 'utf8'));
  const metadata = { name: 'tocsin', namespace: 'tocsin' };
  const rule = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata, spec };
  return `# ${mark}\n${stringify(rule, { lineWidth: 0 })}`;
}

type Alerts = {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly for?: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly description: string };
    }[];
  }[];
};

/** The page of all metrics, and of the alerts on them. */
export function metricsPage(): string {
  const rows = Object.entries(metricTable).map(([name, { kind, labels, help }]) => {
    const named = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${named} | ${help} |`;
  });
  const alerts = (parse(readFileSync(join(config, 'alerts.yaml'), 'utf8')) as Alerts).groups.flatMap(
    ({ rules }) => rules,
  );
  const plain = (summary: string): string =>
    summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*').replaceAll(/\{\{ \$value[^}]*\}\}/g, '*so long*');
  return `<!-- ${mark} -->

# Metrics

\`/metrics\` on port 8060, in the format of Prometheus; [commands.md](../commands.md#the-page-metrics) says who may read it. Label values come from bounded lists, from
the number of AlertProviders or of watched resources: a metric has at most 2,000 series, and further ones are counted under \`other\`. Besides these there are
the metrics of the process (\`tocsin_process_…\`, \`tocsin_nodejs_…\`).

| metric | type | labels | what it says |
| --- | --- | --- | --- |
${rows.join('\n')}

## Scraping

With the Prometheus operator: \`kubectl apply -k config/prometheus\` (a PodMonitor and the alerts). Without it a job finds the Pod:

\`\`\`yaml
scrape_configs:
  - job_name: tocsin
    kubernetes_sd_configs: [{ role: pod, namespaces: { names: [tocsin] } }]
    relabel_configs:
      - { source_labels: [__meta_kubernetes_pod_label_app_kubernetes_io_name], regex: tocsin, action: keep }
      - { source_labels: [__meta_kubernetes_pod_container_port_name], regex: http, action: keep }
rule_files: [alerts.yaml]
\`\`\`

## Alerts on Tocsin itself

Who alerts must be watched by somebody else. \`config/prometheus/alerts.yaml\` is a rule file for any Prometheus; its tests (\`alerts.test.yaml\`) show when each
fires, and a case that looks alike when it does not. A [heartbeat](../heartbeat.md) watches Tocsin without Prometheus.

| alert | severity | after | what it says |
| --- | --- | --- | --- |
${alerts.map(({ alert, labels, for: after = 'at once', annotations }) => `| \`${alert}\` | ${labels.severity} | ${after} | ${plain(annotations.summary)} |`).join('\n')}

${alerts.map(({ alert, annotations }) => `### ${alert}\n\n${plain(annotations.description)}\n`).join('\n')}
## Dashboard

\`config/grafana/tocsin.json\`: what is open, how soon people were told, deliveries and their failures, what is watched, how busy Tocsin is. Import it in Grafana and pick
the data source.

## Several clusters

Where one Prometheus has the series of several clusters, the label \`cluster\` tells them apart: the chart's PodMonitor sets it to \`config.app.clusterName\`, or your Prometheus adds it
(\`external_labels\`). Alerts fire for each cluster, and the dashboard has a list of them. Without the label both are about the one cluster that there is.
`;
}
