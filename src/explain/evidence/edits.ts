import type { ChangeField } from '../../model/change-field.ts';
import type { BlamedChange } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { Family } from '../../model/reason-traits.ts';
import { registryHost, repositoryOf } from '../../world/pods/image.ts';
import type { Change } from '../../world/view/world.ts';
import { familyOf } from './families.ts';

/** An edit that may be blamed: its field that explains best, and the other fields of the same edit that could have done it. */
export type Edit = Change & { readonly also?: readonly ChangeField[] };

/** An edit as an explanation tells it. */
export function blamedChange({ certain, was: _, ...change }: Edit): BlamedChange {
  return certain ? change : { ...change, certain };
}

/** Whole containers added or taken away, and what is not known more exactly: each can do what any field of a template can. */
const anything = ['containers', 'initContainers', 'template'] as const;
/** What the process in a container is, reads and may do; the most direct first. */
const process = [
  ...(['image', 'command', 'args', 'env', 'envFrom', 'volumeMounts', 'volumes', 'securityContext'] as const),
  ...(['resources', 'serviceAccountName', 'ports', 'hostNetwork', 'lifecycle', 'runtimeClassName'] as const),
  ...anything,
];
/** What the scheduler reads (kube-scheduler's filter plug-ins). */
const placement = [
  ...(['resources', 'nodeSelector', 'affinity', 'tolerations', 'topologySpreadConstraints', 'volumes'] as const),
  ...(['ports', 'hostNetwork', 'priorityClassName', 'runtimeClassName'] as const),
  ...anything,
];
const pull = ['image', 'imagePullPolicy', 'imagePullSecrets', 'serviceAccountName', ...anything] as const;
const creation = [
  ...(['env', 'envFrom', 'volumeMounts', 'volumes', 'securityContext', 'image', 'command'] as const),
  ...(['serviceAccountName', 'runtimeClassName', ...anything] as const),
];
/** What a kubelet does before any container of a Pod begins: no image has a part in it. */
const mounting = [
  ...(['volumes', 'volumeMounts', 'securityContext', 'serviceAccountName', 'runtimeClassName', 'hostNetwork'] as const),
  ...anything,
];
/** What kubelets ask containers. */
const probes = ['readinessProbe', 'livenessProbe', 'startupProbe'] as const;
const running = [...process, 'startupProbe', 'livenessProbe'] as const;
const memory = ['resources', ...process.filter((field) => field !== 'resources')] as const;

/**
 * Which fields of a workload an edit must have touched to be why its new Pods fail so, the most direct first. A reason that
 * is not here no edit of a template explains.
 */
const fieldsByReason: Partial<Record<Reason, readonly ChangeField[]>> = {
  Unschedulable: placement,
  SchedulerError: placement,
  ImagePullBackOff: pull,
  ImageNotFound: pull,
  ImagePullDenied: pull,
  InvalidImageName: pull,
  ErrImageNeverPull: pull,
  ImageInspectError: pull,
  SignatureValidationFailed: pull,
  CreateContainerConfigError: creation,
  CreateContainerError: creation,
  ContainerCreating: [...mounting, 'image'],
  FailedMount: mounting,
  FailedAttachVolume: [...mounting, 'image'],
  FailedMapVolume: mounting,
  FailedCreatePodSandBox: ['runtimeClassName', 'hostNetwork', 'securityContext', ...anything],
  PodAdmissionRejected: ['securityContext', ...placement],
  PostStartHookError: ['lifecycle', ...process],
  ContainerError: running,
  ProbeMisconfigured: [...probes, 'ports', ...process],
  LivenessProbeFailed: ['livenessProbe', ...process],
  ReadinessProbeFailed: ['readinessProbe', ...process, 'livenessProbe', 'startupProbe'],
  ReadinessFlapping: ['readinessProbe', ...process],
  Evicted: ['resources', 'volumes', 'volumeMounts', 'image', ...anything],
  InitContainerWaiting: running,
  InitContainerError: running,
  StartError: running,
  CrashLoopBackOff: running,
  PodFailed: running,
  OOMKilled: memory,
  StartupProbeFailed: ['startupProbe', ...process],
  PodNotReady: ['readinessProbe', ...process, 'livenessProbe', 'startupProbe'],
  // All that is left of it has never been ready, or was never placed.
  DeploymentUnavailable: ['readinessProbe', ...running, ...placement],
  StatefulSetUnavailable: ['readinessProbe', ...running, ...placement],
  // A rollout that hangs without a failing Pod: it is not placed, or does not become ready.
  ProgressDeadlineExceeded: ['readinessProbe', ...running, ...placement],
  ReleaseRegression: ['readinessProbe', ...running],
  ExternalAlert: running,
};

