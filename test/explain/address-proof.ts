import { at, condition, eventOf, node, pod, waiting } from '../world/objects.ts';
import { long, type Story } from './proof.ts';

const labels = { 'topology.kubernetes.io/zone': 'eu-1a' };
const noAddress = 'plugin type="aws-cni" failed (add): add cmd: failed to assign an IP address to container';

/** Pods of these names get no sandbox on these Nodes since 1, for this reason. */
export const addressless =
  (pods: Readonly<Record<string, string>>, says = noAddress): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...['n1', 'n2'].map((name) => node(name, { since: long, labels })));
    k8s.wait(at(0));
    for (const [name, on] of Object.entries(pods)) {
      const conditions = [condition('PodScheduled', 'True', at(1))];
      const statuses = [waiting('api', 'ContainerCreating')];
      const each = pod(name, { node: on, createdAt: at(1), phase: 'Pending', statuses, conditions });
      k8s.put(at(1), each);
      k8s.put(at(1, 5), eventOf(each, 'FailedCreatePodSandBox', says, at(1, 5)));
    }
    k8s.wait(at(4));
  };
