import { truncate } from '../../message/render/kit/truncate.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf, namespaceOf } from '../../model/ref.ts';

/** Kind → the tag that Datadog's own integration has for it. */
const kindTags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CronJob: 'kube_cronjob',
    DaemonSet: 'kube_daemon_set',
    Deployment: 'kube_deployment',
    HorizontalPodAutoscaler: 'horizontalpodautoscaler',
    Job: 'kube_job',
    Node: 'kube_node',
    PersistentVolumeClaim: 'persistentvolumeclaim',
    Pod: 'pod_name',
    ReplicaSet: 'kube_replica_set',
    Service: 'kube_service',
    StatefulSet: 'kube_stateful_set',
  }),
);

/** Unified service tagging: tag → labels that name it, Datadog's own first (docs.datadoghq.com, unified service tagging). */
const serviceTags: Readonly<Record<string, readonly string[]>> = {
  env: ['tags.datadoghq.com/env'],
  service: ['tags.datadoghq.com/service', 'app.kubernetes.io/name'],
  version: ['tags.datadoghq.com/version', 'app.kubernetes.io/version'],
};

/** Datadog keeps 200 characters of a tag and, by what its users report, about 100 tags. */
const maxTag = 200;
const maxLabels = 20;
const maxTags = 90;

/** What events are searched by: ours, those of the configuration, and the labels of the object that is the root. */
export function tagsOf(
  { act, over, severity, cluster, incident }: Notification,
  { alertKey }: Pick<Delivery, 'alertKey'>,
  configured: readonly string[],
): readonly string[] {
  const own: Readonly<Record<string, string>> = {
    source: 'tocsin',
    severity,
    status: incident ? (statuses[act] ?? incident.status) : over ? 'resolved' : act,
    kube_cluster_name: cluster,
    ...(incident && {
      reason: incident.reason,
      kube_namespace: namespaceOf(incident.root),
      kube_kind: kindNameOf(incident.root),
      [kindTags.get(kindNameOf(incident.root)) ?? 'kube_name']: nameOf(incident.root),
      incident: incident.id,
      alert_key: alertKey,
    }),
  };
  const unified = Object.entries(serviceTags).flatMap(([tag, names]) => {
    const value = names.map((name) => incident?.labels[name]).find((each) => each !== undefined && each !== '');
    return value === undefined ? [] : [[tag, value] as const];
  });
  const labels = Object.entries(incident?.labels ?? {})
    .filter(([name]) => !Object.hasOwn(own, name))
    .slice(0, maxLabels);
  const pairs = [...Object.entries(own), ...unified, ...labels].filter(([, value]) => value !== '');
  const tags = [...pairs.map(([name, value]) => `${name}:${value}`), ...configured].map(tagOf);
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, maxTags);
}

const statuses: Readonly<Partial<Record<Notification['act'], string>>> = { update: 'updated', reopen: 'reopened' };

/** A tag as Datadog writes it: lower case, beginning with a letter, `_` for whatever is not allowed. */
function tagOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_:./-]/gu, '_')
    .replace(/^[^\p{L}]+/u, '');
  return truncate(plain, maxTag, 'characters').replace(/…$/, '');
}
