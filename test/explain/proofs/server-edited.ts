import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { app: 'nats' };

/** A server gets another image at 1, or 20 min before; two workloads that are given it fail at 2 without a word. */
const story =
  (editedAt: number): Story['tell'] =>
  (k8s) => {
    const env = [{ name: 'SERVER', value: 'nats:4222' }];
    const spec = { containers: [{ name: 'api', image: 'x', env }] };
    const clients = ['api', 'web'];
    k8s.put(long, ...twoNodes, ...app('nats', { labels }), podOf('nats', 'a', { labels }));
    k8s.put(long, service('nats', { createdAt: long }), endpointSlice('nats'));
    k8s.put(long, ...clients.flatMap((name) => [...app(name), podOf(name, 'a', { spec })]));
    k8s.wait(at(-30));
    const [deployment] = app('nats', { labels, image: 'registry.example/shop/nats:2', generation: 2 });
    if (deployment) k8s.put(editedAt, deployment);
    k8s.put(editedAt, replicaSet('nats', 2, { createdAt: editedAt, replicas: 1, labels }));
    k8s.put(at(2), ...clients.map((name) => podOf(name, 'a', { spec, ...saying(long, at(2), 'Ledger is torn.') })));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'a server was released, and two workloads that have nothing else in common fail without a word',
    tell: story(at(1)),
    told: ['Deployment/shop/nats CrashLoopBackOff 3, image edited'],
  },
  not: {
    what: 'it was released so long before that they had worked with it',
    tell: story(at(-20)),
    told: ['Deployment/shop/nats ClientsFailing 3'],
  },
};
