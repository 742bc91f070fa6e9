/** What people notice, as the page of detectors is ordered by; in its order. */
export const symptoms = {
  start: { title: 'My Pods do not start', about: 'Pending, `ImagePullBackOff`, `ContainerCreating`, no Pod at all.' },
  restart: { title: 'My Pods restart', about: 'Crashes, kills for memory or by a probe, restarts for hours.' },
  ready: { title: 'My Pods run but are not ready', about: 'They are `Running`, and nobody is sent to them.' },
  gone: {
    title: 'My Pods go away, or do not',
    about: 'Evicted, preempted, failed for good, stuck while they are deleted.',
  },
  rollout: { title: 'A rollout is stuck, or a workload lacks Pods', about: 'Deployments, StatefulSets, DaemonSets.' },
  job: { title: 'Jobs and CronJobs', about: 'They fail, do not start, or do not end.' },
  service: { title: 'A Service does not answer', about: 'Services, their endpoints, DNS, load balancers.' },
  route: { title: 'Traffic from outside does not arrive', about: 'Ingress, Gateway API.' },
  storage: { title: 'Storage', about: 'Claims, volumes, attachments, file systems that fill up.' },
  scaling: { title: 'Scaling, quotas and disruption budgets', about: 'Autoscalers, quotas, drains.' },
  node: { title: 'Nodes', about: 'Lost, not ready, under pressure, about to go.' },
  controlPlane: {
    title: 'The control plane',
    about: 'Webhooks, APIServices, CRDs, leases, what stands in the way of everybody.',
  },
  deletion: { title: 'Something cannot be deleted', about: 'Namespaces and objects that wait for their finalizers.' },
  certificate: { title: 'Certificates', about: 'Those that expire, and requests that nobody signs.' },
  alerts: {
    title: 'Alerts of Prometheus',
    about: 'What Alertmanager sends about an object, where `alertsIn` is enabled.',
  },
  events: { title: 'Warnings that nobody explains', about: 'Events of type Warning that repeat, and storms of them.' },
  custom: { title: 'Custom resources', about: 'What their controllers say of them in conditions.' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly about: string }>>;

/** One of them. */
export type Symptom = keyof typeof symptoms;
