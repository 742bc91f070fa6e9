import { ingress, ingressClass } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

/** Two Ingresses of these classes, none of which is there. */
const story =
  (...classes: readonly string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ingressClass('public'));
    k8s.wait(at(0));
    for (const [index, name] of ['web', 'docs'].entries())
      k8s.put(at(1), ingress(name, { createdAt: at(1), backends: [], addressed: false, ingressClass: classes[index] }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-name-what-is-missing',
  shows: {
    what: 'two Ingresses ask for one class that is not there',
    tell: story('nginx', 'nginx'),
    told: ['IngressClass//nginx IngressClassMissing 2'],
  },
  not: {
    what: 'each asks for another',
    tell: story('nginx', 'ngnix'),
    told: ['Ingress/shop/docs IngressClassMissing 1', 'Ingress/shop/web IngressClassMissing 1'],
  },
};
