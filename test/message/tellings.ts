import type { Explanation } from '../../src/model/explanation.ts';
import type { Facts, Finding } from '../../src/model/finding.ts';
import type { Incident } from '../../src/model/incident.ts';
import type { ListedIncident } from '../../src/model/notification.ts';
import type { Reason } from '../../src/model/reason.ts';
import { type Ref, refOf } from '../../src/model/ref.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import type { Confidence, Severity } from '../../src/model/severity.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { IncidentTelling, SummaryTelling, Telling } from '../../src/model/telling.ts';
import type { Evidence } from '../../src/model/turn.ts';

/** Epoch milliseconds of a time on the day all stories play. */
export const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`);

export const settings: Settings = {
  ...defaultSettings,
  app: { clusterName: 'prod-eu', startupMessage: 'WhenBroken' },
  messages: {
    runbooks: { CrashLoopBackOff: 'https://wiki.example/runbooks/crash' },
    dashboardURL: 'https://grafana.example/d/{namespace}/{name}',
  },
};

const subject = (ref: Ref, node?: string): Subject => ({ ref, labels: {}, ...(node !== undefined && { node }) });
const pods = (name: string, count: number, node?: string): Subject[] =>
  Array.from({ length: count }, (_, index) =>
    subject(refOf('Pod', name.split('/')[0], `${name.split('/')[1]}-${index + 1}`), node),
  );

/** A finding of a subject. */
export function finding(about: Subject, reason: Reason, message: string, facts: Facts = {}): Finding {
  const { container } = facts;
  return {
    ...{ subject: about, reason, message, facts, since: at('08:59:10'), severity: 'high', conclusive: true, names: [] },
    ...(typeof container === 'string' && { scope: container }),
  };
}

type Story = {
  readonly root: Ref;
  readonly reason: Reason;
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly members: readonly Finding[];
  readonly affected?: readonly Subject[];
  readonly workloads?: readonly Ref[];
  readonly change?: Explanation['change'];
  readonly samplePod?: Explanation['samplePod'];
  readonly proof?: readonly string[];
  readonly telling?: Partial<IncidentTelling>;
  readonly incident?: Partial<Incident>;
};

/** An opening of an incident with what a story says. */
export function opening(story: Story): IncidentTelling {
  const { root, reason, members, affected = [], workloads = [], severity = 'high', confidence = 'high' } = story;
  const explanation: Explanation = {
    ...{ root: subject(root), reason, severity, confidence, members, affected, workloads, trace: [] },
    proof: story.proof ?? [...new Set(members.map(({ message }) => message))],
    ...(story.change && { change: story.change }),
    ...(story.samplePod && { samplePod: story.samplePod }),
  };
  const incident: Incident = {
    ...{ id: 'inc-9f3c', alertKey: 'a1b2c3', state: 'Open', explanation, startedAt: at('08:59:10'), revision: 1 },
    ...{ recoveries: [], standings: {}, toldTo: [], openedAt: at('09:00:00') },
    ...story.incident,
  };
  return { act: 'open', incident, reasonCode: 'Settled', audience: '', providers: [], ...story.telling };
}

const apiFacts: Facts = {
  ...{ container: 'api', image: 'registry.example/shop/api:1.5.0', restarts: 6, node: 'n1', exitCode: 1 },
  ...{ exitReason: 'Error', ranSeconds: 3, backOffSeconds: 80 },
};
const crashMessage =
  'Container api keeps crashing: it ended with exit code 1 (an error of the application) and has been restarted 6 times.';
const release: Explanation['change'] = {
  ...{ ref: 'Deployment/shop/api', field: 'image', at: at('08:58:40'), by: 'kubectl-set' },
  ...{ from: 'registry.example/shop/api:1.4.2', to: 'registry.example/shop/api:1.5.0' },
};
const crash: Story = {
  root: 'Deployment/shop/api',
  reason: 'CrashLoopBackOff',
  severity: 'critical',
  confidence: 'likely',
  members: pods('shop/api-7d9c', 5, 'n1').map((pod) => finding(pod, 'CrashLoopBackOff', crashMessage, apiFacts)),
  affected: pods('shop/api-7d9c', 5, 'n1'),
  workloads: ['Deployment/shop/api'],
  change: release,
  samplePod: { ref: 'Pod/shop/api-7d9c-1', container: 'api', previous: true },
  proof: [crashMessage, 'Only Pods of the new revision fail; those of the old one are well.'],
};
export const crashOpening = opening(crash);

const nodeMessage = 'Nothing is heard of this Node any more.';
const nodeStory: Story = {
  root: 'Node//n7',
  reason: 'NodeUnreachable',
  severity: 'critical',
  members: [
    finding(subject('Node//n7'), 'NodeUnreachable', nodeMessage, { kubeletVersion: 'v1.36.3', zone: 'eu-1a' }),
    ...pods('shop/web', 3, 'n7').map((pod) =>
      finding(pod, 'PodNotReady', 'This Pod is not ready because Node n7 is not.'),
    ),
    ...pods('bank/ledger', 2, 'n7').map((pod) =>
      finding(pod, 'PodNotReady', 'This Pod is not ready because Node n7 is not.'),
    ),
  ],
  affected: [...pods('shop/web', 3, 'n7'), ...pods('bank/ledger', 2, 'n7')],
  workloads: ['Deployment/shop/web', 'StatefulSet/bank/ledger', 'DaemonSet/logging/agent'],
  proof: [nodeMessage, '5 of 5 Pods on the Node are failing.'],
};

const noPods: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 };
const listed = (severity: Severity, reason: Reason, root: Ref, says: string, affected = 1): ListedIncident => ({
  ...{ severity, reason, root, says, affected },
});
function summary(more: Partial<SummaryTelling> & Pick<SummaryTelling, 'act'>): SummaryTelling {
  return {
    id: 's1',
    entries: [],
    total: 0,
    bySeverity: noPods,
    phase: 'opening',
    audience: '',
    providers: [],
    ...more,
  };
}

/** One thing to tell, the log lines that came with it, and when. */
export type Told = { readonly telling: Telling; readonly evidence?: Evidence; readonly now?: number };

const lines = [
  'INFO  starting, 12 workers',
  'DEBUG db postgres://app:hunter2@db:5432/shop',
  'Error: no such column: price',
];

/** The stories whose full text is kept, by the name of their file. */
export const stories: Readonly<Record<string, Told>> = {
  'crash-after-release': {
    telling: crashOpening,
    evidence: { incident: 'inc-9f3c', source: 'last log lines of the previous container api in api-7d9c-1', lines },
  },
  'crash-spreads': {
    telling: opening({
      ...crash,
      telling: {
        ...{ act: 'update', reasonCode: 'SeverityRaised' },
        before: { severity: 'high', root: 'Deployment/shop/api', affected: 1, at: at('09:00:00') },
      },
      incident: { revision: 2 },
    }),
    now: at('09:08:00'),
  },
  'crash-fixed-by-rollback': {
    telling: opening({
      ...crash,
      telling: {
        ...{ act: 'resolve', reasonCode: 'HeldGood' },
        fix: {
          ref: 'Deployment/shop/api',
          field: 'image',
          at: at('09:10:05'),
          by: 'kubectl-rollout',
          from: 'registry.example/shop/api:1.5.0',
          to: 'registry.example/shop/api:1.4.2',
        },
      },
      incident: { state: 'Resolved', clearSince: at('09:10:40'), resolvedAt: at('09:13:40'), revision: 3 },
    }),
    now: at('09:13:40'),
  },
  'crash-again': {
    telling: opening({
      ...crash,
      change: undefined,
      confidence: 'unknown',
      telling: { act: 'reopen', reasonCode: 'FailedAgain' },
    }),
    now: at('09:20:00'),
  },
  'crash-cause-unknown': {
    telling: opening({
      ...{ root: 'Pod/tools/batch', reason: 'CrashLoopBackOff', confidence: 'unknown' },
      members: [
        finding(
          subject('Pod/tools/batch', 'n2'),
          'CrashLoopBackOff',
          'Container main keeps crashing: it ended with exit code 137 (SIGKILL, killed) and has been restarted 4 times.',
          {
            container: 'main',
            image: 'tools/batch:7',
            restarts: 4,
            exitCode: 137,
            exitReason: 'Error',
            terminationMessage: 'token=hunter2 rejected',
          },
        ),
      ],
    }),
  },
  'node-lost': { telling: opening(nodeStory) },
  'node-lost-for-a-tenant': { telling: opening({ ...nodeStory, telling: { audience: 'bank' } }) },
  'secret-missing': {
    telling: opening({
      ...{ root: 'Secret/shop/db', reason: 'SecretMissing' },
      members: [
        finding(subject('Secret/shop/db'), 'SecretMissing', 'Secret shop/db does not exist, and 3 Pods need it.', {
          pods: 3,
          missing: 'Secret shop/db',
        }),
        ...pods('shop/web', 3).map((pod) =>
          finding(pod, 'CreateContainerConfigError', 'Container web cannot be made: Secret shop/db does not exist.', {
            container: 'web',
            missing: 'Secret shop/db',
          }),
        ),
      ],
      affected: pods('shop/web', 3),
      workloads: ['Deployment/shop/web'],
    }),
  },
  'registry-down': {
    telling: opening({
      ...{ root: 'Registry//ghcr.io', reason: 'RegistryUnreachable', confidence: 'likely' },
      members: [
        finding(
          subject('Registry//ghcr.io'),
          'RegistryUnreachable',
          'The registry ghcr.io cannot be reached or fails: 6 workloads cannot pull from it.',
          { registry: 'ghcr.io', workloads: 6, pods: 14 },
        ),
      ],
      affected: pods('shop/web', 14),
      workloads: ['a', 'b', 'c', 'd', 'e', 'f'].map((name): Ref => `Deployment/shop/${name}`),
    }),
  },
  'image-not-found': {
    telling: opening({
      ...{ root: 'Deployment/shop/api', reason: 'ImageNotFound', change: release },
      members: pods('shop/api', 2).map((pod) =>
        finding(
          pod,
          'ImageNotFound',
          'The image registry.example/shop/api:1.5.0 of container api cannot be pulled: it does not exist.',
          { container: 'api', image: 'registry.example/shop/api:1.5.0', pullError: 'manifest unknown' },
        ),
      ),
      affected: pods('shop/api', 2),
      workloads: ['Deployment/shop/api'],
      telling: { note: 'muted until 08:55 UTC by Silence shop/deploy' },
    }),
  },
  'out-of-memory': {
    telling: opening({
      ...{ root: 'StatefulSet/shop/cache', reason: 'OOMKilled' },
      members: [
        finding(
          subject('Pod/shop/cache-0', 'n3'),
          'OOMKilled',
          'Container redis was killed for its memory: it used more than its limit of 512Mi.',
          {
            container: 'redis',
            image: 'redis:8',
            restarts: 2,
            memoryLimit: '512Mi',
            exitCode: 137,
            exitReason: 'OOMKilled',
          },
        ),
        finding(
          subject('StatefulSet/shop/cache'),
          'StatefulSetUnavailable',
          'Of this StatefulSet 2 of 3 Pods are ready.',
          { wanted: 3, ready: 2 },
        ),
      ],
      affected: pods('shop/cache', 1),
      workloads: ['StatefulSet/shop/cache'],
    }),
  },
  unschedulable: {
    telling: opening({
      ...{ root: 'Deployment/ml/train', reason: 'Unschedulable', severity: 'medium' },
      members: pods('ml/train', 4).map((pod) =>
        finding(pod, 'Unschedulable', 'No node fits this Pod: 6 of 6 nodes lack nvidia.com/gpu.'),
      ),
      affected: pods('ml/train', 4),
      workloads: ['Deployment/ml/train'],
      change: { ref: 'Deployment/ml/train', field: 'resources', at: at('08:50:00'), by: 'argocd-controller' },
      incident: { startedAt: Date.parse('2026-11-19T22:30:00Z') },
    }),
  },
  'job-failed': {
    telling: opening({
      ...{ root: 'Job/shop/migrate', reason: 'JobFailed' },
      members: [
        finding(
          subject('Job/shop/migrate'),
          'JobFailed',
          'This Job failed: it reached its back-off limit; container main ended with exit code 2 (an error of the application, often wrong arguments).',
          { container: 'main', exitCode: 2, exitReason: 'Error', failed: 7 },
        ),
      ],
      samplePod: { ref: 'Pod/shop/migrate-x', container: 'main', previous: false },
      change: { ref: 'ConfigMap/shop/migrations', field: 'data', at: at('08:40:00') },
      confidence: 'likely',
    }),
  },
  startup: {
    telling: summary({
      act: 'startup',
      entries: [
        listed('critical', 'NodeNotReady', 'Node//n7', 'Node n7 has not been ready since 08:10 UTC.', 12),
        listed('high', 'ImagePullBackOff', 'Deployment/shop/web', 'The image web:2 cannot be pulled.', 3),
      ],
      total: 5,
      bySeverity: { critical: 1, high: 4, medium: 0, low: 0 },
    }),
  },
  'startup-all-well': { telling: summary({ act: 'startup' }) },
  digest: {
    telling: summary({
      act: 'digest',
      entries: [listed('low', 'PodFailed', 'Pod/tools/once', 'This Pod failed and will not be tried again: Evicted.')],
      total: 1,
      bySeverity: { ...noPods, low: 1 },
    }),
  },
  'storm-overview': {
    telling: summary({
      act: 'overview',
      entries: [listed('critical', 'DiskPressure', 'Node//n1', 'Node n1 is short of disk space.', 30)],
      total: 38,
      bySeverity: { critical: 2, high: 30, medium: 6, low: 0 },
    }),
  },
};
