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

/** Every metric, as a table. */
export function metricRows(): string {
  const rows = Object.entries(metricTable).map(([name, { kind, labels, help }]) => {
    const named = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${named} | ${help} |`;
  });
  return `| metric | type | labels | what it says |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}

/** Every alert on them, a heading each: that is where `runbook_url` of the chart leads to. */
export function alertChapters(): string {
  const alerts = (parse(readFileSync(join(config, 'alerts.yaml'), 'utf8')) as Alerts).groups.flatMap(
    ({ rules }) => rules,
  );
  const plain = (text: string): string =>
    text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*').replaceAll(/\{\{ \$value[^}]*\}\}/g, '*so long*');
  return alerts
    .map(({ alert, labels, for: after, annotations: { summary, description } }) => {
      const when = after === undefined ? 'at once' : `after ${after}`;
      return `### ${alert}\n\n${labels.severity}, ${when}: **${plain(summary)}.** ${plain(description)}`;
    })
    .join('\n\n');
}
