import { at, daemonSet, eventOf, node, pod } from '../../world/objects.ts';
import { long, type Proof, type Story, stuck } from '../proof.ts';

const says = 'Failed to create pod sandbox: rpc error: code = Unknown desc = OCI runtime create failed: no such device';
const owner = { kind: 'DaemonSet', name: 'agent' };

/** The Pod of a DaemonSet is made anew on n2 and has no sandbox; that on n1 runs on, or is made anew as well. */
const story =
  (elsewhere: 'runs' | 'has none'): Story['tell'] =>
  (k8s) => {
    k8s.put(long, node('n1', { since: long }), node('n2', { since: long }), daemonSet('agent', { createdAt: long }));
    k8s.put(long, pod('agent-1', { owner, node: 'n1', createdAt: long }));
    k8s.wait(at(0));
    const stuckOn = (name: string, machine: string) =>
      pod(name, { owner, ...stuck(at(1), 'ContainerCreating'), node: machine });
    const waiting = [stuckOn('agent-2', 'n2'), ...(elsewhere === 'runs' ? [] : [stuckOn('agent-1', 'n1')])];
    k8s.put(at(1), ...waiting);
    k8s.put(at(1, 5), ...waiting.map((each) => eventOf(each, 'FailedCreatePodSandBox', says, at(1, 5))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-fails-one',
  shows: {
    what: 'an agent that is up on the other Node gets no sandbox on one, and nothing else begins there',
    tell: story('runs'),
    told: ['Node//n2 FailedCreatePodSandBox 1'],
  },
  not: {
    what: 'it gets none on the other either',
    tell: story('has none'),
    told: ['DaemonSet/shop/agent FailedCreatePodSandBox 2'],
  },
};
