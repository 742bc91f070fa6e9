import type {
  Announcement,
  IncidentAnnouncement,
  ListedFinding,
  SummaryAnnouncement,
} from '../../src/model/announcement.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Facts, Finding } from '../../src/model/finding.ts';
import type { Incident, Told as TellingBefore } from '../../src/model/incident.ts';
import type { Note } from '../../src/model/note.ts';
import type { Reason } from '../../src/model/reason.ts';
import { type Ref, refOf } from '../../src/model/ref.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import type { Confidence, Severity } from '../../src/model/severity.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { ContainerRun, Evidence } from '../../src/model/turn.ts';
import { viewFor } from '../../src/model/view.ts';

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

/** A finding of a subject, with what the API says of it. */
export function finding(about: Subject, reason: Reason, facts: Facts = {}, detail = ''): Finding {
  const { container } = facts;
  return {
    ...{ subject: about, reason, facts, since: at('08:59:10'), severity: 'high', conclusive: true, names: [] },
    ...(typeof container === 'string' && { scope: container }),
    ...(detail !== '' && { detail }),
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
  readonly impact?: Explanation['impact'];
  readonly change?: Explanation['change'];
  readonly samplePod?: Explanation['samplePod'];
  readonly sign?: Explanation['sign'];
  readonly proof?: Explanation['proof'];
  readonly announcement?: Partial<IncidentAnnouncement>;
  readonly incident?: Partial<Incident>;
};

/** An opening of an incident with what a story says. */
export function opening(story: Story): IncidentAnnouncement {
  const { root, reason, members, affected = [], workloads = [], severity = 'high', confidence = 'high' } = story;
  const explanation: Explanation = {
    ...{ root: subject(root), reason, severity, confidence, members, affected, workloads, trace: [] },
    proof: story.proof ?? [],
    ...(story.impact && { impact: story.impact }),
    ...(story.change && { change: story.change }),
    ...(story.samplePod && { samplePod: story.samplePod }),
    ...(story.sign && { sign: story.sign }),
  };
  const incident: Incident = {
    ...{ id: 'inc-9f3c', alertKey: 'a1b2c3', state: 'Open', explanation, startedAt: at('08:59:10'), revision: 1 },
    ...{ recoveries: [], standings: {}, hearings: {}, openedAt: at('09:00:00') },
    ...story.incident,
  };
  const { audience = '' } = story.announcement ?? {};
  const seen = { ...incident, explanation: viewFor(audience, explanation) ?? explanation };
  return { act: 'open', incident: seen, reasonCode: 'Settled', audience, providers: [], ...story.announcement };
}

const apiFacts: Facts = {
  ...{ container: 'api', image: 'registry.example/shop/api:1.5.0', restarts: 6, node: 'n1', exitCode: 1 },
  ...{ exitReason: 'Error', ranSeconds: 3, backOffSeconds: 80 },
};
const release: Explanation['change'] = {
  ...{ ref: 'Deployment/shop/api', field: 'image', at: at('08:58:40'), by: 'kubectl-set' },
  ...{ from: 'registry.example/shop/api:1.4.2', to: 'registry.example/shop/api:1.5.0' },
};
const crash: Story = {
  root: 'Deployment/shop/api',
  reason: 'CrashLoopBackOff',
  severity: 'critical',
  confidence: 'likely',
  members: pods('shop/api-7d9c', 5, 'n1').map((pod) => finding(pod, 'CrashLoopBackOff', apiFacts)),
  affected: pods('shop/api-7d9c', 5, 'n1'),
  workloads: ['Deployment/shop/api'],
  change: release,
  samplePod: { ref: 'Pod/shop/api-7d9c-1', container: 'api', previous: true, attempt: 4, ended: true },
  impact: [{ ref: 'Deployment/shop/api', wanted: 20, ready: 15 }],
  proof: [{ code: 'OnlyNewRevision', all: true }],
};
export const crashOpening = opening(crash);

const nodeStory: Story = {
  root: 'Node//n7',
  reason: 'NodeUnreachable',
  severity: 'critical',
  members: [
    finding(subject('Node//n7'), 'NodeUnreachable', { kubeletVersion: 'v1.36.3', zone: 'eu-1a' }),
    ...pods('shop/web', 3, 'n7').map((pod) => ({ ...finding(pod, 'PodNotReady'), names: ['Node//n7'] as const })),
    ...pods('bank/ledger', 2, 'n7').map((pod) => ({ ...finding(pod, 'PodNotReady'), names: ['Node//n7'] as const })),
  ],
  affected: [...pods('shop/web', 3, 'n7'), ...pods('bank/ledger', 2, 'n7')],
  workloads: ['Deployment/shop/web', 'StatefulSet/bank/ledger', 'DaemonSet/logging/agent'],
  impact: [
    { ref: 'Deployment/shop/web', wanted: 5, ready: 2 },
    { ref: 'StatefulSet/bank/ledger', wanted: 2, ready: 0 },
    { ref: 'DaemonSet/logging/agent', wanted: 9, ready: 8 },
  ],
  proof: [{ code: 'ShareOfNode', failing: 5, all: 5 }],
};

const noPods: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 };
/** A line of a list, about a finding of the root. */
const listed = (severity: Severity, own: Finding, affected = 1): ListedFinding => ({
  ...{ severity, reason: own.reason, root: own.subject.ref, finding: own, affected, startedAt: at('08:59:10') },
});
function summary(more: Partial<SummaryAnnouncement> & Pick<SummaryAnnouncement, 'act'>): SummaryAnnouncement {
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
/** The run of which the logs are. */
export const crashedRun: ContainerRun = {
  ...{ pod: 'Pod/shop/api-7d9c-1', uid: 'u', container: 'api', attempt: 4, ended: true },
};

export type Told = { readonly announcement: Announcement; readonly evidence?: Evidence; readonly now?: number };

const lines = [
  'INFO  starting, 12 workers',
  'DEBUG db postgres://app:hunter2@db:5432/shop',
  'Error: no such column: price',
];

/** What was reported before, for an update: a crash of one Pod, at 09:00. */
const before: TellingBefore = {
  severity: 'high',
  reason: 'CrashLoopBackOff',
  root: 'Deployment/shop/api',
  affected: 1,
  at: at('09:00:00'),
};
const crashUpdate = (
  reasonCode: string,
  more: Partial<Incident> = {},
  was: Partial<TellingBefore> = {},
  notes: readonly Note[] = [],
): Told => ({
  announcement: opening({
    ...crash,
    announcement: {
      act: 'update',
      reasonCode,
      before: { ...before, severity: 'critical', affected: 5, ...was },
      notes,
    },
    incident: { revision: 2, ...more },
  }),
  now: at('09:08:00'),
});

/** An obstacle that a workload's or Pod's own finding names as the root. */
function obstacle(root: Ref, reason: Reason, says: string): Told {
  const about = subject(reason === 'Unschedulable' ? 'Pod/shop/web-1' : 'ReplicaSet/shop/web-7d9c');
  const workload: Ref = 'Deployment/shop/web';
  return {
    announcement: opening({
      ...{ root, reason, members: [finding(about, reason, {}, says)] },
      ...{ affected: [about, subject(workload)], workloads: [workload] },
      impact: [{ ref: workload, wanted: 3, ready: 0 }],
    }),
  };
}

const longName = (start: string): string =>
  `${start}-${'of-the-department-for-very-long-names-'.repeat(5)}end`.slice(0, 200);
const digest = (first: string): string => `registry.example/shop/api@sha256:${first.repeat(64)}`;

const evicted = (name: string): Finding => finding(subject(`Pod/tools/${name}`), 'PodFailed', { podReason: 'Evicted' });
const missingImage = finding(subject('Deployment/shop/web'), 'ImageNotFound', {
  ...{ container: 'web', image: 'web:2', pullCause: 'notFound' },
});

/** The stories whose full text is kept, by the name of their file. */
export const stories: Readonly<Record<string, Told>> = {
  'crash-after-release': {
    announcement: crashOpening,
    evidence: { ...crashedRun, source: 'last log lines of the previous container api in api-7d9c-1', lines },
  },
  'crash-cause-unknown': {
    announcement: opening({
      ...{ root: 'Pod/tools/batch', reason: 'CrashLoopBackOff', confidence: 'unknown' },
      members: [
        finding(subject('Pod/tools/batch', 'n2'), 'CrashLoopBackOff', {
          ...{ container: 'main', image: 'tools/batch:7', restarts: 4, exitCode: 137, exitReason: 'Error' },
          ...{ memoryLimit: '1Gi', terminationMessage: 'token=hunter2 rejected' },
        }),
      ],
      incident: { previous: { id: 'inc-1', times: 3 } },
    }),
  },
  'nothing-but-a-reason': {
    announcement: opening({
      ...{ root: 'Deployment/shop/api', reason: 'CrashLoopBackOff', confidence: 'unknown' },
      members: [finding(subject('Pod/shop/api-1'), 'CrashLoopBackOff')],
      affected: [subject('Pod/shop/api-1')],
      workloads: ['Deployment/shop/api'],
    }),
  },
  'update-severity': crashUpdate('SeverityRaised', {}, { severity: 'high', affected: 1 }),
  'update-spreads': crashUpdate('ImpactGrew', {}, { affected: 1 }),
  'update-cause': {
    announcement: opening({ ...nodeStory, announcement: { act: 'update', reasonCode: 'RootRevised', before } }),
    now: at('09:08:00'),
  },
  'update-flapping': crashUpdate('Flapping', { recoveries: [at('09:02:00'), at('09:04:00')] }, {}, [
    { is: 'recurring' },
  ]),
  'update-still-flapping': crashUpdate('StillFlapping', {}, {}, [
    { is: 'cameBack', times: 96, since: Date.parse('2026-11-19T09:07:30Z') },
  ]),
  'update-another-failure': crashUpdate('AnotherFailure', {}, { reason: 'ImageNotFound' }),
  'told-though-its-cause-is-muted': {
    announcement: opening({
      ...crash,
      announcement: { notes: [{ is: 'causeMuted', root: 'Node//n1', by: 'filters.reasons' }] },
    }),
  },
  'told-without-what-is-muted': {
    announcement: opening({
      ...crash,
      announcement: { notes: [{ is: 'partMuted', by: 'Silence/shop/deploy' }] },
    }),
  },
  'over-as-part-of-another': {
    announcement: opening({
      ...crash,
      incident: { state: 'Resolved', clearSince: at('09:06:00'), resolvedAt: at('09:09:00') },
      announcement: { act: 'resolve', reasonCode: 'HeldGood', notes: [{ is: 'wasPartOf', root: 'Node//n1' }] },
    }),
    now: at('09:09:00'),
  },
  'update-still-open': crashUpdate('StillOpen', { startedAt: Date.parse('2026-11-19T22:30:00Z') }),
  'told-when-its-silence-ended': {
    announcement: opening({
      ...crash,
      announcement: { notes: [{ is: 'mutedUntil', at: at('08:55:00'), by: 'Silence/shop/deploy' }] },
    }),
  },
  'node-lost': { announcement: opening(nodeStory) },
  'node-lost-for-a-tenant': { announcement: opening({ ...nodeStory, announcement: { audience: 'bank' } }) },
  'resources-raised': {
    announcement: opening({
      ...{ root: 'Deployment/ml/train', reason: 'Unschedulable', severity: 'medium' },
      members: pods('ml/train', 4).map((pod) =>
        finding(pod, 'Unschedulable', {}, '0/6 nodes are available: 6 Insufficient nvidia.com/gpu.'),
      ),
      affected: pods('ml/train', 4),
      workloads: ['Deployment/ml/train'],
      impact: [{ ref: 'Deployment/ml/train', wanted: 4, ready: 0 }],
      change: {
        ref: 'Deployment/ml/train',
        field: 'resources',
        at: Date.parse('2026-11-19T22:29:00Z'),
        by: 'Argo CD application shop',
      },
      incident: { startedAt: Date.parse('2026-11-19T22:30:00Z') },
    }),
  },
  'digest-of-an-image-changed': {
    announcement: opening({ ...crash, change: { ...release, from: digest('a'), to: digest('b') } }),
  },
  'long-names': {
    announcement: opening({
      ...crash,
      root: refOf('Deployment', longName('team').slice(0, 63), longName('api')),
      workloads: [refOf('Deployment', longName('team').slice(0, 63), longName('api'))],
      impact: [],
      change: undefined,
    }),
  },
  'claim-missing': obstacle(
    'PersistentVolumeClaim/shop/data',
    'Unschedulable',
    'persistentvolumeclaim "data" not found',
  ),
  'service-account-missing': obstacle(
    'ServiceAccount/shop/web',
    'ServiceAccountMissing',
    'pods "web-7d9c-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
  ),
  'webhook-fails': obstacle(
    'ValidatingWebhookConfiguration//validate.policy.example',
    'ReplicaFailure',
    'Internal error occurred: failed calling webhook "validate.policy.example": failed to call webhook: Post "https://policy.policies.svc:443/validate?timeout=10s": dial tcp 10.96.7.7:443: connect: connection refused',
  ),
  'startup-all-well': { announcement: summary({ act: 'startup' }) },
  'startup-all-well-in-part': { announcement: { ...summary({ act: 'startup' }), ofPart: true } },
  'startup-for-a-newcomer': {
    announcement: summary({
      act: 'startup',
      entries: [
        listed('critical', finding(subject('Node//n7'), 'NodeNotReady', {}, 'container runtime is down'), 12),
        listed('high', missingImage),
      ],
      total: 5,
      bySeverity: { critical: 1, high: 4, medium: 0, low: 0 },
    }),
  },
  digest: {
    announcement: summary({
      act: 'digest',
      entries: [listed('low', evicted('once'))],
      total: 1,
      bySeverity: { ...noPods, low: 1 },
    }),
  },
  'digest-of-what-is-over': {
    announcement: summary({
      act: 'digest',
      entries: [{ ...listed('low', evicted('once')), over: true }, listed('low', evicted('twice'))],
      total: 2,
      bySeverity: { ...noPods, low: 2 },
    }),
  },
  'startup-of-what-came-into-sight': {
    announcement: summary({
      ...{ act: 'startup', atStart: true, newlySeen: ['Deployment', 'StatefulSet'] },
      entries: [
        listed('high', finding(subject('Deployment/shop/web'), 'DeploymentUnavailable', { available: 0, wanted: 3 })),
      ],
      total: 1,
      bySeverity: { ...noPods, high: 1 },
    }),
  },
  'storm-overview': {
    announcement: summary({
      act: 'overview',
      entries: [listed('critical', finding(subject('Node//n1'), 'DiskPressure'), 30)],
      total: 38,
      bySeverity: { critical: 2, high: 30, medium: 6, low: 0 },
    }),
  },
  'storm-over': {
    announcement: summary({
      ...{ act: 'overview', phase: 'closing', total: 2, bySeverity: { ...noPods, high: 2 } },
      entries: [
        listed('high', finding(subject('Node//n1'), 'DiskPressure'), 30),
        listed('high', finding(subject('Node//n2'), 'DiskPressure'), 12),
      ],
    }),
  },
};
