import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durabilityOf } from '../../src/state/durability.ts';

const container = '600 500 0:120 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/a,upperdir=/b';
const pod = '/var/lib/kubelet/pods/7b0c6f9e-0000-4000-8000-000000000000/volumes';

const cases: readonly [what: string, mountinfo: string, is: string][] = [
  ['nothing mounted', container, 'notDurable'],
  [
    'an emptyDir',
    `${container}\n601 600 8:1 ${pod}/kubernetes.io~empty-dir/state /var/lib/tocsin rw,relatime - ext4 /dev/sda1 rw`,
    'notDurable',
  ],
  [
    'an emptyDir of a kubelet with a partition of its own',
    `${container}\n601 600 8:2 /pods/u/volumes/kubernetes.io~empty-dir/state /var/lib/tocsin rw - xfs /dev/sdb1 rw`,
    'notDurable',
  ],
  ['an emptyDir in memory', `${container}\n601 600 0:99 / /var/lib/tocsin rw - tmpfs tmpfs rw`, 'notDurable'],
  ['a claim', `${container}\n601 600 8:16 / /var/lib/tocsin rw,relatime - ext4 /dev/sdc rw`, 'durable'],
  ['a claim on a share', `${container}\n601 600 0:55 / /var/lib/tocsin rw - nfs4 server:/export rw`, 'durable'],
  ['a host path', `${container}\n601 600 8:1 /srv/tocsin /var/lib/tocsin rw - ext4 /dev/sda1 rw`, 'durable'],
  ['a claim above it', `${container}\n601 600 8:16 / /var/lib rw - ext4 /dev/sdc rw`, 'durable'],
  ['a claim beside it', `${container}\n601 600 8:16 / /var/lib/toc rw - ext4 /dev/sdc rw`, 'notDurable'],
  [
    'a claim over an emptyDir',
    `${container}\n601 600 0:99 / /var/lib/tocsin rw - tmpfs tmpfs rw\n602 601 8:16 / /var/lib/tocsin rw - ext4 /dev/sdc rw`,
    'durable',
  ],
  ['no Linux', '', 'unknown'],
  ['lines that say nothing', 'x y z\n - \n', 'unknown'],
];
for (const [what, mountinfo, is] of cases)
  test(`whether state outlives the Pod: ${what}: ${is}`, () => {
    assert.equal(durabilityOf('/var/lib/tocsin', mountinfo).is, is);
  });

test('a mount point with a space in its name is found', () => {
  const line = '601 600 8:16 / /srv/my\\040state rw - ext4 /dev/sdc rw';
  assert.equal(durabilityOf('/srv/my state/tocsin', `${container}\n${line}`).is, 'durable');
});
