import { endpointSlice, service } from '../world/network-objects.ts';
import { at, stamp, status, workload } from '../world/objects.ts';
import { app, long, podOf, replicaSet, type Story, twoNodes, unready } from './proof.ts';

/** What happens in a story. */
export type Tell = Story['tell'];

/** The Pod of a workload whose arguments name the cache. */
export const client = (parts: Parameters<typeof podOf>[2] = {}) =>
  podOf('api', 'a', {
    ...parts,
    spec: {
      containers: [{ name: 'api', image: 'registry.example/shop/api:1', args: ['--cache=redis://cache:6379/0'] }],
    },
  });

const labels = { app: 'cache' };

/** A cache on which a workload depends gets a new image at 1; its old Pods go, all or some, and the new one is not ready. */
export const released =
  (which: 'all' | 'some', then: Tell): Tell =>
  (k8s) => {
    const image = 'registry.example/shop/cache:2';
    const old = ['a', 'b'].map((name) => podOf('cache', name, { labels }));
    k8s.put(long, ...twoNodes, ...app('api'), client(), ...app('cache', { labels }), ...old);
    k8s.put(long, service('cache', { selector: labels }), endpointSlice('cache', { ready: 2 }));
    k8s.wait(at(0));
    k8s.put(at(1), workload('Deployment', 'cache', { replicas: 2, createdAt: long, labels, image, generation: 2 }));
    k8s.put(at(1), replicaSet('cache', 2, { replicas: 2, createdAt: at(1), labels }));
    const statuses = [status('api', { ready: false, state: { running: { startedAt: stamp(at(1, 1)) } } })];
    k8s.put(
      at(1, 1),
      podOf('cache', 'c', { revision: 2, createdAt: at(1, 1), labels, conditions: unready(at(1, 1)), statuses }),
      endpointSlice('cache', which === 'all' ? { ready: 0, unready: 1 } : { ready: 1, unready: 1 }),
    );
    k8s.gone(at(1, 1), ...old.slice(which === 'all' ? 0 : 1));
    then(k8s);
    k8s.wait(at(2, 30));
  };
