import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, daemonSet, eventOf, node, pod, waiting, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const waits = pod('api-1', { createdAt: at(0), phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] });
const agent = (name: string, namespace = 'kube-system', on = 'n1') =>
  pod(`${name}-x`, { namespace, owner: { kind: 'DaemonSet', name }, createdAt: at(-60), node: on });

/** What the finding of a Pod names whose driver has not registered, where these run on the Nodes. */
function named(driver: string, ...agents: ReturnType<typeof agent>[]): readonly string[] {
  const says = `MountVolume.MountDevice failed for volume "pv-1" : driver name ${driver} not found in the list of registered CSI drivers`;
  const { put, finding, wait } = story();
  put(at(0), node('n1'), node('n2'), ...agents, waits);
  put(at(0, 5), eventOf(waits, 'FailedMount', says, at(0, 5)));
  wait(at(2));
  return finding('Pod/shop/api-1', 'FailedMount').names.filter((ref) => ref.startsWith('DaemonSet/'));
}

test('P10 fires: a driver that has not registered names the DaemonSet on the Node that is called like it', () => {
  const others = [agent('aws-node'), agent('kube-proxy'), agent('secrets-store-csi-driver')];
  const rows: readonly (readonly [driver: string, ref: string])[] = [
    ['ebs.csi.aws.com', 'DaemonSet/kube-system/ebs-csi-node'],
    ['disk.csi.azure.com', 'DaemonSet/kube-system/csi-azuredisk-node'],
    ['rook-ceph.rbd.csi.ceph.com', 'DaemonSet/rook-ceph/csi-rbdplugin'],
    ['driver.longhorn.io', 'DaemonSet/longhorn-system/longhorn-csi-plugin'],
    ['local.csi.openebs.io', 'DaemonSet/openebs/openebs-lvm-node'],
  ];
  for (const [driver, ref] of rows) {
    const [, namespace = '', name = ''] = ref.split('/');
    assert.deepEqual(named(driver, agent(name, namespace), ...others), [ref], driver);
  }
});

test('P10 fires: a driver that nobody is called like names whoever brings volumes, and nobody on another Node', () => {
  assert.deepEqual(named('csi.hetzner.cloud', agent('hcloud-csi-node'), agent('kube-proxy')), [
    'DaemonSet/kube-system/hcloud-csi-node',
  ]);
  assert.deepEqual(named('ebs.csi.aws.com', agent('ebs-csi-node', 'kube-system', 'n2'), agent('aws-node')), []);
});

/** Whom a Pod names for which a resource is used up, where these run. */
function asked(resource: string, ...others: ReturnType<typeof daemonSet>[]): readonly string[] {
  const { put, finding, wait } = story();
  const says = `0/2 nodes are available: 2 Insufficient ${resource}.`;
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: says }];
  put(at(0), node('n1'), node('n2'), ...others);
  put(at(0), pod('api-1', { node: undefined, phase: 'Pending', statuses: [], createdAt: at(0), conditions }));
  wait(at(6));
  return finding('Pod/shop/api-1', 'Unschedulable').names.filter((ref) => !ref.startsWith('Cluster/'));
}

test('P15 fires: a Pod without room names who would make some', () => {
  const plugins = ['nvidia-device-plugin', 'amdgpu-device-plugin', 'kube-proxy'].map((name) => daemonSet(name));
  assert.deepEqual(asked('nvidia.com/gpu', ...plugins), ['DaemonSet/shop/nvidia-device-plugin']);
  assert.deepEqual(asked('amd.com/gpu', ...plugins), ['DaemonSet/shop/amdgpu-device-plugin']);
  const autoscalers = ['karpenter', 'prod-cluster-autoscaler', 'autoscaler-ui'].map((name) =>
    workload('Deployment', name, { namespace: 'kube-system' }),
  );
  const own = workload('Deployment', 'karpenter', { namespace: 'karpenter', uid: 'own' });
  assert.deepEqual(asked('cpu', ...plugins, ...autoscalers, own), [
    'Deployment/karpenter/karpenter',
    'Deployment/kube-system/karpenter',
    'Deployment/kube-system/prod-cluster-autoscaler',
  ]);
});

test('P15 is quiet: a workload of a team that is only called like one of the cluster', () => {
  const fake = ['shop', 'team-a'].map((namespace) =>
    workload('Deployment', 'cluster-autoscaler', { namespace, uid: namespace }),
  );
  assert.deepEqual(asked('cpu', ...fake), []);
});
