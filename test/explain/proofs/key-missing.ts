import { at, configMap } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const says = "couldn't find key region in ConfigMap shop/settings";

/** Pods of these workloads ask for a key that a ConfigMap does not have. */
const story =
  (...names: readonly string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, configMap('settings'), ...names.flatMap((name) => app(name)));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', stuck(at(1), 'CreateContainerConfigError', says))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'several-name',
  shows: {
    what: 'two workloads ask for a key that their ConfigMap does not have',
    tell: story('api', 'web'),
    told: ['ConfigMap/shop/settings CreateContainerConfigError 2'],
  },
  not: {
    what: 'one workload alone may ask for the wrong key',
    tell: story('api'),
    told: ['Deployment/shop/api CreateContainerConfigError 1'],
  },
};
