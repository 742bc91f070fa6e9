import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** Programs that are given these Secrets end at 1 with the same words. */
const story =
  (secrets: Readonly<Record<string, string>>): Story['tell'] =>
  (k8s) => {
    const pod = (name: string, parts: object) => {
      const envFrom = [{ secretRef: { name: secrets[name] } }];
      return podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', envFrom }] }, ...parts });
    };
    const names = Object.keys(secrets);
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), pod(name, {})]));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => pod(name, saying(long, at(1), 'Ledger is torn.'))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'shares-what-fails',
  shows: {
    what: 'two workloads end with the same words, and use one Secret',
    tell: story({ api: 'licence', web: 'licence' }),
    told: ['Secret/shop/licence SecretUsersFailing 3'],
  },
  not: {
    what: 'each of them uses a Secret of its own',
    tell: story({ api: 'licence', web: 'mail' }),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
