import { describeRef, kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { objectOf } from './words.ts';

/** How a text names objects. */
export type Naming = (ref: Ref) => string;

/** Kinds that go without saying: what everybody calls by its name. */
const nameless: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

/** Kinds as people who work with them say it. */
const shortKinds: ReadonlyMap<string, string> = new Map([
  ['CertificateSigningRequest', 'CSR'],
  ['CustomResourceDefinition', 'CRD'],
  ['ExternalEndpoint', ''],
  ['HorizontalPodAutoscaler', 'HPA'],
  ['MutatingWebhookConfiguration', 'webhook'],
  ['PersistentVolume', 'PV'],
  ['PersistentVolumeClaim', 'PVC'],
  ['PodDisruptionBudget', 'PDB'],
  ['Registry', 'registry'],
  ['ResourceQuota', 'quota'],
  ['ValidatingAdmissionPolicy', 'policy'],
  ['ValidatingAdmissionPolicyBinding', 'policy binding'],
  ['ValidatingWebhookConfiguration', 'webhook'],
  ['VerticalPodAutoscaler', 'VPA'],
]);

/** A text that loses its middle where it is longer than `max` UTF-16 units: both ends of a name tell it from its siblings. */
function withoutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = (max - 1) / 2;
  return `${text.slice(0, Math.ceil(half))}…${text.slice(text.length - Math.floor(half))}`.toWellFormed();
}

/**
 * Names for a title: `shop/payments`, `PVC shop/data`, `Node n1`, none longer than `max` UTF-16 units. `within`: a namespace that is said
 * already, so that its objects are `PVC data`.
 */
export function titleNames(max: number, within = ''): Naming {
  return (ref) => {
    const kind = kindOf(ref);
    const [namespace, name] = [namespaceOf(ref), nameOf(ref)];
    const place = namespace === '' ? name : `${namespace}/${name}`;
    if (nameless.has(kind)) return withoutMiddle(place, max);
    const short = shortKinds.get(kind);
    const text = short === undefined ? objectOf(ref) : `${short} ${place}`.trim();
    return withoutMiddle(within !== '' && namespace === within ? text.replace(place, name) : text, max);
  };
}

/** Names for a sentence: `Deployment shop/payments`. */
export const fullNames: Naming = describeRef;
