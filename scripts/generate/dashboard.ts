/** The Grafana dashboard, from a table of rows and panels. */

type Panel = {
  readonly title: string;
  readonly says: string;
  readonly type: 'timeseries' | 'stat' | 'table';
  /** Query → legend. */
  readonly queries: readonly (readonly [expression: string, legend: string])[];
  readonly unit?: string;
  /** Columns of 24. */
  readonly width: number;
  /** From which value it is worth a look, and a worry. */
  readonly steps?: readonly [number, number];
  /** States that numbers stand for. */
  readonly states?: Readonly<Record<string, { readonly text: string; readonly color: string }>>;
  readonly stacked?: boolean;
};

type Row = { readonly title: string; readonly height: number; readonly panels: readonly Panel[] };

const yesNo = { '1': { text: 'yes', color: 'green' }, '0': { text: 'no', color: 'red' } };

/** What the dashboard shows. Every query is run against a real Prometheus by `test/tools/prometheus.test.ts`. */
const rows: readonly Row[] = [
  {
    ...{ title: 'Now', height: 4 },
    panels: [
      {
        ...{ title: 'Watches the cluster', says: 'Whether one Tocsin holds the lock.', type: 'stat', width: 4 },
        ...{ queries: [['max(tocsin_lease_held)', '']], states: yesNo },
      },
      {
        ...{ title: 'Open incidents', says: 'All that is open now.', type: 'stat', width: 4 },
        ...{ queries: [['sum(tocsin_incidents) or vector(0)', '']], steps: [1, 10] },
      },
      {
        ...{ title: 'Waiting messages', says: 'Accepted, neither delivered nor given up yet.', type: 'stat', width: 4 },
        ...{ queries: [['sum(tocsin_delivery_queue_depth) or vector(0)', '']], steps: [10, 100] },
      },
      {
        ...{ title: 'Oldest waits for', says: 'The age of the oldest message that waits.', type: 'stat', width: 4 },
        ...{ queries: [['max(tocsin_delivery_oldest_seconds) or vector(0)', '']], unit: 's', steps: [60, 600] },
      },
      {
        ...{ title: 'Not watched', says: 'Watched resources that fail now.', type: 'stat', width: 4 },
        ...{ queries: [['sum(tocsin_source_state{state="Failing"}) or vector(0)', '']], steps: [1, 3] },
      },
      {
        ...{ title: 'Version', says: 'What runs.', type: 'stat', width: 4 },
        ...{ queries: [['tocsin_build_info', '{{version}} {{edition}}']], states: {} },
      },
    ],
  },
  {
    ...{ title: 'Incidents', height: 8 },
    panels: [
      {
        ...{
          title: 'Open, by severity',
          says: 'Incidents that are open.',
          type: 'timeseries',
          width: 12,
          stacked: true,
        },
        queries: [['sum by (severity) (tocsin_incidents)', '{{severity}}']],
      },
      {
        ...{ title: 'What became of them', says: 'Decisions per hour.', type: 'timeseries', width: 12, stacked: true },
        queries: [['sum by (disposition) (increase(tocsin_decisions_total{action="open"}[1h]))', '{{disposition}}']],
      },
      {
        ...{ title: 'From the beginning to the message', says: 'Of openings in the last hour, by severity.' },
        ...{ type: 'timeseries', width: 12, unit: 's' },
        queries: [
          [
            'histogram_quantile(0.95, sum by (le, severity) (increase(tocsin_detection_lag_seconds_bucket[1h])))',
            '95 %, {{severity}}',
          ],
        ],
      },
      {
        ...{ title: 'Turns', says: 'How long Tocsin takes to judge what has changed.' },
        ...{ type: 'timeseries', width: 12, unit: 's' },
        queries: [
          ['histogram_quantile(0.99, sum by (le) (rate(tocsin_turn_duration_seconds_bucket[5m])))', '99 %'],
          ['histogram_quantile(0.5, sum by (le) (rate(tocsin_turn_duration_seconds_bucket[5m])))', '50 %'],
        ],
      },
    ],
  },
  {
    ...{ title: 'Delivery', height: 8 },
    panels: [
      {
        ...{ title: 'Attempts', says: 'Per minute, by how they ended.', type: 'timeseries', width: 12, stacked: true },
        queries: [['sum by (outcome) (rate(tocsin_delivery_attempts_total[5m])) * 60', '{{outcome}}']],
      },
      {
        ...{ title: 'Waiting messages, by AlertProvider', says: 'The outbox.', type: 'timeseries', width: 12 },
        queries: [['tocsin_delivery_queue_depth', '{{provider}}']],
      },
      {
        ...{ title: 'Time of one attempt', says: '95 %, by AlertProvider.', type: 'timeseries', width: 12, unit: 's' },
        queries: [
          [
            'histogram_quantile(0.95, sum by (le, provider) (rate(tocsin_delivery_duration_seconds_bucket[5m])))',
            '{{provider}}',
          ],
        ],
      },
      {
        ...{ title: 'AlertProviders', says: 'Whether each can be used.', type: 'table', width: 12, states: yesNo },
        queries: [['tocsin_provider_usable', '']],
      },
    ],
  },
  {
    ...{ title: 'Tocsin itself', height: 8 },
    panels: [
      {
        ...{ title: 'Memory', says: 'Resident.', type: 'timeseries', width: 8, unit: 'bytes' },
        queries: [['tocsin_process_resident_memory_bytes', 'resident']],
      },
      {
        ...{ title: 'Processor', says: 'Cores.', type: 'timeseries', width: 8 },
        queries: [['rate(tocsin_process_cpu_seconds_total[5m])', 'cores']],
      },
      {
        ...{ title: 'Requests to the API server', says: 'Per minute, by code; 0 is no answer.', type: 'timeseries' },
        ...{ width: 8, stacked: true },
        queries: [['sum by (code) (rate(tocsin_api_requests_total[5m])) * 60', '{{code}}']],
      },
      {
        ...{ title: 'Objects', says: 'Seen of the watched resources.', type: 'timeseries', width: 12 },
        queries: [['topk(10, tocsin_source_objects)', '{{source}}']],
      },
      {
        ...{ title: 'How resources are watched', says: 'How many are in each state.', type: 'timeseries', width: 12 },
        queries: [['sum by (state) (tocsin_source_state)', '{{state}}']],
      },
    ],
  },
];

