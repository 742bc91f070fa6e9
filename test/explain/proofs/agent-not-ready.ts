import { at, daemonSet, node, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, unplaced } from '../proof.ts';

const taints = [{ key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoSchedule' }];
const keeps = '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).';

/** The Node n2 joins with a mark of its network, an agent of this name crashes there, and Pods of two workloads wait for room at 2. */
const story =
  (agent: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const agentOn = (machine: string, parts: object) =>
      pod(`${agent}-${machine}`, {
        owner: { kind: 'DaemonSet', name: agent },
        node: machine,
        createdAt: long,
        ...parts,
      });
    k8s.put(long, node('n1', { since: long }), ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.put(long, daemonSet(agent, { createdAt: long }), agentOn('n1', { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(0), node('n2', { since: at(0), createdAt: at(0), spec: { taints } }));
    k8s.put(at(0, 30), agentOn('n2', crashing(at(0), at(0, 30))));
    k8s.put(at(2), ...names.map((name) => podOf(name, 'b', unplaced(at(2), keeps))));
    k8s.wait(at(13));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'the agent that takes the mark off crashes there',
    tell: story('cilium'),
    told: ['DaemonSet/shop/cilium CrashLoopBackOff 5'],
  },
  not: {
    what: 'what crashes there has nothing to do with it',
    tell: story('log-shipper'),
    told: ['DaemonSet/shop/log-shipper CrashLoopBackOff 1', 'Node//n2 NodeUninitialized 4'],
  },
};
