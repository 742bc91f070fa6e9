import { at, daemonSet, pod } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { crashing, long, type Proof, type Story } from '../proof.ts';
import { saying } from '../said.ts';
import { mounting, shop } from '../storage-proof.ts';

const namespace = 'longhorn-system';

/** What serves volumes on n1 crashes at 1, and a program there that mounts one of a driver gets errors at 2. */
const story =
  (driver: string): Story['tell'] =>
  (k8s) => {
    const engines = (parts: object) =>
      pod('instance-manager-1', {
        ...{ namespace, createdAt: long, owner: { kind: 'DaemonSet', name: 'instance-manager' } },
        ...parts,
      });
    k8s.put(long, ...shop, claim('api'), volume('pv-api', { driver }), mounting('api', {}));
    k8s.put(long, daemonSet('instance-manager', { namespace, createdAt: long }), engines({}));
    k8s.wait(at(0));
    k8s.put(at(1), engines(crashing(long, at(1))));
    k8s.put(
      at(2),
      mounting('api', saying(long, at(2), 'PANIC:  could not fdatasync file "0000C4": Input/output error')),
    );
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'agent-serves',
  shows: {
    what: 'the process crashes that serves the volumes of a Node',
    tell: story('driver.longhorn.io'),
    told: ['DaemonSet/longhorn-system/instance-manager CrashLoopBackOff 2'],
  },
  not: {
    what: 'its volume is of another driver',
    tell: story('ebs.csi.aws.com'),
    told: ['DaemonSet/longhorn-system/instance-manager CrashLoopBackOff 1', 'Deployment/shop/api CrashLoopBackOff 1'],
  },
};
