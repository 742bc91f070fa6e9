import { service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { mountInVain } from '../storage-proof.ts';

const labels = { app: 'nfs' };

/** A file server of the cluster crashes, and a new Pod cannot mount a share of this address. */
const story =
  (address: string): Story['tell'] =>
  (k8s) => {
    const says = `MountVolume.SetUp failed for volume "pv-1" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o vers=4 ${address}:/export /var/lib/kubelet/pods/x/volumes/kubernetes.io~nfs/pv-1\nOutput: mount.nfs: Connection timed out`;
    k8s.put(long, ...twoNodes, ...app('api'), ...app('nfs', { labels }), podOf('nfs', 'a', { labels }));
    k8s.put(long, service('nfs', { createdAt: long, selector: labels, spec: { clusterIP: '10.96.0.9' } }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('nfs', 'a', { labels, ...crashing(long, at(1)) }));
    mountInVain(k8s, says);
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'the share is asked for at the address of its Service',
    tell: story('10.96.0.9'),
    told: ['Deployment/shop/nfs CrashLoopBackOff 2'],
  },
  not: {
    what: 'it is asked for elsewhere',
    tell: story('192.168.7.20'),
    told: ['Deployment/shop/api FailedMount 1', 'Deployment/shop/nfs CrashLoopBackOff 1'],
  },
};
