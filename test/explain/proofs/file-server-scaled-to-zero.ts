import { service } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, type Story, twoNodes } from '../proof.ts';
import { mountInVain } from '../storage-proof.ts';

const says =
  'MountVolume.SetUp failed for volume "pv-1" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o vers=4 10.96.0.9:/export /var/lib/kubelet/pods/x/volumes/kubernetes.io~nfs/pv-1\nOutput: mount.nfs: Connection refused';

const sized = (replicas: number) => {
  const template = { metadata: { labels: { app: 'nfs' } }, spec: { containers: [] } };
  return app('nfs', {
    ...{ labels: { app: 'nfs' }, replicas, generation: replicas === 1 ? 1 : 2, spec: { replicas, template } },
    managedFields: [managed('kubectl-scale', replicas === 1 ? long : at(1), { 'f:spec': { 'f:replicas': {} } })],
  });
};

/** Of a file server so many replicas are wanted from minute 1 on, and a new Pod cannot mount a share of it. */
const story =
  (replicas: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...sized(1));
    k8s.put(long, service('nfs', { createdAt: long, spec: { clusterIP: '10.96.0.9' } }));
    k8s.wait(at(0));
    k8s.put(at(1), ...sized(replicas));
    mountInVain(k8s, says);
  };

export const proof: Proof = {
  shows: {
    what: 'the file server is to have no replicas since somebody switched it off',
    tell: story(0),
    told: ['Deployment/shop/nfs FailedMount 1, replicas edited'],
  },
  not: {
    what: 'it has more than before',
    tell: story(3),
    told: ['Deployment/shop/api FailedMount 1'],
  },
};
