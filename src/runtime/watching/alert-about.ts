import { type AlertRule, defaultAlertRules } from '../../model/outside-alert.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import type { World } from '../../world/view/world.ts';

/** What is asked of the world. */
type Seen = Pick<World, 'get'>;
type Labels = Readonly<Record<string, string>>;

/** A name of an object (RFC 1123 subdomain); a Namespace's has no dots, which is found out by asking. */
const name = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const clusterScoped: ReadonlySet<string> = new Set(['Node', 'Namespace']);
/** Labels of what Prometheus scraped, where a metric has none of its own by that name. */
const ofTarget: ReadonlySet<string> = new Set(['pod', 'service', 'job', 'namespace']);
/** Objects that come and go: an alert about one that has gone is about nothing. */
const shortLived = ['pod', 'job_name'] as const;

/** Where a scrape sets a label that the metric has as well, the metric's is called so (`honor_labels: false`). */
const read = (labels: Labels, label: string): string | undefined => labels[`exported_${label}`] ?? labels[label];

function named({ label, kind, namespaceLabel = 'namespace' }: AlertRule, labels: Labels): Ref | undefined {
  const value = read(labels, label);
  const namespace = clusterScoped.has(kind) ? '' : read(labels, namespaceLabel);
  if (value === undefined || namespace === undefined || !name.test(value)) return undefined;
  return namespace === '' || name.test(namespace) ? refOf(kind, namespace, value) : undefined;
}

/** The Node of a node exporter's Pod: what that measures is of the machine it runs on. */
function nodeOfExporter(labels: Labels, world: Seen): Ref | undefined {
  const { job = '', namespace = '', pod = '' } = labels;
  if (!job.includes('node-exporter') || !name.test(pod) || labels.node !== undefined) return undefined;
  const view = world.get(refOf('Pod', namespace, pod));
  return typeof view === 'object' && view.kind === 'Pod' && view.node !== undefined
    ? refOf('Node', '', view.node)
    : undefined;
}

/**
 * The objects that the labels of an alert name and that are there, as far as is seen, best first; none where it is about nothing in the cluster. Labels
 * of an exporter, which are of the Pod that was scraped, do not count where others name something.
 */
export function aboutOf(labels: Labels, rules: readonly AlertRule[], world: Seen): readonly Ref[] {
  const node = nodeOfExporter(labels, world);
  if (node !== undefined) return [node];
  const all = [...rules, ...defaultAlertRules].flatMap((rule) => {
    const ref = rule.kind === 'Namespace' ? undefined : named(rule, labels);
    return ref === undefined || world.get(ref) === 'absent' ? [] : [{ rule, ref }];
  });
  const own = all.filter(({ rule }) => !ofTarget.has(rule.label));
  const isOfExporter = labels.job?.includes('kube-state-metrics') && labels.pod?.includes('kube-state-metrics');
  const found = isOfExporter && own.length > 0 ? own : all;
  if (found.length > 0) return [...new Set(found.map(({ ref }) => ref))];
  if (!isOfExporter && shortLived.some((label) => read(labels, label) !== undefined)) return [];
  const namespace = named({ label: 'namespace', kind: 'Namespace' }, labels);
  return namespace === undefined || world.get(namespace) === 'absent' ? [] : [namespace];
}
