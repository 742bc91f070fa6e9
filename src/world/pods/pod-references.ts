import { nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { Multimap } from '../reading/multimap.ts';
import type { PodTemplate } from '../reading/pod-template.ts';
import { registryHost } from './image.ts';
import { type PodRecord, podNameMark, type Siblings, withClaimsOf } from './pod-record.ts';

/** Objects that templates refer to by name. */
export type ReferenceType = 'uses' | 'mounts' | 'pulls' | 'depends-on' | 'asks';

const referenceTypes: readonly ReferenceType[] = ['uses', 'mounts', 'pulls', 'depends-on', 'asks'];

/** Everything a shared template refers to; claims may still hold the mark of the Pod's name. */
function targetsOf(template: PodTemplate, namespace: string, type: ReferenceType): Ref[] {
  switch (type) {
    case 'uses':
      return [
        ...template.secrets.map((name) => refOf('Secret', namespace, name)),
        ...template.configMaps.map((name) => refOf('ConfigMap', namespace, name)),
        ...(template.resourceClaims ?? []).map((name) => refOf('ResourceClaim', namespace, name)),
      ];
    case 'mounts':
      return template.claims.map((name) => refOf('PersistentVolumeClaim', namespace, name));
    case 'pulls':
      return [...new Set(template.containers.map(({ image }) => refOf('Registry', '', registryHost(image))))].sort();
    case 'depends-on':
      return (template.services ?? []).map((service) => serviceRef(service, namespace));
    case 'asks':
      return (template.hosts ?? []).map((host) => refOf('ExternalEndpoint', '', host));
  }
}

/** A Service as a template names it, `db` or `db.data`. */
export function serviceRef(service: string, namespace: string): Ref {
  const at = service.indexOf('.');
  return at < 0 ? refOf('Service', namespace, service) : refOf('Service', service.slice(at + 1), service.slice(0, at));
}

/** What a Pod's template refers to. */
export function referencesOf({ ref, siblings }: PodRecord, type: ReferenceType): readonly Ref[] {
  return targetsOf(withClaimsOf(ref, siblings.template), namespaceOf(ref), type);
}

/** What the index holds of siblings: claims made for one Pod alone are found by its name. */
function* indexedTargets({ template, namespace }: Siblings): Iterable<Ref> {
  for (const type of referenceTypes)
    for (const target of targetsOf(template, namespace, type)) if (!target.includes(podNameMark)) yield target;
}

/**
 * The Pods that a claim can be made for alone, by its name, and how their template marks it then: such claims are not indexed, and hold the
 * name of their Pod.
 */
export function* podsNamedIn(claim: Ref): Iterable<{ readonly pod: Ref; readonly marked: string }> {
  const [namespace, name] = [namespaceOf(claim), nameOf(claim)];
  const dashes = [...name.matchAll(/-/g)].map(({ index }) => index);
  for (const start of [0, ...dashes.map((at) => at + 1)])
    for (const end of [...dashes, name.length])
      if (end > start)
        yield {
          pod: refOf('Pod', namespace, name.slice(start, end)),
          marked: `${name.slice(0, start)}${podNameMark}${name.slice(end)}`,
        };
}

/** Whose templates refer to an object: an index by target, but for claims made for one Pod alone. */
export class ReferenceIndex {
  readonly #byTarget = new Multimap<Ref, Siblings>();

  /** The siblings whose template refers to an object. */
  referring(target: Ref): Iterable<Siblings> {
    return this.#byTarget.get(target);
  }

  /** The first Pod of these siblings came. */
  add(siblings: Siblings): void {
    for (const target of indexedTargets(siblings)) this.#byTarget.add(target, siblings);
  }

  /** The last Pod of these siblings went. */
  remove(siblings: Siblings): void {
    for (const target of indexedTargets(siblings)) this.#byTarget.remove(target, siblings);
  }
}
