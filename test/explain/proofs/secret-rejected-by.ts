import { service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

/** Programs with these Secrets are turned away by one database at 1. */
const story =
  (secrets: Readonly<Record<string, string>>): Story['tell'] =>
  (k8s) => {
    const pod = (name: string, parts: object) => {
      const envFrom = [{ secretRef: { name: secrets[name] } }];
      return podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', envFrom }] }, ...parts });
    };
    const names = Object.keys(secrets);
    k8s.put(long, ...twoNodes, service('db', { createdAt: long }));
    k8s.put(long, ...names.flatMap((name) => [...app(name), pod(name, {})]));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => pod(name, saying(long, at(1), said.rejected('db')))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'secret-rejected',
  shows: {
    what: 'a database rejects what two workloads take from one Secret, and a third that has it from a copy',
    tell: story({ api: 'db', web: 'db', cart: 'copy' }),
    told: ['Secret/shop/db SecretRejected 5'],
  },
  not: {
    what: 'a database rejects two workloads with a Secret each',
    tell: story({ api: 'db-api', web: 'db-web' }),
    told: ['Service/shop/db ServiceRefusing 3'],
  },
};
