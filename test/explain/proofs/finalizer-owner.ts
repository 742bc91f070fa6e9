import { service } from '../../world/control-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, twoNodes } from '../proof.ts';

/** A Service that is being deleted and has a finalizer of a controller. */
const going = (manager: string) =>
  service('web', {
    deletionAt: at(1),
    finalizers: ['balancer.example.com/cleanup'],
    managedFields: [managed(manager, long, { 'f:metadata': { 'f:finalizers': {} } })],
  });

/** The controller `balancer` crashes while a Service waits for the finalizer of a manager. */
const story =
  (manager: string): Proof['shows']['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('balancer'), podOf('balancer', 'a'), service('web', { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('balancer', 'a', crashing(long, at(1))), going(manager));
    k8s.wait(at(65));
  };

export const proof: Proof = {
  rule: 'behind-it',
  shows: {
    what: 'the controller that put a finalizer on crashes, and the object does not go',
    tell: story('balancer'),
    told: ['Deployment/shop/balancer CrashLoopBackOff 3'],
  },
  not: {
    what: 'another controller put it on',
    tell: story('other-controller'),
    told: ['Deployment/shop/balancer CrashLoopBackOff 2', 'Service/shop/web StuckDeleting 1'],
  },
};
