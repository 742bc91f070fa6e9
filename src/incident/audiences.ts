import type { Explanation } from '../model/explanation.ts';
import type { Audience } from '../model/incident.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { selectorMatches } from '../model/selector.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';

/** The audience of everything in the cluster: the operator's own namespace speaks for it. */
export const wholeCluster: Audience = '';

/** Whom a provider speaks to. */
export function audienceOf(provider: ProviderSettings, settings: Settings): Audience {
  return provider.namespace === settings.operatorNamespace ? wholeCluster : provider.namespace;
}

/** The cluster, then each other namespace that has a provider, by name. */
export function audiencesOf(settings: Settings): Audience[] {
  const own = settings.providers.filter(({ active }) => active.is).map((provider) => audienceOf(provider, settings));
  return [wholeCluster, ...[...new Set(own)].filter((audience) => audience !== wholeCluster).sort()];
}

/**
 * An explanation as an audience may see it: a namespace gets the root's identity and its own objects, no sentence about
 * somebody else's. `undefined`: it does not concern that audience.
 */
export function viewFor(audience: Audience, explanation: Explanation): Explanation | undefined {
  if (audience === wholeCluster) return explanation;
  const own = (ref: Ref): boolean => namespaceOf(ref) === audience;
  const members = explanation.members.filter(({ subject }) => own(subject.ref));
  if (members.length === 0) return undefined;
  const { root, change, samplePod, impact, parts, proof, trace, ...rest } = explanation;
  const rootIsOwn = own(root.ref);
  return {
    ...rest,
    root: rootIsOwn ? root : { ref: root.ref, labels: {}, ...(root.node === undefined ? {} : { node: root.node }) },
    members,
    affected: explanation.affected.filter(({ ref }) => own(ref)),
    workloads: explanation.workloads.filter(own),
    ...(change && own(change.ref) ? { change } : {}),
    ...(samplePod && own(samplePod.ref) ? { samplePod } : {}),
    ...(impact ? { impact: impact.filter(({ ref }) => own(ref)) } : {}),
    ...(parts ? { parts: parts.filter((part) => own(part.root.ref)) } : {}),
    proof: rootIsOwn && members.length === explanation.members.length ? proof : [],
    trace: rootIsOwn ? trace : [],
  };
}

/** Active providers of an audience whose routes pick the incident. Routes are a matter of the Pro edition. */
export function providersFor(audience: Audience, view: Explanation, settings: Settings): ProviderSettings[] {
  return settings.providers.filter(
    (provider) =>
      provider.active.is &&
      audienceOf(provider, settings) === audience &&
      (settings.edition !== 'Pro' ||
        provider.routes === undefined ||
        provider.routes.length === 0 ||
        provider.routes.some((route) => selectorMatches(route, view))),
  );
}
