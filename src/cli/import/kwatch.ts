import { providerTypes } from '../../api/check-provider.ts';
import { entry, field, item, none, noneOf, type Rule, secret, setting, type Tool } from './rule.ts';

const layout = none('messages have one layout, which says the cause');
const silence = none('make a Silence for what is known and not to be told: tocsin silence add');

/** What kwatch calls a type otherwise than Tocsin. */
const names: Readonly<Record<string, readonly string[]>> = {
  incidentio: ['incidentio', 'incident\\.io'],
  sensu: ['sensugo', 'sensu'],
  teamsworkflows: ['teamsworkflow'],
};
/** Values that mean the same there, written otherwise. */
const rewritten: Readonly<Record<string, (value: unknown) => unknown>> = {
  'email.port': Number,
  'telegram.chatId': String,
  'zulip.url': (value) => String(value).replace(/\/api\/v1\/messages\/?$/, ''),
  'datadog.tags': (value) => String(value).split(/\s*,\s*/),
};

/** Most types have the same fields here and there. */
const same: readonly Rule[] = providerTypes.flatMap(({ type, fields }) =>
  (names[type] ?? [type]).flatMap((name) =>
    Object.entries(fields).flatMap(([key, { is }]): readonly Rule[] => {
      const path = `alert.${name}/${key}`;
      if (is === 'secret') return [[path, secret(type, key)]];
      if (is === 'list')
        return [
          [`${path}.*`, entry(type, key)],
          [path, field(type, key, rewritten[`${type}.${key}`] ?? ((value) => [value]))],
        ];
      if (is === 'integer') return [[path, field(type, key, Number)]];
      return is === 'string' || is === 'url' || is === 'boolean'
        ? [[path, field(type, key, rewritten[`${type}.${key}`])]]
        : [];
    }),
  ),
);

/** What Tocsin watches without being told to, by a threshold that follows from what is observed. */
const watched = [
  ...[
    'node',
    'rollout',
    'daemonSet',
    'statefulSet',
    'job',
    'cronJob',
    'hpa',
    'clusterAutoscaler',
    'service',
    'ingress',
  ],
  ...['admissionWebhook', 'controlPlane', 'pdb', 'oom', 'schedule', 'pendingPod', 'notReady', 'clusterResource'],
];

/** Severities of kwatch, in words of ours. */
const severities: Readonly<Record<string, string>> = {
  critical: 'critical',
  high: 'high',
  warning: 'medium',
  medium: 'medium',
  normal: 'low',
};
const severe =
  (key: 'reasons' | 'kinds') =>
  (value: unknown, step: string): unknown => ({
    selector: { [key]: [step] },
    severity: severities[String(value)] ?? value,
  });
const minutes = (value: unknown): number => Number(value) * 60;
const again = 'correlation.renotify.intervalBySeverity';

