import { at, autoscaler, condition } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

/** Two autoscalers scale nothing, as the controller says of the Pods of each. */
const story =
  (says: (name: string) => string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b'));
    k8s.put(long, autoscaler('api', { createdAt: long }), autoscaler('old', { createdAt: long }));
    k8s.wait(at(0));
    for (const name of ['api', 'old']) {
      const ambiguous = condition('ScalingActive', 'False', at(1), 'AmbiguousSelector', says(name));
      k8s.put(at(1), autoscaler(name, { createdAt: long, conditions: [ambiguous] }));
    }
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'two autoscalers scale the same Pods',
    tell: story(() => 'pods by selector app=api are controlled by multiple HPAs: [shop/old shop/api]'),
    told: ['HorizontalPodAutoscaler/shop/api AmbiguousSelector 2'],
  },
  not: {
    what: 'each has a rival of its own',
    tell: story(
      (name) => `pods by selector app=${name} are controlled by multiple HPAs: [shop/${name} shop/${name}-2]`,
    ),
    told: [
      'HorizontalPodAutoscaler/shop/api AmbiguousSelector 1',
      'HorizontalPodAutoscaler/shop/old AmbiguousSelector 1',
    ],
  },
};
