import { at, condition, daemonSet, pod, stamp, status, waiting } from '../../world/objects.ts';
import { crashing, long, type Proof, type Story, twoNodes, unready } from '../proof.ts';

const of = (name: string, namespace: string, parts: object) =>
  pod(`${name}-1`, { namespace, owner: { kind: 'DaemonSet', name }, createdAt: long, ...parts });

/** It is held up by an init container since an instant. */
const awaiting = (since: number) => ({
  ...{ createdAt: since, phase: 'Pending', statuses: [waiting('api', 'PodInitializing')] },
  conditions: [condition('Initialized', 'False', since), condition('PodScheduled', 'True', since), ...unready(since)],
  spec: { initContainers: [{ name: 'validation', image: 'registry.example/validation:1' }] },
  initStatuses: [status('validation', { ready: false, state: { running: { startedAt: stamp(since) } } })],
});

/** The driver crashes at 1, and a plug-in in a namespace waits in its start from then on. */
const story =
  (namespace: string): Story['tell'] =>
  (k8s) => {
    const sets = (available: number) =>
      daemonSet('plugin', {
        namespace,
        createdAt: long,
        status: { numberAvailable: available, numberReady: available },
      });
    k8s.put(long, ...twoNodes, daemonSet('driver', { createdAt: long }), of('driver', 'shop', {}));
    k8s.put(long, sets(1), of('plugin', namespace, {}));
    k8s.wait(at(0));
    k8s.put(at(1), of('driver', 'shop', crashing(long, at(1))));
    k8s.put(at(1, 10), sets(0), of('plugin', namespace, awaiting(at(1, 10))));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  rule: 'agent-asked-for',
  shows: {
    what: 'one DaemonSet of a namespace waits in its start while another crashes on its Node',
    tell: story('shop'),
    told: ['DaemonSet/shop/driver CrashLoopBackOff 2'],
  },
  not: {
    what: 'what waits is of another namespace',
    tell: story('logs'),
    told: ['DaemonSet/logs/plugin DaemonSetUnavailable 1', 'DaemonSet/shop/driver CrashLoopBackOff 1'],
  },
};