/** What has rows of its own. */
const ofWorkloads: readonly Reason[] = [
  ...(['ProgressDeadlineExceeded', 'ReleaseRegression', 'DeploymentUnavailable', 'StatefulSetUnavailable'] as const),
  'ExternalAlert',
];

/** Reasons of Pods that an edit of their template can explain. */
export const broughtByTemplate: readonly Reason[] = (Object.keys(fieldsByReason) as Reason[]).filter(
  (reason) => !ofWorkloads.includes(reason),
);

/** The same of what stands before workloads: nobody answers behind one without replicas. */
const fieldsBehind: Partial<Record<Reason, readonly ChangeField[]>> = {
  WebhookNoEndpoints: ['replicas'],
  APIServiceUnavailable: ['replicas'],
};

function fieldsFor({ reason, facts }: Finding): readonly ChangeField[] {
  const fields = fieldsByReason[reason] ?? fieldsBehind[reason] ?? [];
  if (facts.killingProbe === undefined) return fields;
  // As far as can be told without Events the kubelet ended it for its probe.
  return ['livenessProbe', 'startupProbe', ...fields.filter((field) => !/^(?:liveness|startup)Probe$/.test(field))];
}

/** Failures of a container that only its own fields, or those of the Pod, bring about. A crash may come of a sidecar. */
const ownOnly = new Set<Family>(['image', 'config']);

/** Fields of what workloads use, or what decides about their traffic: each can bring about what its rule names. */
const ofOthers: readonly ChangeField[] = ['data', 'creation', 'policy', 'selector'];

/** Whether two images are of one repository: whoever may pull one tag of it may pull all of them. */
const isSameRepository = (from: string, to: string): boolean =>
  repositoryOf(from) === repositoryOf(to) && registryHost(from) === registryHost(to);

/** Whether another image has no part in what failed: who is let in by a registry, or what else than the old Pod holds a volume. */
function isOtherImage({ reason, detail = '' }: Finding, { field, from, to }: Change): boolean {
  if (field !== 'image') return false;
  if (reason === 'ImagePullDenied') return from !== undefined && to !== undefined && isSameRepository(from, to);
  return reason === 'FailedAttachVolume' && !detail.includes('Multi-Attach');
}

/** Fields of one edit lie at most this far apart. */
const sameEditMs = 1000;

/**
 * The edit of a workload that could have brought about the effect: of the newest that touched a field which can, the field
 * that does so most directly. `undefined`: no edit did. Edits that are not of a template (`data` of a ConfigMap) are taken
 * as they are. `fields`: those that can, where these do not follow from the effect. `tells`: what the program says fits this one.
 */
export function blamedEdit(
  changes: readonly Change[],
  effect: Finding,
  fields: readonly ChangeField[] = [...ofOthers, ...fieldsFor(effect)],
  tells: (change: Change) => boolean = () => false,
): Edit | undefined {
  const isOther = ({ container }: Change): boolean =>
    container !== undefined && effect.scope !== undefined && container !== effect.scope;
  const fitting = changes.filter(
    (change) =>
      fields.includes(change.field) &&
      !(isOther(change) && ownOnly.has(familyOf(effect.reason))) &&
      !isOtherImage(effect, change),
  );
  const newest = fitting.reduce<Change | undefined>((a, b) => (a === undefined || b.at > a.at ? b : a), undefined);
  if (newest === undefined) return undefined;
  const together = fitting
    .filter(({ at }) => newest.at - at <= sameEditMs)
    .sort(
      (a, b) =>
        Number(tells(b)) - Number(tells(a)) ||
        Number(isOther(a)) - Number(isOther(b)) ||
        fields.indexOf(a.field) - fields.indexOf(b.field),
    );
  const [first = newest, ...others] = together;
  const also = [...new Set(others.map(({ field }) => field))].filter(
    (field) => field !== first.field && field !== 'template',
  );
  return also.length === 0 ? first : { ...first, also };
}
