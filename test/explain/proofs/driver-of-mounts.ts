import { at, daemonSet, eventOf, pod } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { long, type Proof, type Story } from '../proof.ts';
import { began, mounting, shop, starting, told } from '../storage-proof.ts';

const namespace = 'longhorn-system';
const driver = 'driver.longhorn.io';
const words =
  'MountVolume.MountDevice failed for volume "pv-api" : rpc error: code = Internal desc = mount failed: exit status 32 already mounted or mount point busy.';

/** New Pods of some workloads cannot mount their volumes of one driver, whose node plug-in is healthy. */
const story =
  (...names: string[]): Story['tell'] =>
  (k8s) => {
    const plugin = pod('longhorn-csi-plugin-1', {
      ...{ namespace, createdAt: long },
      owner: { kind: 'DaemonSet', name: 'longhorn-csi-plugin' },
    });
    k8s.put(long, ...shop, ...names.flatMap((name) => [claim(name), volume(`pv-${name}`, { driver })]));
    k8s.put(long, daemonSet('longhorn-csi-plugin', { namespace, createdAt: long }), plugin);
    k8s.wait(at(0));
    const waiting = names.map((name) => mounting(name, starting(began)));
    k8s.put(began, ...waiting);
    k8s.put(began + 5000, ...waiting.map((each) => eventOf(each, 'FailedMount', words, began + 5000)));
    k8s.wait(told);
  };

export const proof: Proof = {
  rule: 'several-are-refused',
  shows: {
    what: 'the volumes of two workloads that one plug-in mounts cannot be mounted',
    tell: story('api', 'web'),
    told: ['DaemonSet/longhorn-system/longhorn-csi-plugin FailedMount 2'],
  },
  not: {
    what: 'it is one volume',
    tell: story('api'),
    told: ['Deployment/shop/api FailedMount 1'],
  },
};
