import { at } from '../../world/objects.ts';
import { attachment, claim, volume } from '../../world/storage-objects.ts';
import { long, type Proof, type Story } from '../proof.ts';
import { began, shop, told } from '../storage-proof.ts';

const attachError = { time: '2026-06-01T12:01:00Z', message: 'rpc error: code = Unavailable' };

/** Claims whose volumes cannot be attached. */
const story =
  (...names: readonly string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...shop, ...names.flatMap((name) => [claim(name), volume(`pv-${name}`)]));
    k8s.wait(at(0));
    const nodes = ['n1', 'n2'];
    const failing = names.map((name, index) =>
      attachment(`pv-${name}`, nodes[index] ?? 'n1', { createdAt: began, status: { attachError } }),
    );
    k8s.put(began, ...failing);
    k8s.wait(told);
  };

export const proof: Proof = {
  shows: {
    what: 'a driver attaches the volumes of two claims nowhere',
    tell: story('api', 'web'),
    told: ['CSIDriver//ebs.csi.aws.com VolumeAttachFailed 2'],
  },
  not: {
    what: 'of one volume alone the volume may be at fault',
    tell: story('api'),
    told: ['PersistentVolumeClaim/shop/api VolumeAttachFailed 1'],
  },
};
