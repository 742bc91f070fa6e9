import { at } from '../../world/objects.ts';
import { attachment, claim, csiNode, volume } from '../../world/storage-objects.ts';
import { long, type Proof } from '../proof.ts';
import { began, mounting, shop, starting, told } from '../storage-proof.ts';

const attachError = { time: '2026-06-01T12:01:00Z', message: 'rpc error: code = Internal desc = busy' };
const drivers = csiNode('n1', ['ebs.csi.aws.com']);

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'a Pod is not started while its volume cannot be attached',
    tell(k8s) {
      k8s.put(long, ...shop, drivers, claim('api'), volume('pv-api'));
      k8s.wait(at(0));
      k8s.put(began, mounting('api', starting(began)), attachment('pv-api', 'n1', { status: { attachError } }));
      k8s.wait(told);
    },
    told: ['PersistentVolumeClaim/shop/api VolumeAttachFailed 2'],
  },
  not: {
    what: 'the volume of another Pod cannot be attached',
    tell(k8s) {
      k8s.put(long, ...shop, drivers, claim('api'), volume('pv-api'), claim('web'), volume('pv-web'));
      k8s.wait(at(0));
      k8s.put(began, mounting('api', starting(began)), attachment('pv-web', 'n1', { status: { attachError } }));
      k8s.wait(told);
    },
    told: ['Deployment/shop/api ContainerCreating 1', 'PersistentVolumeClaim/shop/web VolumeAttachFailed 1'],
  },
};
