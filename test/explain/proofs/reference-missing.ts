import { at, configMap, node, type PodParts } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story } from '../proof.ts';

/** Two workloads need the ConfigMap `app` to start; it goes at 1, and may come back. */
const story =
  (backAt?: number): Story['tell'] =>
  (k8s) => {
    const spec: PodParts['spec'] = { volumes: [{ name: 'config', configMap: { name: 'app' } }] };
    const pods = ['api', 'web'].flatMap((name) => [
      ...app(name),
      podOf(name, 'a', { spec }),
      podOf(name, 'b', { spec }),
    ]);
    k8s.put(long, node('n1', { since: long }), configMap('app'), ...pods);
    k8s.wait(at(0));
    k8s.gone(at(1), configMap('app'));
    if (backAt !== undefined) k8s.put(backAt, configMap('app'));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'names-what-is-missing',
  shows: {
    what: 'a ConfigMap that two workloads need to start is deleted while they run',
    tell: story(),
    told: ['ConfigMap/shop/app ProjectedReferenceMissing 4'],
  },
  not: {
    what: 'it is made anew within a minute',
    tell: story(at(1, 30)),
    told: [],
  },
};
