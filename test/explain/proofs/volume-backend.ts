import { at, daemonSet, eventOf, pod } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { app, crashing, long, type Proof, podOf, type Story } from '../proof.ts';
import { began, mounting, shop, starting, told } from '../storage-proof.ts';

const namespace = 'rook';
const driver = 'rook.rbd.csi.ceph.com';

/** The store behind a driver crashes at 0 in the namespace of its node plug-in, and new Pods of two workloads cannot mount. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const plugin = pod('csi-rbdplugin-1', {
      ...{ namespace, createdAt: long },
      owner: { kind: 'DaemonSet', name: 'csi-rbdplugin' },
    });
    k8s.put(long, ...shop, ...names.flatMap((name) => [claim(name), volume(`pv-${name}`, { driver })]));
    k8s.put(long, daemonSet('csi-rbdplugin', { namespace, createdAt: long }), plugin);
    k8s.put(long, ...app('mon', { namespace }), podOf('mon', 'a', { namespace }));
    k8s.wait(at(0));
    k8s.put(at(0), podOf('mon', 'a', { ...crashing(long, at(0)), namespace }));
    const waiting = names.map((name) => mounting(name, starting(began)));
    k8s.put(began, ...waiting);
    k8s.put(began + 5000, ...waiting.map((each) => eventOf(each, 'FailedMount', words, began + 5000)));
    k8s.wait(told);
  };

export const proof: Proof = {
  shows: {
    what: 'a driver gets no answer, and what runs beside its plug-in crashes',
    tell: story('MountVolume.MountDevice failed: rpc error: code = DeadlineExceeded desc = context deadline exceeded'),
    told: ['Deployment/rook/mon CrashLoopBackOff 3'],
  },
  not: {
    what: 'the file systems of the volumes are wrong',
    tell: story('MountVolume.MountDevice failed: rpc error: code = Internal desc = wrong fs type, bad option'),
    told: ['DaemonSet/rook/csi-rbdplugin FailedMount 2', 'Deployment/rook/mon CrashLoopBackOff 1'],
  },
};
