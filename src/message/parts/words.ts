import { describeRef, kindOf, nameOf, type Ref } from '../../model/ref.ts';

/** `1 pod`, `3 pods`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** `Both replicas`, `All 3 replicas`. */
export function all(number: number, singular: string): string {
  return number === 2 ? `Both ${singular}s` : `All ${count(number, singular)}`;
}

/** `a`, `a and b`, `a, b and c`; with more than `max`: `a, b, c and 4 more`. */
export function list(items: readonly string[], max = items.length): string {
  const shown = items.slice(0, max);
  const parts = items.length > shown.length ? [...shown, `${items.length - shown.length} more`] : shown;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The first letter in upper case. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Objects people deploy: the kinds that own Pods, and Pods themselves. */
const workloadKinds = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'ReplicationController',
  'Job',
  'CronJob',
]);

/** Whether the object is a workload, so that its failing pods are the problem itself and not its consequence. */
export function isWorkload(ref: Ref): boolean {
  const kind = kindOf(ref);
  // Kinds of other groups are known for what they own.
  return workloadKinds.has(kind) || kind.includes('.');
}

/** Virtual objects, named as people say it. */
const spoken: ReadonlyMap<string, string> = new Map([
  ['Registry', 'The image registry'],
  ['ExternalEndpoint', 'The external address'],
  ['NodePool', 'The node pool'],
  ['Sentence', 'The last line'],
  ['Signer', 'The signer'],
  ['ValidatingWebhookConfiguration', 'The validating webhook'],
  ['MutatingWebhookConfiguration', 'The mutating webhook'],
]);

/** Objects that stand for a part of the control plane or for the cluster: people know the part, not the object. */
const knownParts: ReadonlyMap<string, string> = new Map([
  ['APIServer kube-apiserver', 'The API server'],
  ['Cluster events', 'The cluster'],
  ['Cluster nodes', 'The cluster'],
  ['ConfigMap cluster-autoscaler-status', 'The cluster autoscaler'],
  ['Lease kube-controller-manager', 'The controller manager'],
  ['Lease kube-scheduler', 'The scheduler'],
  ['Tocsin tocsin', 'Tocsin'],
]);

/** The object as the subject of a sentence: `Deployment shop/api`, `The image registry ghcr.io`. */
export function subjectOf(ref: Ref): string {
  const words = spoken.get(kindOf(ref));
  const known = knownParts.get(`${kindOf(ref)} ${nameOf(ref)}`);
  if (known !== undefined) return known;
  return words === undefined ? describeRef(ref) : `${words} ${nameOf(ref)}`;
}

/** The object elsewhere than at the beginning of a sentence: `the image registry ghcr.io`. */
export function objectOf(ref: Ref): string {
  return subjectOf(ref).replace(/^The /, 'the ');
}

const ordinals = ['th', 'st', 'nd', 'rd'];

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 20;
  return `${number}${(teen ? undefined : ordinals[number % 10]) ?? 'th'}`;
}
