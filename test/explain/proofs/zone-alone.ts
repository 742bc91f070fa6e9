import { at, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story } from '../proof.ts';
import { saying } from '../said.ts';

const words = {
  api: 'dial tcp 203.0.113.9:443: i/o timeout',
  web: 'Error: connect ETIMEDOUT 198.51.100.20:443',
};
const inZone = (name: string, zone: string) =>
  node(name, { since: long, labels: { 'topology.kubernetes.io/zone': zone } });
const nodes = ['a1', 'a2', 'b1'];

/** Two workloads have a Pod on each of three Nodes, two of which are in a zone; at 1 those on some of them crash. */
const story =
  (failing: readonly string[]): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'] as const;
    k8s.put(long, inZone('a1', 'a'), inZone('a2', 'a'), inZone('b1', 'b'), ...names.flatMap((name) => app(name)));
    k8s.put(long, ...names.flatMap((name) => nodes.map((on) => podOf(name, on, { node: on }))));
    k8s.wait(at(0));
    for (const name of names)
      k8s.put(at(1), ...failing.map((on) => podOf(name, on, { node: on, ...saying(long, at(1), words[name]) })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'both reach nobody from the Nodes of one zone',
    tell: story(['a1', 'a2']),
    told: ['Zone//a CrashLoopBackOff 4'],
  },
  not: {
    what: 'they reach nobody from a Node of the other zone either',
    tell: story(nodes),
    told: ['Deployment/shop/api CrashLoopBackOff 3', 'Deployment/shop/web CrashLoopBackOff 3'],
  },
};
