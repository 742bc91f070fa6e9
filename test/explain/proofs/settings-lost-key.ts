import { at, configMap, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'settings' } }] }] };
const holds = (manager: string, time: number, ...keys: readonly string[]) =>
  configMap('settings', {
    createdAt: long,
    managedFields: [managed(manager, time, { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) })],
  });

/** The ConfigMap `settings` loses a key at 1; a release of 42 lacks `DATABASE_URL`. */
const story =
  (lost: string): Story['tell'] =>
  (k8s) => {
    const keys = ['DATABASE_URL', 'LEVEL', 'POOL'];
    k8s.put(long, ...twoNodes, ...app('api'), holds('kubectl-create', long, ...keys), podOf('api', 'a', { spec }));
    k8s.wait(at(0));
    k8s.put(at(1), holds('kubectl-edit', at(1), ...keys.filter((key) => key !== lost)));
    const [deployment] = app('api', { image: 'registry.example/shop/api:2', generation: 2 });
    if (deployment) k8s.put(at(42), deployment);
    k8s.put(at(42), replicaSet('api', 2, { createdAt: at(42), replicas: 1 }));
    k8s.put(at(43), podOf('api', 'b', { spec, revision: 2, ...saying(at(42), at(43), said.variable) }));
    k8s.wait(at(45));
  };

export const proof: Proof = {
  shows: {
    what: 'a program lacks the variable that was a key of its ConfigMap until forty minutes ago',
    tell: story('DATABASE_URL'),
    told: ['ConfigMap/shop/settings CrashLoopBackOff 1, data edited'],
  },
  not: {
    what: 'the ConfigMap lost another key, and the release wants a variable',
    tell: story('POOL'),
    told: ['Deployment/shop/api CrashLoopBackOff 1, image edited'],
  },
};
