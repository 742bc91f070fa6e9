import { eventOn } from '../../world/events.ts';
import { at, ended, waiting } from '../../world/objects.ts';
import { claim } from '../../world/storage-objects.ts';
import { long, type Proof, type Story, unready } from '../proof.ts';
import { mounting, shop } from '../storage-proof.ts';

/** A Pod ends with some words beside a claim that is refused what it asks for. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const asks = claim('api', { spec: { resources: { requests: { storage: '20Gi' } } } });
    const message = 'rpc error: code = ResourceExhausted desc = volume group has no free space';
    const lastState = ended(at(1), at(1, 2), 1, 'Error', words);
    const statuses = [waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting', { restartCount: 4, lastState })];
    k8s.put(long, ...shop, claim('api'), mounting('api', {}));
    k8s.wait(at(0));
    k8s.put(at(0), asks, eventOn(asks, 'VolumeResizeFailed', at(0), { message }));
    k8s.put(at(1), mounting('api', { createdAt: long, statuses, conditions: unready(at(1)) }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'a volume does not grow as it is asked to, and the Pod that writes to it finds no space left',
    tell: story('write /data/wal/000012: no space left on device'),
    told: ['PersistentVolumeClaim/shop/api VolumeResizeFailed 2'],
  },
  not: {
    what: 'the Pod beside it ends for another reason',
    tell: story('panic: index out of range'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'PersistentVolumeClaim/shop/api VolumeResizeFailed 1'],
  },
};
