import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lacksAddress } from '../../../src/detect/nodes/addresses.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, condition, eventOf, node, type PodParts, pod, waiting } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const sandbox = (plugin: string, says: string): string =>
  `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="${plugin}" failed (add): ${says}`;

/** As plug-ins of the day write it. */
const sentences = [
  sandbox('flannel', 'failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.254'),
  sandbox('aws-cni', 'add cmd: failed to assign an IP address to container'),
  sandbox(
    'azure-vnet',
    'Failed to allocate pool: Failed to delegate: Failed to allocate address: No available addresses',
  ),
  sandbox(
    'azure-vnet',
    'IPAM Invoker Add failed with error: Failed to get IP address from CNS with error: AllocateIPConfig failed: not enough IPs available for 9c6a7f37, waiting on Azure CNS to allocate more',
  ),
  sandbox(
    'calico',
    'failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity enabled',
  ),
  sandbox(
    'cilium-cni',
    'unable to allocate IP via local cilium agent: [POST /ipam][502] postIpamFailure  range is full',
  ),
  sandbox(
    'cilium-cni',
    'unable to allocate IP via local cilium agent: [POST /ipam][502] postIpamFailure No more IPs available',
  ),
  sandbox('whereabouts', 'Error at storage engine: Could not allocate IP in range: ip: 172.16.0.1 / - 172.16.0.6'),
];

/** As they write it when something else is wrong. */
const others = [
  sandbox('calico', 'error getting ClusterInformation: connection is unauthorized: Unauthorized'),
  sandbox(
    'cilium-cni',
    'unable to allocate IP via local cilium agent: dial unix /var/run/cilium/cilium.sock: connect: no such file',
  ),
  sandbox(
    'kube-ovn',
    'RPC failed; request ip return 500 no address allocated to pod shop/api provider ovn, please see kube-ovn-controller logs',
  ),
];

const [, noAddress = ''] = sentences;
const zone = { labels: { 'topology.kubernetes.io/zone': 'eu-1a' } };
const held = (name: string, on: string, spec: object = {}, owner?: PodParts['owner']): RawObject =>
  pod(name, {
    ...(owner && { owner }),
    ...{ node: on, phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] },
    ...{ conditions: [condition('PodScheduled', 'True')], spec: { ...spec } },
  });

type Cluster = ReturnType<typeof story>;

/** So many Pods on some Nodes that get no address from the start on. */
function starving(nodes: Readonly<Record<string, number>>, spec: object = {}, owner?: PodParts['owner']): Cluster {
  const k8s = story();
  k8s.put(at(0), ...Object.keys(nodes).map((name) => node(name, zone)));
  for (const [name, count] of Object.entries(nodes))
    for (let index = 0; index < count; index += 1) {
      const each = held(`${name}-${index}`, name, spec, owner);
      k8s.put(at(0), each);
      k8s.put(at(0, 5), eventOf(each, 'FailedCreatePodSandBox', noAddress, at(0, 5)));
    }
  return k8s;
}

const exhausted = (k8s: Cluster): string[] => k8s.found().filter((each) => each.endsWith('PodIPExhausted'));

test('what network plug-ins say of addresses is known by their own words', () => {
  for (const text of sentences) assert.ok(lacksAddress(text), text);
  for (const text of others) assert.ok(!lacksAddress(text), text);
});

test('T19 fires: three Pods of a Node have no address; as many on two Nodes of a zone', () => {
  const one = starving({ n1: 3 });
  one.wait(at(1, 4));
  assert.deepEqual(exhausted(one), []);
  one.wait(at(1, 30));
  assert.deepEqual(exhausted(one), ['Node//n1 PodIPExhausted']);
  assert.equal(one.says('Node//n1', 'PodIPExhausted'), 'No IP address is left for new pods: 3 pods cannot start.');
  const two = starving({ n1: 2, n2: 1 });
  two.wait(at(1, 30));
  assert.deepEqual(exhausted(two), ['Zone//eu-1a PodIPExhausted']);
});

test('T19 is quiet: Pods of one workload on two Nodes, which may want addresses of a network of their own', () => {
  const k8s = starving({ n1: 2, n2: 1 }, {}, { kind: 'StatefulSet', name: 'sigtran' });
  k8s.wait(at(3));
  assert.deepEqual(exhausted(k8s), []);
});

test('T19 is quiet: two Pods, which are found by themselves; Pods with the network of their Node', () => {
  const few = starving({ n1: 2 });
  few.wait(at(3));
  assert.deepEqual(exhausted(few), []);
  assert.equal(few.found().length, 2);
  const host = starving({ n1: 3 }, { hostNetwork: true });
  host.wait(at(3));
  assert.deepEqual(exhausted(host), []);
});

test('T19 clears: a Pod has its address; that nobody tells of them any more is no end', () => {
  const k8s = starving({ n1: 3 });
  k8s.wait(at(2));
  k8s.put(at(2), pod('n1-0', { node: 'n1' }));
  assert.deepEqual(exhausted(k8s), []);
  const quiet = starving({ n1: 3 });
  quiet.wait(at(50));
  assert.deepEqual(exhausted(quiet), ['Node//n1 PodIPExhausted']);
});
