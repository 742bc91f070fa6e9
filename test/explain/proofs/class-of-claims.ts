import { at } from '../../world/objects.ts';
import { event, unbound } from '../../world/storage-objects.ts';
import { long, type Proof, type Story } from '../proof.ts';
import { began, shop, told } from '../storage-proof.ts';

/** Claims whose volumes cannot be made. */
const story =
  (...names: readonly string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...shop);
    k8s.wait(at(0));
    const claims = names.map((name) => unbound(name, { createdAt: began }));
    const failures = claims.map((claim) => event(claim, 'ProvisioningFailed', 'rpc error: no space', began));
    k8s.put(began, ...claims, ...failures);
    k8s.wait(told);
  };

export const proof: Proof = {
  rule: 'several-name',
  shows: {
    what: 'no volume of a class can be made for two claims',
    tell: story('api', 'web'),
    told: ['StorageClass//fast ProvisioningFailed 2'],
  },
  not: {
    what: 'one claim alone may ask for what cannot be had',
    tell: story('api'),
    told: ['PersistentVolumeClaim/shop/api ProvisioningFailed 1'],
  },
};
