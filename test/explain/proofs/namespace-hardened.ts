import { at, condition, workload } from '../../world/objects.ts';
import { long, type Proof, replicaSet, type Story, twoNodes } from '../proof.ts';

const says =
  'pods "x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "api" must set securityContext.allowPrivilegeEscalation=false)';
const namespace = (labels: Readonly<Record<string, string>>) => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name: 'shop', uid: 'shop', creationTimestamp: '2026-05-01T00:00:00Z', labels },
  status: { phase: 'Active' },
});

/** A namespace gets a label at 1, and the Pods of a workload that is as it was are refused at 10. */
const story =
  (label: string): Story['tell'] =>
  (k8s) => {
    const refused = [condition('ReplicaFailure', 'True', at(10), 'FailedCreate', says)];
    const whole = { createdAt: long };
    const short = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(long, ...twoNodes, namespace({ team: 'shop' }));
    k8s.put(long, workload('Deployment', 'api', whole), replicaSet('api', 1, whole));
    k8s.wait(at(0));
    k8s.put(at(1), namespace({ team: 'shop', [label]: 'restricted' }));
    k8s.put(at(10), workload('Deployment', 'api', short), replicaSet('api', 1, { ...short, conditions: refused }));
    k8s.wait(at(15));
  };

export const proof: Proof = {
  shows: {
    what: 'a namespace enforces a standard since then that its Pods do not meet',
    tell: story('pod-security.kubernetes.io/enforce'),
    told: ['Namespace//shop PodSecurityRejects 1, labels edited'],
  },
  not: {
    what: 'it got another label',
    tell: story('pod-security.kubernetes.io/warn'),
    told: ['Deployment/shop/api PodSecurityRejects 1'],
  },
};
