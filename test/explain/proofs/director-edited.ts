import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const namespace = 'istio-system';
const pilot = 'docker.io/istio/pilot';
const ofCalls = { api: 'Error: write EPROTO', web: 'panic: Post "https://hooks.example/contacts": EOF' };

/** A control plane is released at 0, and two workloads with this container beside their program crash at 1. */
export const story =
  (companion: string, words: Readonly<Record<'api' | 'web', string>> = ofCalls): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'] as const;
    const containers = [
      { name: 'api', image: 'registry.example/shop:1' },
      { name: 'proxy', image: companion },
    ];
    const parts = { namespace, image: `${pilot}:1` };
    k8s.put(long, ...twoNodes, ...app('istiod', parts), podOf('istiod', 'a', { namespace }));
    k8s.put(long, ...names.flatMap((name) => [...app(name), podOf(name, 'a', { spec: { containers } })]));
    k8s.wait(at(-1));
    const [istiod] = app('istiod', { namespace, image: `${pilot}:2`, generation: 2 });
    const next = replicaSet('istiod', 2, { namespace, image: `${pilot}:2`, createdAt: at(0) });
    k8s.put(at(0), ...(istiod ? [istiod] : []), next);
    k8s.put(at(0), podOf('istiod', 'b', { namespace, revision: 2, createdAt: at(0) }));
    k8s.put(
      at(1),
      ...names.map((name) => podOf(name, 'a', { ...saying(long, at(1), words[name]), spec: { containers } })),
    );
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'unseen-edited',
  shows: {
    what: 'both have a proxy of the maker of what was released',
    tell: story('docker.io/istio/proxyv2:1'),
    told: ['Deployment/istio-system/istiod CrashLoopBackOff 2, image edited'],
  },
  not: {
    what: 'what runs beside them is of somebody else',
    tell: story('docker.io/fluent/fluent-bit:3'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
