import { at, configMap, managed } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const template = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'settings' } }] }] };

/** The ConfigMap `settings` is edited at 1; a Pod that is made after that, or was there before, crashes at 2. */
const story =
  (made: number, spec: Record<string, unknown> = template): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), configMap('settings', { createdAt: long }), podOf('api', 'a', { spec }));
    k8s.wait(at(0));
    const edit = [managed('kubectl-edit', at(1), { 'f:data': { 'f:POOL': {} } })];
    k8s.put(at(1), configMap('settings', { createdAt: long, generation: 2, managedFields: edit }));
    k8s.put(at(2), podOf('api', 'a', { spec, ...crashing(made, at(2)) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a Pod that was started anew since the ConfigMap that it reads was edited crashes',
    tell: story(at(1, 30)),
    told: ['ConfigMap/shop/settings CrashLoopBackOff 1, data edited'],
  },
  not: {
    what: 'what runs and crashes had read its settings an hour before they were edited',
    tell: story(long),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
