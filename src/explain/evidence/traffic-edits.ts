import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import type { CustomResourceView } from '../../world/reading/custom-resource.ts';
import { selects } from '../../world/reading/label-selector.ts';
import { namespaceKeys } from '../../world/reading/policy-selector.ts';
import { fanOut, siblingsAsked } from '../../world/view/bounds.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { saysOf } from './says.ts';
import { podView } from './workload.ts';

/** What is in the namespace of a mesh itself is for all namespaces. */
const ofTheMesh = /^(?:istio-system|linkerd|kuma-system|consul)$/;

/** What decides about traffic and was edited lately: few things are, and many fail for them. */
const editedLately = sharedAnswer((_, world): readonly CustomResourceView[] =>
  [...world.editedCustom()].flatMap((ref) => {
    const view = world.get(ref);
    return typeof view === 'object' && view.kind === 'CustomResource' && view.traffic ? [view] : [];
  }),
);
const everything = refOf('Cluster', '', 'traffic');

/** Whether a host of a rule is a Service: by its short name in the namespace of the rule, or by a longer one. */
function isNamed(service: Ref, hosts: readonly string[], from: string): boolean {
  const [name, namespace] = [nameOf(service), namespaceOf(service)];
  const names = [`${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
  return hosts.some((host) => names.includes(host) || (host === name && from === namespace));
}

/** Whether a rule is for a Pod: it is in its namespace or for all, and selects it or all. */
function isFor({ ref, traffic }: CustomResourceView, pod: Ref, world: World): boolean {
  const view = podView(world, pod);
  const home = namespaceOf(ref);
  if (view === undefined || !traffic || traffic.hosts.length > 0) return false;
  const own = namespaceOf(pod);
  if (home !== '' && home !== own && !ofTheMesh.test(home)) return false;
  if (traffic.namespaces && !selects(traffic.namespaces, labelsOfNamespace(own, world))) return false;
  const labels = { ...view.labels, ...Object.fromEntries(namespaceKeys.map((key) => [key, own])) };
  return traffic.selector === undefined || selects(traffic.selector, labels);
}

/** The labels by which a namespace is selected: its own, and its name as Kubernetes and Calico give it to all. */
function labelsOfNamespace(name: string, world: World): Labels {
  const view = world.get(refOf('Namespace', '', name));
  const own = typeof view === 'object' ? view.labels : {};
  return { ...own, 'kubernetes.io/metadata.name': name, 'projectcalico.org/name': name };
}

/**
 * What decides about the traffic between what fails and whom it calls, of meshes and network plug-ins, and was edited lately: for the
 * Services that it is of or names, for the Pods behind them, or for itself.
 */
export function trafficRules(effect: Finding, world: World): readonly Ref[] {
  const edited = editedLately(everything, world);
  if (edited.length === 0) return [];
  const { subject, names } = effect;
  const said = saysOf(effect, world).flatMap(({ to }) => to ?? []);
  // Who does not say whom it calls has it in its template.
  if (said.length === 0) said.push(...world.linked(subject.ref, 'depends-on', 'out', fanOut));
  const services = [subject.ref, ...names, ...said].filter((ref) => kindOf(ref) === 'Service');
  const behind = services.flatMap((service) => [...world.linked(service, 'selects', 'out', siblingsAsked)]);
  const pods = kindOf(subject.ref) === 'Pod' ? [subject.ref, ...behind] : behind;
  return edited
    .filter(
      (rule) =>
        services.some((service) => isNamed(service, rule.traffic?.hosts ?? [], namespaceOf(rule.ref))) ||
        pods.some((pod) => isFor(rule, pod, world)),
    )
    .map(({ ref }) => ref);
}