/** kwatch: `config.yaml`, alone, in its ConfigMap or as a KwatchConfig. */
export const kwatch: Tool = {
  title: 'kwatch',
  rules: [
    ...same,
    ['alert.matrix/internalRoomID', field('matrix', 'internalRoomId')],
    // So spelled in its own example.
    ['alert.email/form', field('email', 'from')],
    [
      'alert.webhook.headers.**',
      none('name the headers in `webhook.headers` of the AlertProvider, credentials by secretKeyRef'),
    ],
    ['alert.webhook.basicAuth.**', none('name them in `webhook.basicAuth` of the AlertProvider, by secretKeyRef')],
    ['alert.line.**', none('LINE has ended LINE Notify: choose another product (docs/reference/providers)')],
    ['alert.*.title', layout],
    ['alert.*.text', layout],
    ['alert.*.routes.**', none('say it as `routes` of the AlertProvider (Pro): docs/teams.md')],
    ['alert.*.fallback', none('name the other AlertProvider in `fallback` of this one: docs/delivery.md')],
    ...noneOf(['alert.*.retry.**', 'alert.*.maxRetries'], 'what failed for now is tried again by itself'),
    ['namespaces.*', item('filters.namespaces')],
    ['namespaceSelector.**', none('`filters.namespaces` takes names and wildcards')],
    ['reasons.*', item('filters.reasons')],
    ['maxRecentLogLines', setting('evidence.logLines', (value) => Math.min(100, Number(value)))],
    ['includeLogs', setting('evidence.logs', (value) => (value === false ? false : undefined))],
    ['includeEvents', setting('evidence.events', (value) => (value === false ? false : undefined))],
    ['runbooks.*', setting('messages.runbooks.*')],
    ['severityByReason.*', item('detection.overrides', severe('reasons'))],
    ['severityByOwnerKind.*', item('detection.overrides', severe('kinds'))],
    ['app.clusterName', setting('app.clusterName')],
    ['app.proxyURL', setting('app.proxyURL')],
    ['app.disableStartupMessage', setting('app.startupMessage', (value) => (value === true ? 'Never' : undefined))],
    ['app.logFormatter', none('the log is JSON in the cluster and readable on a terminal')],
    ['app.insecureSkipTLSVerify', none('certificates are always checked')],
    ['app.caBundlePath', none('mount the bundle and name it in NODE_EXTRA_CA_CERTS, a variable of the Pod')],
    ['pvcMonitor.threshold', setting('detection.volumeUsagePercent', (value) => Math.round(Number(value)))],
    ['pvcMonitor.**', none('how full volumes are takes Pro and a permission: docs/security.md')],
    ['tlsMonitor.threshold', setting('detection.certificateExpiryDays')],
    ['tlsMonitor.**', none('certificates of TLS Secrets take Pro and a permission: docs/security.md')],
    ...noneOf(
      watched.map((each) => `${each}Monitor.**`),
      'it is always watched, and how long it must last follows from what is observed: docs/noticed',
    ),
    ...noneOf(
      ['kubeletTelemetryMonitor.**', 'runtimeMetricsMonitor.**', 'nodeResourceMonitor.**'],
      'what kubelets measure takes Pro and a permission: docs/security.md; no threshold of usage is told by itself',
    ),
    [
      'networkPolicyMonitor.**',
      none('a NetworkPolicy that stands there is no failure; one that changed is told as a cause'),
    ],
    ['activeProbeMonitor.**', none('Tocsin sends no requests to your services: their own probes say how they are')],
    [
      'heartbeatMonitor.**',
      none('say it as `heartbeat` of the AlertConfig, the address by secretKeyRef: docs/monitoring.md'),
    ],
    [
      'crd.**',
      none('custom resources are judged by their conditions (Pro); name others as `signatures` of the AlertConfig'),
    ],
    ['auditLog.enabled', setting('auditLog.enabled')],
    ['auditLog.**', none('say it as `auditLog.path` of the AlertConfig; - is standard output')],
    ['ignoreFailedGracefulShutdown', none('a container that ends while its Pod is being deleted is no incident')],
    ['ignoreDisruptionTerminations', none('a Pod that is evicted or drained is no incident by itself')],
    ['containerRestartThreshold', none('restarts count where they last: docs/noticed')],
    ['adaptiveThresholds', none('a rollout that goes on is no incident')],
    ['reportStartupBaseline', setting('app.startupMessage', (value) => (value === false ? 'Never' : undefined))],
    ['maintenance.**', none('annotations of maintenance and MaintenanceWindows (Pro) are in docs/maintenance.md')],
    ...noneOf(['smartGrouping.**', 'inhibition.**'], 'what has one cause is one incident'),
    ['correlation.resolveHoldDown', setting('incidents.holdSeconds')],
    [`${again}.critical`, setting('incidents.renotifySeconds.critical', minutes)],
    [`${again}.high`, setting('incidents.renotifySeconds.high', minutes)],
    [`${again}.warning`, setting('incidents.renotifySeconds.medium', minutes)],
    [`${again}.medium`, setting('incidents.renotifySeconds.medium', minutes)],
    [`${again}.normal`, setting('incidents.renotifySeconds.low', minutes)],
    [`${again}.default`, none('say it for each severity in `incidents.renotifySeconds` of the AlertConfig')],
    ['correlation.renotify.**', none('reminders go on until somebody acknowledges or silences the incident')],
    ['correlation.escalation.**', none('severity follows from whom it hits, and rises with that')],
    ['correlation.**', none('an incident lasts as long as what failed')],
    ['templates.**', layout],
    ['silences.**', silence],
    ['ignoreContainerNames.**', silence],
    ['ignoreContainerMessages.**', silence],
    ['ignorePodNames.**', silence],
    ['ignoreLogPatterns.**', silence],
    ['IgnoreLogPatterns.**', silence],
    ['ignoreNodeReasons.**', silence],
    ['ignoreNodeMessages.**', silence],
    ...noneOf(['upgrader.**', 'disableUpdateCheck'], 'Tocsin asks nobody whether there is a newer version'),
    ['telemetry.**', none('nothing is sent home')],
    ['healthCheck.**', none('/healthz and /readyz are on port 8060')],
    ['resyncSeconds', none('every watch is made sure of by itself')],
    ['workers', none('one process judges everything')],
  ],
};
