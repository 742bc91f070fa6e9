import { groupOf } from '../../model/resource.ts';

/** Which status of a condition is the bad one, and what it means. */
export type CustomPolarity = {
  readonly type: string;
  readonly bad: 'True' | 'False';
  /** It cannot pass before somebody changes something. */
  readonly isFinal?: true;
  /** Reasons with which the bad status is on purpose, on its way, or the doing of something that is told by itself. */
  readonly except?: readonly string[];
};

/** What is known of the conditions of some kinds. The first condition that is bad is the one that is told. */
export type CustomRow = {
  /** API groups; `*.` before one: all below it. */
  readonly groups: readonly string[];
  /** Absent: every kind of the groups. */
  readonly kinds?: readonly string[];
  readonly conditions: readonly CustomPolarity[];
  /** How long a condition must be bad; default 120. */
  readonly forSeconds?: number;
  /** How long the first reconciliation may take; default 600. */
  readonly firstSeconds?: number;
};

type More = Omit<CustomPolarity, 'type' | 'bad'>;
const good = (type: string, more: More = {}): CustomPolarity => ({ type, bad: 'False', ...more });
const bad = (type: string, more: More = {}): CustomPolarity => ({ type, bad: 'True', ...more });
const final = { isFinal: true } as const;

/**
 * The one table of polarities: what controllers mean by the conditions of their resources. Kinds before the rest of their group.
 * Sources: fluxcd/pkg apis/meta conditions.go; argo-cd pkg/apis/application/v1alpha1 (ApplicationConditionType), argo-rollouts
 * (RolloutConditionType); cert-manager pkg/apis/certmanager/v1; knative.dev/pkg apis/condition_types.go; crossplane-runtime
 * apis/common/v1/condition.go; cluster-api api/core (v1beta1 and v1beta2 conditions); KEDA apis/keda/v1alpha1 condition_types.go;
 * karpenter pkg/apis/v1; external-secrets apis/externalsecrets/v1; prometheus-operator pkg/apis/monitoring/v1; Strimzi
 * api Condition; cloudnative-pg api/v1 cluster_conditions.go; rook pkg/apis/ceph.rook.io/v1.
 */
export const customRows: readonly CustomRow[] = [
  {
    groups: ['*.toolkit.fluxcd.io'],
    // `DependencyNotReady`: what it waits for is told. The rest of these are on their way.
    conditions: [
      bad('Stalled', final),
      good('Ready', { except: ['DependencyNotReady', 'Progressing', 'ProgressingWithRetry', 'Suspended'] }),
    ],
  },
  {
    groups: ['argoproj.io'],
    kinds: ['Application'],
    conditions: [bad('InvalidSpecError', final), bad('ComparisonError'), bad('SyncError'), bad('UnknownError')],
  },
  {
    groups: ['argoproj.io'],
    kinds: ['ApplicationSet'],
    conditions: [bad('ErrorOccurred'), good('ParametersGenerated')],
  },
  // `Healthy`, `Available` and `Completed` are False in every canary: its phase says what is wrong.
  { groups: ['argoproj.io'], kinds: ['Rollout'], conditions: [bad('InvalidSpec', final)] },
  { groups: ['argoproj.io'], kinds: ['CronWorkflow'], conditions: [bad('SpecError', final)] },
  {
    groups: ['cert-manager.io'],
    kinds: ['Certificate'],
    // An issuer may take minutes, and tries again after an hour.
    conditions: [good('Issuing', { except: ['Issued', ''] }), good('Ready')],
    forSeconds: 300,
    firstSeconds: 900,
  },
  { groups: ['cert-manager.io'], conditions: [good('Ready')] },
  // `Active` False is a revision that is scaled to zero.
  { groups: ['*.knative.dev'], conditions: [good('Ready')] },
  {
    groups: ['*.crossplane.io', '*.upbound.io'],
    // A database that is made in a cloud takes its time.
    conditions: [
      good('Synced'),
      good('Healthy', { except: ['UnknownPackageRevisionHealth'] }),
      good('Installed', { except: ['InactivePackageRevision'] }),
      good('Ready', { except: ['Creating', 'Deleting'] }),
    ],
    forSeconds: 300,
    firstSeconds: 1800,
  },
  {
    groups: ['*.cluster.x-k8s.io', 'cluster.x-k8s.io'],
    // `ScalingUp`, `RollingOut`, `Remediating` and the like are True while it works. Ready is of v1beta1, Available of v1beta2.
    conditions: [
      good('Available', { except: ['Deleting', 'ScalingUp', 'RollingOut', 'WaitingForClusterInfrastructure'] }),
      good('Ready', { except: ['Deleting', 'Deleted', 'ScalingUp', 'ScalingDown', 'RollingUpdateInProgress'] }),
    ],
    forSeconds: 300,
    firstSeconds: 1800,
  },
  // `Active` False is a target without work; `Fallback` True is what was asked for when a source fails.
  { groups: ['keda.sh'], conditions: [good('Ready')] },
  {
    groups: ['karpenter.sh'],
    kinds: ['NodeClaim'],
    // `Drifted`, `Empty`, `Consolidatable` and `Expired` are its daily work.
    conditions: [good('Launched'), good('Registered'), good('Initialized')],
    forSeconds: 600,
    firstSeconds: 900,
  },
  {
    groups: ['karpenter.sh'],
    kinds: ['NodePool'],
    conditions: [good('ValidationSucceeded', final), good('Ready')],
  },
  { groups: ['*.k8s.aws'], conditions: [good('Ready')] },
  { groups: ['external-secrets.io', 'generators.external-secrets.io'], conditions: [good('Ready')] },
  { groups: ['monitoring.coreos.com'], conditions: [good('Reconciled'), good('Available')], forSeconds: 300 },
  { groups: ['*.strimzi.io'], conditions: [bad('NotReady', { except: ['Creating'] }), good('Ready')], forSeconds: 300 },
  {
    groups: ['postgresql.cnpg.io'],
    conditions: [
      good('Ready', { except: ['ClusterIsNotReady'] }),
      good('ContinuousArchiving'),
      good('LastBackupSucceeded'),
    ],
    forSeconds: 300,
  },
  { groups: ['ceph.rook.io'], conditions: [bad('Failure'), good('Ready')], forSeconds: 300, firstSeconds: 1800 },
];

/**
 * What condition types mean where nothing is known of a group: those that hold their meaning across controllers. Any other type
 * is evidence at most, since controllers use both polarities.
 */
export const anyOther: CustomRow = {
  groups: [],
  conditions: [
    ...[bad('Stalled', final), bad('Degraded'), bad('Failed')],
    ...['Ready', 'Available', 'Synced', 'Reconciled', 'Healthy', 'Programmed', 'Accepted'].map((type) => good(type)),
  ],
  forSeconds: 600,
  firstSeconds: 1200,
};

function holds(pattern: string, group: string): boolean {
  return pattern.startsWith('*.') ? group.endsWith(pattern.slice(1)) : pattern === group;
}

/** What is known of the conditions of a kind. */
export function customRow(apiVersion: string, kind: string): CustomRow {
  const group = groupOf(apiVersion);
  const known = customRows.find(
    ({ groups, kinds }) => groups.some((pattern) => holds(pattern, group)) && (kinds?.includes(kind) ?? true),
  );
  return known ?? anyOther;
}
