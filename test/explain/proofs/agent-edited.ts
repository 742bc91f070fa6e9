import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const words = {
  api: 'dial tcp: lookup db on 169.254.20.10:53: server misbehaving',
  web: 'Error: getaddrinfo EAI_AGAIN sessions.shop.svc.cluster.local',
};

/** What runs on all machines is released at 0 and is well, and two programs that resolve nothing crash at 1. */
const story =
  (name: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'] as const;
    const agent = (generation: number) =>
      daemonSet(name, {
        ...{ namespace: 'kube-system', createdAt: long, generation },
        spec: { template: { spec: { containers: [{ name: 'api', image: `registry.example/agent:${generation}` }] } } },
      });
    const onNode = (which: number) =>
      pod(`${name}-${which}`, {
        ...{ namespace: 'kube-system', owner: { kind: 'DaemonSet', name } },
        ...{ createdAt: long, node: `n${which}` },
      });
    k8s.put(long, ...twoNodes, agent(1), onNode(1), onNode(2));
    k8s.put(long, ...names.flatMap((each, at) => [...app(each), podOf(each, 'a', { node: `n${at + 1}` })]));
    k8s.wait(at(-1));
    k8s.put(at(0), agent(2));
    names.forEach((each, index) => {
      k8s.put(at(1), podOf(each, 'a', { node: `n${index + 1}`, ...saying(long, at(1), words[each]) }));
    });
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'unseen-edited',
  shows: {
    what: 'it is the cache of their names',
    tell: story('node-local-dns'),
    told: ['DaemonSet/kube-system/node-local-dns CrashLoopBackOff 2, image edited'],
  },
  not: {
    what: 'it ships logs',
    tell: story('fluent-bit'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
