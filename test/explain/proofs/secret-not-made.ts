import { custom } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** A new Pod waits for the Secret `database`; a sealed one of this name, an hour old, cannot be opened since the same time. */
const story =
  (name: string): Story['tell'] =>
  (k8s) => {
    const sealed = (status: 'True' | 'False', since: number) =>
      custom('bitnami.com/v1alpha1', 'SealedSecret', name, {
        createdAt: long,
        conditions: [condition('Synced', status, since, 'Unsealed', 'no key could decrypt secret')],
      });
    k8s.put(long, ...twoNodes, ...app('api'), sealed('True', long));
    k8s.wait(at(0));
    k8s.put(at(1), sealed('False', at(1)));
    k8s.put(at(1), podOf('api', 'a', stuck(at(1), 'CreateContainerConfigError', 'secret "database" not found')));
    k8s.wait(at(20));
  };

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'the Secret that a Pod waits for is not made, as nobody can open what it is made from',
    tell: story('database'),
    told: ['SealedSecret.bitnami.com/shop/database CustomResourceFailing 3'],
  },
  not: {
    what: 'what cannot be opened is another Secret',
    tell: story('mail'),
    told: ['SealedSecret.bitnami.com/shop/mail CustomResourceFailing 1', 'Secret/shop/database SecretMissing 2'],
  },
};
