import { at, daemonSet, eventOf, pod } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** New Pods of two workloads on two Nodes get no sandbox, and the agent of this network runs there without a word. */
const story =
  (agent: string): Story['tell'] =>
  (k8s) => {
    const says =
      'failed to setup network for sandbox "c1": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized';
    const agents = ['n1', 'n2'].map((node) =>
      pod(`${agent}-${node}`, { owner: { kind: 'DaemonSet', name: agent }, createdAt: long, node }),
    );
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), daemonSet(agent, { createdAt: long }), ...agents);
    k8s.wait(at(0));
    for (const [name, node] of [
      ['api', 'n1'],
      ['web', 'n2'],
    ] as const) {
      const waits = podOf(name, 'a', { ...stuck(at(1), 'ContainerCreating'), node });
      k8s.put(at(1), waits);
      k8s.put(at(1, 5), eventOf(waits, 'FailedCreatePodSandBox', says, at(1, 5)));
    }
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'several-are-refused',
  shows: {
    what: 'the network plug-in turns the Pods of two workloads away',
    tell: story('calico-node'),
    told: ['DaemonSet/shop/calico-node FailedCreatePodSandBox 2'],
  },
  not: {
    what: 'the agent that runs there is of another network',
    tell: story('aws-node'),
    told: ['Deployment/shop/api FailedCreatePodSandBox 1', 'Deployment/shop/web FailedCreatePodSandBox 1'],
  },
};
