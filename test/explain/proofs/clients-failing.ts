import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** Programs that are given these servers end at 1 with the same words. */
const story =
  (servers: Readonly<Record<string, string>>): Story['tell'] =>
  (k8s) => {
    const pod = (name: string, parts: object) => {
      const env = [{ name: 'SERVER', value: `${servers[name]}:4222` }];
      return podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', env }] }, ...parts });
    };
    const names = Object.keys(servers);
    const made = { createdAt: long };
    const there = ['nats', 'redis'].flatMap((name) => [service(name, made), endpointSlice(name, made)]);
    k8s.put(long, ...twoNodes, ...there, ...names.flatMap((name) => [...app(name), pod(name, {})]));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => pod(name, saying(long, at(1), 'Ledger is torn.'))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'shares-what-fails',
  shows: {
    what: 'two workloads end with the same words, and have one server in common',
    tell: story({ api: 'nats', web: 'nats' }),
    told: ['Service/shop/nats ClientsFailing 3'],
  },
  not: {
    what: 'each of them has a server of its own',
    tell: story({ api: 'nats', web: 'redis' }),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