/** The query of the clusters that are picked. */
const ofCluster = (query: string): string =>
  query.replaceAll(/\b(tocsin_\w+)(\{)?/g, (_, metric: string, open?: string) =>
    open ? `${metric}{cluster=~"$cluster",` : `${metric}{cluster=~"$cluster"}`,
  );

const source = { type: 'prometheus', uid: '$source' };

/** `config/grafana/tocsin.json`, as Grafana imports it. */
export function dashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const { title, height, panels: inRow } of rows) {
    panels.push({ id: panels.length + 1, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 } });
    y += 1;
    let x = 0;
    for (const panel of inRow) {
      if (x + panel.width > 24) {
        x = 0;
        y += height;
      }
      panels.push(panelOf(panel, panels.length + 1, { x, y, w: panel.width, h: height }));
      x += panel.width;
    }
    y += height;
  }
  const templating = {
    list: [
      { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' },
      {
        ...{ name: 'cluster', label: 'Cluster', type: 'query', datasource: source },
        ...{ query: 'label_values(tocsin_build_info, cluster)', refresh: 2, sort: 1 },
        // Series without the label are in it, too: a Prometheus of one cluster has none.
        ...{ includeAll: true, multi: true, allValue: '.*', current: { text: 'All', value: '$__all' } },
      },
    ],
  };
  const board = {
    ...{ uid: 'tocsin', title: 'Tocsin', tags: ['tocsin', 'alerting'], schemaVersion: 41, editable: true },
    ...{ refresh: '30s', time: { from: 'now-6h', to: 'now' }, timezone: 'browser', templating, panels },
  };
  return `${JSON.stringify(board, undefined, 1)}\n`;
}

function panelOf(panel: Panel, id: number, gridPos: object): object {
  const { title, says, type, queries, unit, steps, states, stacked } = panel;
  const isTable = type === 'table';
  const targets = queries.map(([expr, legendFormat], index) => ({
    ...{
      refId: String.fromCharCode(65 + index),
      datasource: source,
      expr: ofCluster(expr),
      legendFormat,
      instant: type !== 'timeseries',
    },
    ...(isTable && { format: 'table' }),
  }));
  const thresholds = {
    mode: 'absolute',
    steps: [
      { color: 'green', value: null },
      ...(steps
        ? [
            { color: 'orange', value: steps[0] },
            { color: 'red', value: steps[1] },
          ]
        : []),
    ],
  };
  const mappings = states && Object.keys(states).length > 0 ? [{ type: 'value', options: states }] : [];
  const custom = { fillOpacity: 10, ...(stacked && { stacking: { mode: 'normal' } }) };
  const defaults = {
    thresholds,
    mappings,
    ...(unit !== undefined && { unit }),
    ...(type === 'timeseries' && { custom }),
  };
  const text = states && Object.keys(states).length === 0 ? { textMode: 'name' } : {};
  const options = type === 'stat' ? { colorMode: 'value', reduceOptions: { calcs: ['lastNotNull'] }, ...text } : {};
  return {
    ...{ id, type, title, description: says, datasource: source, gridPos, targets },
    ...{ fieldConfig: { defaults, overrides: [] }, options },
    ...(isTable && {
      transformations: [
        { id: 'organize', options: { excludeByName: { Time: true, __name__: true, instance: true, job: true } } },
      ],
    }),
  };
}
