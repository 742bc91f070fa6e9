import { at, workload } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

/** A new image at 0; its Pods, made at once, are well or not and crash since an instant. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    const image = 'registry.example/shop/api:2';
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b'));
    k8s.wait(at(-1));
    k8s.put(at(0), workload('Deployment', 'api', { replicas: 2, createdAt: long, image, generation: 2 }));
    k8s.put(at(0), replicaSet('api', 2, { replicas: 2, createdAt: at(0) }), replicaSet('api', 1, { replicas: 0 }));
    const fresh = ['c', 'd'].map((name) => podOf('api', name, { revision: 2, createdAt: at(0) }));
    k8s.put(at(0, 1), ...fresh);
    k8s.gone(at(0, 2), podOf('api', 'a'), podOf('api', 'b'));
    k8s.wait(since);
    for (const [restarts, seconds] of [10, 20, 40, 80].entries()) {
      const until = since + seconds * 1000;
      const crash = crashing(at(0), until, { restarts, unreadySince: since });
      k8s.put(until, ...['c', 'd'].map((name) => podOf('api', name, { revision: 2, ...crash })));
    }
    k8s.wait(since + 180_000);
  };

export const proof: Proof = {
  shows: {
    what: 'the Pods of a new image crash within seconds',
    tell: story(at(0, 5)),
    told: ['Deployment/shop/api CrashLoopBackOff 2, image edited'],
  },
  not: {
    what: 'the Pods of a new image served for 25 min before they crash',
    tell: story(at(25)),
    told: ['Deployment/shop/api CrashLoopBackOff 2'],
  },
};
