import { at, configMap, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'settings' } }] }] };

/** The ConfigMap `settings` is edited at 1; a Pod that was made after that ends at 2 with its last words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), configMap('settings', { createdAt: long }), podOf('api', 'a', { spec }));
    k8s.wait(at(0));
    const edit = [managed('kubectl-edit', at(1), { 'f:data': { 'f:POOL': {} } })];
    k8s.put(at(1), configMap('settings', { createdAt: long, generation: 2, managedFields: edit }));
    k8s.put(at(2), podOf('api', 'a', { spec, ...saying(at(1, 30), at(2), words) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'settings-changed',
  shows: {
    what: 'a program that was started anew since its settings were edited says that it cannot use them',
    tell: story('FATAL: invalid value for POOL: "many"'),
    told: ['ConfigMap/shop/settings CrashLoopBackOff 1, data edited'],
  },
  not: {
    what: 'it says that it may not write to its disk, which no settings bring about',
    tell: story("mkdir: cannot create directory '/data/db': Permission denied"),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
