import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

/** Of two workloads one says whom it was turned away by, and the other, which is given this server, says nothing. */
const story =
  (server: string): Story['tell'] =>
  (k8s) => {
    const env = [{ name: 'SERVER', value: `${server}:5432` }];
    const spec = { containers: [{ name: 'api', image: 'x', env }] };
    const made = { createdAt: long };
    const there = ['db', 'cache'].flatMap((name) => [service(name, made), endpointSlice(name, made)]);
    k8s.put(long, ...twoNodes, ...there, ...app('api'), podOf('api', 'a'), ...app('web'), podOf('web', 'a', { spec }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('api', 'a', saying(long, at(1), said.full('db'))));
    k8s.put(at(1), podOf('web', 'a', { spec, ...saying(long, at(1), 'Exited.') }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'shares-what-fails',
  shows: {
    what: 'a Service has no connections left for one workload, and another that is given it fails without a word',
    tell: story('db'),
    told: ['Service/shop/db ServiceRefusing 3'],
  },
  not: {
    what: 'the other is given another Service',
    tell: story('cache'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
