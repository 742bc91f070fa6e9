import { at } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { long, type Proof, type Story } from '../proof.ts';
import { saying } from '../said.ts';
import { mounting, shop } from '../storage-proof.ts';

const driver = 'rbd.csi.ceph.com';
const words = {
  api: 'java.io.IOException: Input/output error',
  web: "OSError: [Errno 30] Read-only file system: '/data'",
};

/** Two workloads mount volumes of one driver, each on a Node, and crash at 1 with words about their file systems. */
const story =
  (nodes: Readonly<Record<'api' | 'web', string>>): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'] as const;
    k8s.put(long, ...shop, ...names.flatMap((name) => [claim(name), volume(`pv-${name}`, { driver })]));
    k8s.put(long, ...names.map((name) => mounting(name, { node: nodes[name] })));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => mounting(name, { ...saying(long, at(1), words[name]), node: nodes[name] })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'all that mount volumes of a driver get errors, on two Nodes',
    tell: story({ api: 'n1', web: 'n2' }),
    told: ['CSIDriver//rbd.csi.ceph.com CrashLoopBackOff 2'],
  },
  not: {
    what: 'they are on one Node, which may be why',
    tell: story({ api: 'n1', web: 'n1' }),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
