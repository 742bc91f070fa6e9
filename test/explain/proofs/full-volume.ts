import { at, ended, waiting } from '../../world/objects.ts';
import { claim, nodeStats } from '../../world/storage-objects.ts';
import { long, type Proof, type Story, unready } from '../proof.ts';
import { mounting, shop } from '../storage-proof.ts';

/** A Pod crashes beside a volume that is so full. */
const story =
  (percent: number): Story['tell'] =>
  (k8s) => {
    const bytes = { capacity: 10 * 1024 ** 3, used: percent * 0.1 * 1024 ** 3 };
    const full = nodeStats('n1', [{ of: 'claimBytes', percent, ...bytes, namespace: 'shop', name: 'api' }]);
    const lastState = ended(at(5), at(5, 2), 1, 'Error', 'write /data/wal/000012: no space left on device');
    const statuses = [waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting', { restartCount: 4, lastState })];
    k8s.put(long, ...shop, claim('api'), mounting('api', {}));
    k8s.wait(at(0));
    k8s.put(at(0), full);
    k8s.wait(at(5));
    k8s.put(at(5), mounting('api', { createdAt: long, statuses, conditions: unready(at(5)) }));
    k8s.wait(at(12));
  };

export const proof: Proof = {
  shows: {
    what: 'nothing is left on a volume, and the Pod that writes to it crashes',
    tell: story(99),
    told: ['PersistentVolumeClaim/shop/api VolumeFillingUp 2'],
  },
  not: {
    what: 'there is room on the volume yet: that it fills up is one thing, and that the Pod crashes is another',
    tell: story(88),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'PersistentVolumeClaim/shop/api VolumeFillingUp 1'],
  },
};
