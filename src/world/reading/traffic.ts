import { kindNameOf, kindOf, type Ref } from '../../model/ref.ts';
import { type Fields, fieldsOf, listOf, textOf } from './fields.ts';
import { type LabelSelector, mapSelectorOf } from './label-selector.ts';
import { policySelectorOf } from './policy-selector.ts';

/** Whose traffic an object of a mesh or of a network plug-in decides about. */
export type Traffic = {
  /** Pods with these labels; absent: all of its namespace, where it names no host. */
  readonly selector?: LabelSelector;
  /** Pods of namespaces with these labels. */
  readonly namespaces?: LabelSelector;
  /** Those behind these names. */
  readonly hosts: readonly string[];
};

/** Groups of meshes and network plug-ins. */
const groups =
  /(?:^|\.)(?:istio|cilium|linkerd|kuma|traefik|antrea)\.io$|(?:^|\.)consul\.hashicorp\.com$|(?:^|\.)projectcalico\.org$/;
/** What kinds are called that decide about traffic, and not about certificates, gateways or themselves. */
const kinds =
  /^(?!Staged).{0,100}(?:Policy|Authentication|Authorization|DestinationRule|VirtualService|ServiceEntry|Sidecar|Filter|Middleware|Intentions|Permission|Server)$/;

/** Where specs name the Pods that they are for. */
const selectorFields = ['selector', 'endpointSelector', 'podSelector', 'appliedTo'] as const;

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Whose traffic a custom resource decides about; `undefined`: nobody's. */
export function trafficOf(ref: Ref, spec: Fields): Traffic | undefined {
  const name = kindNameOf(ref);
  if (!groups.test(kindOf(ref).slice(name.length + 1)) || !kinds.test(name)) return undefined;
  const field = selectorFields.find((each) => isGiven(spec[each]));
  const selector = field === undefined ? undefined : policySelectorOf(spec[field]);
  const namespaces = policySelectorOf(spec.namespaceSelector);
  const workloads = mapSelectorOf(fieldsOf(spec.workloadSelector).labels);
  const host = textOf(spec.host);
  const hosts = [...(host === undefined ? [] : [host]), ...textsIn(spec.hosts), ...targetsOf(spec)];
  const is = selector ?? workloads;
  return { hosts, ...(is && { selector: is }), ...(namespaces && { namespaces }) };
}

const isGiven = (selector: unknown): boolean =>
  typeof selector === 'string' || Object.keys(fieldsOf(selector)).length > 0;

/** Services that a policy names as what it is for (Gateway API policy attachment). */
const targetsOf = ({ targetRef, targetRefs }: Fields): readonly string[] =>
  [fieldsOf(targetRef), ...listOf(targetRefs)].flatMap(({ kind, name }) =>
    kind === 'Service' ? (textOf(name) ?? []) : [],
  );
