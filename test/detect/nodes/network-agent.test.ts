import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, eventOf, node, type PodParts, pod, waiting } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const failed = (plugin: string): string =>
  `failed to setup network for sandbox "c1f0": plugin type="${plugin}" failed (add): connection refused`;
const waits = pod('api-1', { createdAt: at(0), phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] });
const agent = (name: string, on = 'n1', parts: PodParts = {}) =>
  pod(`${name}-x`, { owner: { kind: 'DaemonSet', name }, createdAt: at(-60), node: on, ...parts });

/** What the finding of a Pod without a sandbox names, where these run on the Nodes. */
function named(says: string, ...agents: ReturnType<typeof agent>[]): readonly string[] {
  const { put, finding, wait } = story();
  put(at(0), node('n1'), node('n2'), ...agents, waits);
  put(at(0, 5), eventOf(waits, 'FailedCreatePodSandBox', says, at(0, 5)));
  wait(at(2));
  return finding('Pod/shop/api-1', 'FailedCreatePodSandBox').names;
}

test('P11 fires: a network plug-in that fails names the DaemonSet of its agent on the Node', () => {
  const [calico, proxy] = [agent('calico-node'), agent('kube-proxy')];
  assert.deepEqual(named(failed('calico'), calico, proxy), ['DaemonSet/shop/calico-node']);
  assert.deepEqual(named(failed('calico'), agent('calico-node', 'n2'), proxy), []);
  assert.deepEqual(named(failed('aws-cni'), calico, agent('aws-node')), ['DaemonSet/shop/aws-node']);
  assert.deepEqual(named(failed('aws-cni'), calico), []);
});

test('P11 fires: of a network that is not ready any agent may be why', () => {
  const says =
    'network is not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized';
  assert.deepEqual(named(says, agent('cilium'), agent('node-exporter')), ['DaemonSet/shop/cilium']);
});

test('P11 fires: what is no trouble of the network names no agent', () => {
  assert.deepEqual(named('failed to reserve sandbox name: name is reserved', agent('calico-node')), []);
});

test('P11 fires: whose agent does not run lacks that, and not the addresses that nobody gives out', () => {
  const says =
    'plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container';
  const unready = { conditions: [condition('Ready', 'False', at(-1))] };
  assert.deepEqual(named(says, agent('aws-node', 'n1', unready)), ['DaemonSet/shop/aws-node']);
  assert.deepEqual(named(says, agent('aws-node')), ['Node//n1', 'Cluster//nodes']);
});
