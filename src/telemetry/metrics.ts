import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelsOf, type MetricName, metricTable } from './metric-table.ts';

/** A metric takes at most this many sets of label values; further ones are counted under `other`. */
const maxSeries = 2000;
/** Gauges that the library calls totals, which they are not; the same stands in `tocsin_nodejs_active_…` by type. */
const misnamed = ['handles', 'requests', 'resources'];
/** Label values are cut to this many characters. */
const maxLabelChars = 128;

/** Counter increments by metric and label values, as the pure core returns them. */
type Increments = readonly {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly by: number;
}[];

/** The process's metrics. Only names and labels of the table exist. */
export type Metrics = {
  add<N extends MetricName<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void;
  set<N extends MetricName<'gauge'>>(name: N, labels: LabelsOf<N>, value: number): void;
  observe<N extends MetricName<'histogram'>>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Counter increments of the pure core, whose names are only known at run time. Throws for one not in the table. */
  count(increments: Increments): void;
  /** Forgets all values of a gauge, before they are set anew: what is gone must not linger. */
  reset(name: MetricName<'gauge'>): void;
  /** Runs before every scrape, to set gauges that change by themselves. */
  beforeScrape(fill: () => void): void;
  /** The exposition format. */
  text(): Promise<string>;
  readonly contentType: string;
};

/** The registered metrics by kind, so that no cast is needed to use one. */
type Registered = {
  readonly counters: ReadonlyMap<string, Counter>;
  readonly gauges: ReadonlyMap<string, Gauge>;
  readonly histograms: ReadonlyMap<string, Histogram>;
};

function register(registry: Registry): Registered {
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const [name, metric] of Object.entries(metricTable)) {
    const common = { name, help: metric.help, labelNames: [...metric.labels], registers: [registry] };
    if (metric.kind === 'counter') counters.set(name, new Counter(common));
    else if (metric.kind === 'gauge') gauges.set(name, new Gauge(common));
    else histograms.set(name, new Histogram({ ...common, buckets: [...metric.buckets] }));
  }
  return { counters, gauges, histograms };
}

/** Metrics in a registry of their own, with Node's process metrics (also named `tocsin_`) unless `process` is false. */
export function createMetrics(options: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry();
  const { counters, gauges, histograms } = register(registry);
  if (options.process !== false) {
    collectDefaultMetrics({ register: registry, prefix: 'tocsin_' });
    for (const name of misnamed) registry.removeSingleMetric(`tocsin_nodejs_active_${name}_total`);
  }
  const series = new Map<string, Set<string>>();
  const fills: (() => void)[] = [];

  function of<M>(metrics: ReadonlyMap<string, M>, name: string): M {
    const metric = metrics.get(name);
    if (!metric) throw new Error(`metric ${name} is not a ${metrics === counters ? 'counter' : 'metric'} of the table`);
    return metric;
  }

  /** Labels cut to their bounds: a hostile or endless value must not fill the memory. */
  function bounded(name: string, labels: Readonly<Record<string, string>>): Record<string, string> {
    const cut = Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, value.slice(0, maxLabelChars)]));
    const known = series.get(name) ?? new Set();
    series.set(name, known);
    const key = JSON.stringify(Object.entries(cut).sort());
    if (known.has(key)) return cut;
    if (known.size >= maxSeries) return Object.fromEntries(Object.keys(cut).map((label) => [label, 'other']));
    known.add(key);
    return cut;
  }

  return {
    add: (name, labels, by = 1) => of(counters, name).inc(bounded(name, labels), by),
    set: (name, labels, value) => of(gauges, name).set(bounded(name, labels), value),
    observe: (name, labels, value) => of(histograms, name).observe(bounded(name, labels), value),
    count(increments) {
      for (const { name, labels, by } of increments) of(counters, name).inc(bounded(name, labels), by);
    },
    reset(name) {
      of(gauges, name).reset();
      series.delete(name);
    },
    beforeScrape: (fill) => void fills.push(fill),
    async text() {
      for (const fill of fills) fill();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
