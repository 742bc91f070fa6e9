import { kindNameOf, kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { CustomCondition, CustomResourceView } from '../../world/reading/custom-resource.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { controllersNamed, downSince } from '../kit/controllers.ts';
import { denierIn } from '../kit/deniers.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { namespaceGoes } from '../kit/exemptions.ts';
import { missingSettings, obstaclesIn } from '../kit/missing.ts';
import { type CustomPolarity, customRow } from './custom-conditions.ts';

/** What cannot pass by itself is told after this. */
const finalSeconds = 15;
/** What a status says in one word instead of a condition. */
const phaseSeconds = 120;

/** What is wrong, from which instant, before any patience. */
type Fault = {
  readonly condition: string;
  readonly since: number;
  readonly detail: string;
  readonly because?: string;
  readonly isFinal?: boolean;
  /** It was tried and came to its end: that is no first reconciliation under way. */
  readonly hasEnded?: true;
  readonly forSeconds: number;
};

/** Whether a condition is bad now, of the spec as it is. */
function isBad(condition: CustomCondition, polarity: CustomPolarity, generation: number): boolean {
  if (condition.status !== polarity.bad || (condition.observedGeneration ?? generation) < generation) return false;
  return !(polarity.except?.includes(condition.reason) ?? false);
}

/** The first bad condition in the order of the table: one problem of one object is told once. */
function byCondition({ ref, apiVersion, conditions, generation }: CustomResourceView): Fault | undefined {
  const { conditions: polarities, forSeconds = 120 } = customRow(apiVersion, kindNameOf(ref));
  for (const polarity of polarities) {
    const condition = conditions.find(({ type }) => type === polarity.type);
    if (!condition || !isBad(condition, polarity, generation)) continue;
    const { type, since, message, reason } = condition;
    return {
      ...{ condition: type, since, detail: message, forSeconds },
      ...given({ because: reason || undefined, isFinal: polarity.isFinal }),
    };
  }
  return undefined;
}

/** Argo CD: what it says of the health of what it applied, and of the last time it applied it. */
function ofApplication({ health, operation, createdAt }: CustomResourceView): Fault | undefined {
  const failed = operation?.phase === 'Failed' || operation?.phase === 'Error';
  if (failed)
    return {
      ...{ condition: 'operation', since: operation.since ?? createdAt, detail: operation.message },
      ...{ because: operation.phase, forSeconds: phaseSeconds, hasEnded: true },
    };
  if (health?.status !== 'Degraded' && health?.status !== 'Missing') return undefined;
  const since = health.since ?? Number.NaN;
  return { condition: 'health', since, detail: health.message, because: health.status, forSeconds: phaseSeconds };
}

/** Argo Rollouts: `Degraded` is a rollout that was aborted or came to nothing in time. */
function ofRollout({ phase, message = '' }: CustomResourceView): Fault | undefined {
  if (phase !== 'Degraded') return undefined;
  return { condition: 'phase', since: Number.NaN, detail: message, because: phase, forSeconds: 60 };
}

/** Kinds whose status says in one word what others say in conditions. */
const byKind: Readonly<Record<string, (object: CustomResourceView) => Fault | undefined>> = {
  'argoproj.io Application': ofApplication,
  'argoproj.io Rollout': ofRollout,
};

/** Never good since it was made: its first reconciliation may take its time. */
function isFirst({ createdAt }: CustomResourceView, { since }: Fault, firstMs: number): boolean {
  return since - createdAt < firstMs;
}

/** Phases of what is to be there for good: of a run, `Failed` is an end like others. */
const badPhases: ReadonlySet<string> = new Set(['Unavailable', 'Unhealthy', 'Degraded']);

/** What says in one word, and in no condition, how it is: a BackupStorageLocation of Velero. */
function byPhase({ phase = '', conditions, message = '' }: CustomResourceView): Fault | undefined {
  if (conditions.length > 0 || !badPhases.has(phase)) return undefined;
  return { condition: 'phase', since: Number.NaN, detail: message, because: phase, forSeconds: phaseSeconds };
}

function faultOf(object: CustomResourceView): Fault | undefined {
  const [group = ''] = object.apiVersion.split('/');
  return byCondition(object) ?? (byKind[`${group} ${kindNameOf(object.ref)}`] ?? byPhase)(object);
}

/** API server, admission plug-in NamespaceLifecycle. */
const intoNamespace = /unable to create new content in namespace ([a-z0-9-]{1,63}) because it is being terminated/;

/** The namespace that a status says nothing can be made in, if it is being deleted. */
function goingNamespace(detail: string, world: ObservedWorld): readonly Ref[] {
  const name = intoNamespace.exec(detail)?.[1] ?? '';
  return namespaceGoes(name, world) ? [refOf('Namespace', '', name)] : [];
}

/** That somebody did not answer a controller, in the words of Go. */
const unanswered = /connection refused|timed? ?out|deadline exceeded|no such host|no route to host|unavailable/i;
const serviceHost = /\b([a-z0-9][a-z0-9-]{0,62})\.([a-z0-9][a-z0-9-]{0,62})\.svc\b/g;

/** The Services that a status says not to have answered. */
function silentServices(detail: string, world: ObservedWorld): readonly Ref[] {
  if (!unanswered.test(detail)) return [];
  const services = [...detail.matchAll(serviceHost)].map(([, name = '', namespace]) =>
    refOf('Service', namespace, name),
  );
  return [...new Set(services)].filter((ref) => typeof world.get(ref) === 'object');
}

/**
 * What a status names as the obstacle: Services that did not answer, webhooks that could not be called, a namespace that is being deleted, and its controller where
 * that was down before.
 */
function obstacles(
  { ref, statusBy }: CustomResourceView,
  { detail, since }: Fault,
  world: ObservedWorld,
): readonly Ref[] {
  const webhooks = obstaclesIn(detail, namespaceOf(ref), world).filter((name) =>
    kindOf(name).endsWith('WebhookConfiguration'),
  );
  const going = goingNamespace(detail, world);
  const settings = missingSettings(detail, namespaceOf(ref));
  return [
    ...webhooks,
    ...(settings && typeof world.get(settings) !== 'object' ? [settings] : []),
    ...going,
    ...silentServices(detail, world),
    ...denierIn(detail, world),
    ...(Number.isNaN(since) ? [] : downSince(controllersNamed(statusBy, world), since, world)),
  ];
}

/** Pods that use a Secret and are asked whether they wait for it, and makers of Secrets that are asked whom they make them for. */
const [usersAsked, makersAsked] = [8, 50];
/** A Pod that has waited for so long (ms) waits for what is not made by itself the next moment: less than its own finding takes. */
const waitsMs = 20_000;
/** How often a Pod that has not begun is asked whether it waits for it (ms): that is to be known before people are told of the Pod. */
const asksEveryMs = 5_000;

/** A Pod that has not begun, and a Secret that it uses. */
type Beginning = { readonly secret: Ref; readonly pod: PodView };

/** The Secrets that it makes, or that is made from it: by what refers to it, such as the ExternalSecrets of a store. */
function madeFrom({ ref, makes }: CustomResourceView, world: ObservedWorld): Ref[] {
  if (makes !== undefined) return [makes];
  return [...world.linked(ref, 'uses', 'in', makersAsked)].flatMap((maker) => {
    const view = world.get(maker);
    return typeof view === 'object' && view.kind === 'CustomResource' ? (view.makes ?? []) : [];
  });
}

/** The Pods that use what is made and have not begun: a controller that has not made it yet is not given its time once they wait for it. */
function beginning(object: CustomResourceView, world: ObservedWorld): Beginning[] {
  return madeFrom(object, world).flatMap((secret) =>
    [...world.linked(secret, 'uses', 'in', usersAsked)].flatMap((user) => {
      const pod = world.get(user);
      return typeof pod === 'object' && pod.kind === 'Pod' && pod.phase === 'Pending' ? [{ secret, pod }] : [];
    }),
  );
}

/** Whether kubelets say that a Pod cannot begin for want of a Secret: of its variables, or of its volumes. */
function waitsFor(secret: Ref, { ref, containers, startedAt }: PodView, world: ObservedWorld, now: number): boolean {
  if (now - (startedAt ?? now) < waitsMs) return false;
  const says = `secret "${nameOf(secret)}" not found`;
  return (
    containers.some(({ waiting }) => waiting?.message.includes(says)) ||
    world.events(ref).some(({ reason, message }) => reason === 'FailedMount' && message.includes(says))
  );
}

function judge(object: CustomResourceView, world: ObservedWorld, now: number): false | Problem {
  const fault = faultOf(object);
  if (!fault) return false;
  const names = obstacles(object, fault, world);
  const problem = { ...problemOf(object, fault), ...(names.length > 0 && { names }) };
  const users = beginning(object, world);
  if (users.length === 0) return problem;
  return users.some(({ secret, pod }) => waitsFor(secret, pod, world, now))
    ? { ...problem, forSeconds: finalSeconds }
    : { ...problem, lookAgainAt: now + asksEveryMs };
}

function problemOf(object: CustomResourceView, fault: Fault): Problem {
  const { firstSeconds = 600 } = customRow(object.apiVersion, kindNameOf(object.ref));
  const { condition, since, detail, because, isFinal = false, hasEnded = false, forSeconds } = fault;
  const facts = { condition, ...given({ because }) };
  if (isFinal) return { since, forSeconds: finalSeconds, settle: 'conclusive', detail, facts };
  if (Number.isNaN(since)) return { since: 'observed', forSeconds, detail, facts };
  const untilFirst = (object.createdAt - since) / 1000 + firstSeconds;
  const waits =
    !hasEnded && isFirst(object, fault, firstSeconds * 1000) ? Math.max(forSeconds, untilFirst) : forSeconds;
  return { since, forSeconds: waits, detail, facts };
}

const customResourceFailing = detector({
  id: 'G3',
  judges: 'CustomResource',
  edition: 'Pro',
  reasons: [{ reason: 'CustomResourceFailing', family: 'consequence', sure: 'likely' }],
  severity: 'medium',
  exemptions: ['terminating', 'paused', 'unobserved'],
  symptom: 'custom',
  source:
    'status.conditions of custom resources by one table of polarities (Flux, Argo CD and Rollouts, cert-manager, Knative, Crossplane, Cluster API, KEDA, Karpenter, External Secrets, Prometheus operator, Strimzi, CloudNativePG, Rook); of others Ready, Available, Synced, Reconciled, Healthy, Programmed, Accepted False, and Degraded, Stalled, Failed True; status.health and operationState of an Argo CD Application, status.phase of a Rollout; of what has no conditions the phases Unavailable, Unhealthy and Degraded',
  predicate:
    'its controller has said for 2 to 10 min that it is not as it should be; of what cannot pass by itself (Stalled, an invalid spec) for 15 s',
  clears: 'its controller says that it is good, or says nothing of the kind any more',
  patience:
    'controllers try again; the first reconciliation of what was just made may take 10 min, of what is made in a cloud 30 min; while Pods cannot begin for want of the Secret that it makes, or that is made from it, none',
  isNot:
    'an unknown condition type (evidence at most); a status of an older spec; what is suspended or paused; what only waits for another one that is reported',
  judge,
});

/** Custom resources by what their controllers say of them. */
export const customDetectors: readonly Detector[] = [customResourceFailing];
