import { namespace } from '../../world/control-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const says =
  'Some content in the namespace has finalizers remaining: data.borealis.example/release-disks in 1 resource instances';
const remains = 'Some resources are remaining: databases.data.borealis.example has 1 resource instances';

/** An operator of this name crashes at 1; a namespace is deleted then, and something in it keeps its finalizer. */
const story =
  (operator: string): Story['tell'] =>
  (k8s) => {
    const down = { status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(long, ...twoNodes, namespace('trial', { createdAt: long }), ...app(operator), podOf(operator, 'a'));
    k8s.wait(at(0));
    k8s.put(at(1), ...app(operator, down).slice(0, 1), podOf(operator, 'a', crashing(long, at(1))));
    const conditions = [
      condition('NamespaceContentRemaining', 'True', at(2), 'SomeResourcesRemain', remains),
      condition('NamespaceFinalizersRemaining', 'True', at(2), 'SomeFinalizersRemain', says),
    ];
    k8s.put(at(2), namespace('trial', { createdAt: long, deletionAt: at(2), conditions }));
    k8s.wait(at(10));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'who is called like what a namespace waits for crashes',
    tell: story('database-operator'),
    told: ['Deployment/shop/database-operator CrashLoopBackOff 2'],
  },
  not: {
    what: 'the operator that crashes is of something else',
    tell: story('mesh-operator'),
    told: ['Deployment/shop/mesh-operator CrashLoopBackOff 1', 'Namespace//trial NamespaceStuckTerminating 1'],
  },
};
