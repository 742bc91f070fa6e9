import { kustomization } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const healthy = condition('Ready', 'True', long, 'ReconciliationSucceeded');

/** Two Kustomizations fail, each for what its controller says. */
const story =
  (...says: readonly string[]): Story['tell'] =>
  (k8s) => {
    const both = (conditions: (index: number) => object) =>
      ['shop', 'infra'].map((name, index) =>
        kustomization(name, { createdAt: long, conditions: [{ ...conditions(index) }] }),
      );
    k8s.put(long, ...twoNodes, ...both(() => healthy));
    k8s.wait(at(0));
    k8s.put(at(1), ...both((index) => condition('Ready', 'False', at(1), 'ReconciliationFailed', says[index] ?? '')));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-name',
  shows: {
    what: 'two custom resources lack one Secret',
    tell: story('cannot get credentials: secrets "keys" not found', 'decryption failed: Secret "keys" not found'),
    told: ['Secret/shop/keys CustomResourceFailing 2'],
  },
  not: {
    what: 'each refers to another Secret',
    tell: story('secrets "keys" not found', 'secrets "kyes" not found'),
    told: [
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/infra CustomResourceFailing 1',
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/shop CustomResourceFailing 1',
    ],
  },
};
