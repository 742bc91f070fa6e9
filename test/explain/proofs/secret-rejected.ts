import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const words = 'FATAL: password authentication failed for user "app"';

/** Programs that take their password from these Secrets are turned away at 1. */
const story =
  (secrets: Readonly<Record<string, string>>): Story['tell'] =>
  (k8s) => {
    const pod = (name: string, parts: object) => {
      const valueFrom = { secretKeyRef: { name: secrets[name], key: 'password' } };
      const spec = {
        containers: [{ name: 'api', image: 'x', env: [{ name: 'PASSWORD', valueFrom }] }],
        imagePullSecrets: [{ name: 'pull' }],
      };
      return podOf(name, 'a', { spec, ...parts });
    };
    const names = Object.keys(secrets);
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), pod(name, {})]));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => pod(name, saying(long, at(1), words))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the password that two workloads take from one Secret is rejected',
    tell: story({ api: 'db', web: 'db' }),
    told: ['Secret/shop/db SecretRejected 3'],
  },
  not: {
    what: 'two workloads with a password each have only the Secret in common that pulls their images',
    tell: story({ api: 'db', web: 'mail' }),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
