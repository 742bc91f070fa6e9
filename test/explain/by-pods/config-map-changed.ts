import { at, condition, configMap, managed, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes, unready } from '../proof.ts';

/** The ConfigMap `settings` is edited at 1; a workload that reads this one and is started anew has nothing ready from 2 on, and says no more than that. */
const story =
  (settings: string): Story['tell'] =>
  (k8s) => {
    const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: settings } }] }] };
    k8s.put(
      long,
      ...twoNodes,
      ...app('api'),
      configMap('settings', { createdAt: long }),
      configMap('other', { createdAt: long }),
      podOf('api', 'a', { spec }),
    );
    k8s.wait(at(0));
    const edit = [managed('kubectl-edit', at(1), { 'f:data': { 'f:POOL': {} } })];
    k8s.put(at(1), configMap('settings', { createdAt: long, generation: 2, managedFields: edit }));
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    const conditions = [condition('Available', 'False', at(2), 'MinimumReplicasUnavailable')];
    k8s.put(at(2), workload('Deployment', 'api', { ...none, conditions }), replicaSet('api', 1, none));
    k8s.put(at(2), podOf('api', 'a', { spec, createdAt: at(1, 30), conditions: unready(at(2)) }));
    k8s.wait(at(2, 50));
  };

export const proof: Proof = {
  shows: {
    what: 'nothing of a workload is ready a minute after the ConfigMap that it reads was edited',
    tell: story('settings'),
    told: ['ConfigMap/shop/settings DeploymentUnavailable 1, data edited'],
  },
  not: {
    what: 'it reads another ConfigMap',
    tell: story('other'),
    told: ['Deployment/shop/api DeploymentUnavailable 1'],
  },
};
