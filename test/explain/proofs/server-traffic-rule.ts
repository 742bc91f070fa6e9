import type { RawObject } from '../../../src/model/raw-object.ts';
import { custom } from '../../world/custom-objects.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { app: 'stock' };
const denied = 'rpc error: code = PermissionDenied desc = RBAC: access denied';
const env = [{ name: 'STOCK', value: 'stock:8080' }];
const client = (name: string, parts: object): RawObject =>
  podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', env }] }, ...parts });

/** A policy of a mesh is made for some Pods at 1; two that call `stock` are turned away from 2 on, and a third, which calls it seldom, at 13. */
const story =
  (selected: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web', 'mail'];
    k8s.put(long, ...twoNodes, ...app('stock', { labels }), podOf('stock', 'a', { labels }));
    k8s.put(long, service('stock', { createdAt: long, selector: labels }), endpointSlice('stock', { createdAt: long }));
    k8s.put(long, ...names.flatMap((name) => [...app(name), client(name, {})]));
    k8s.wait(at(0));
    const spec = { selector: { matchLabels: { app: selected } } };
    k8s.put(at(1), custom('security.istio.io/v1', 'AuthorizationPolicy', 'callers', { createdAt: at(1), spec }));
    k8s.put(at(2), ...['api', 'web'].map((name) => client(name, saying(long, at(2), denied))));
    k8s.wait(at(12));
    k8s.put(at(13), client('mail', saying(long, at(13), denied)));
    k8s.wait(at(15));
  };

export const proof: Proof = {
  rule: 'traffic-rule',
  shows: {
    what: 'a policy was made for the Pods of a server that turns three workloads away since, one of them long after',
    tell: story('stock'),
    told: ['AuthorizationPolicy.security.istio.io/shop/callers CrashLoopBackOff 4, creation edited'],
  },
  not: {
    what: 'the policy is for other Pods',
    tell: story('cache'),
    told: ['Deployment/shop/stock ServiceRefusing 4'],
  },
};
