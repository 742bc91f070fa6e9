import { type Ref, refOf } from '../../../src/model/ref.ts';
import type { Behaviour } from './hands.ts';
import { split } from './manifests.ts';
import type { ClusterBuilder } from './scenario.ts';

/** A workload that needs something: what it does without it, and where its environment says that it looks for it. */
export type Dependant = {
  readonly does: Behaviour;
  readonly values?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
};

/** The image of a dependant. */
export const imageOf = (place: string): string => `registry.acme.example/${split(place).name}:7`;

/**
 * Healthy Deployments of two Pods each, by place, which do as they are told from a moment on. Returns their refs, for what must not be
 * blamed.
 */
export function dependants(
  cluster: ClusterBuilder,
  when: string,
  places: Readonly<Record<string, Dependant>>,
): readonly Ref[] {
  for (const [place, { does, ...rest }] of Object.entries(places)) {
    cluster.deployment(place, { replicas: 2, image: imageOf(place), ...rest });
    cluster.at(when, () => cluster.befall(imageOf(place), does));
  }
  return Object.keys(places).map((place) => {
    const { namespace, name } = split(place);
    return refOf('Deployment', namespace, name);
  });
}
