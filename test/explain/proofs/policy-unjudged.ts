import { admissionPolicy, policyBinding } from '../../world/control-objects.ts';
import { at, condition, workload } from '../../world/objects.ts';
import { long, type Proof, replicaSet, type Story, twoNodes } from '../proof.ts';

/** What a policy answers when the Pods of two workloads are to be made. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const text = `pods "x-" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'teams' denied request: ${says}`;
    const refused = [condition('ReplicaFailure', 'True', at(1), 'FailedCreate', text)];
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(long, ...twoNodes, admissionPolicy('limits', []), policyBinding('teams', 'limits'));
    k8s.wait(at(0));
    for (const name of ['api', 'web'])
      k8s.put(at(1), workload('Deployment', name, none), replicaSet(name, 1, { ...none, conditions: refused }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'refused-by',
  shows: {
    what: 'a policy that cannot be evaluated without its parameters refuses the Pods of two workloads',
    tell: story('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
    told: ['ValidatingAdmissionPolicyBinding//teams AdmissionDenied 2'],
  },
  not: {
    what: 'the policy is evaluated, and both workloads are not as it wants them',
    tell: story('failed expression: object.spec.containers.all(c, has(c.resources))'),
    told: ['Deployment/shop/api AdmissionDenied 1', 'Deployment/shop/web AdmissionDenied 1'],
  },
};
