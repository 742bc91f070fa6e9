import { at, configMap, managed } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'settings' } }] }] };

/** The ConfigMap `settings` is edited at 1, its Pod is made anew at one minute and crashes from another on. */
const story =
  (made: number, crash: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), configMap('settings', { createdAt: long }), podOf('api', 'a', { spec }));
    k8s.wait(at(0));
    const edit = [managed('kubectl-edit', at(1), { 'f:data': { 'f:POOL': {} } })];
    k8s.put(at(1), configMap('settings', { createdAt: long, generation: 2, managedFields: edit }));
    k8s.put(at(made), podOf('api', 'a', { spec, createdAt: at(made) }));
    for (const restarts of [1, 2, 3]) {
      const crashed = crashing(at(made), at(crash + restarts - 1), { restarts, unreadySince: at(crash) });
      k8s.put(at(crash + restarts - 1), podOf('api', 'a', { spec, ...crashed }));
    }
    k8s.wait(at(crash + 6));
  };

export const proof: Proof = {
  rule: 'settings-changed',
  shows: {
    what: 'a Pod that is made anew nine hours after the edit crashes from its start on',
    tell: story(540, 540),
    told: ['ConfigMap/shop/settings CrashLoopBackOff 1, data edited'],
  },
  not: {
    what: 'one that has read what was edited served for nine hours with it',
    tell: story(5, 545),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
