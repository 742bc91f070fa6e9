import { endpointSlice, ingress, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const labels = { app: 'harbor' };
const image = 'registry.example/shop/api:1.0';
const backend = { service: { name: 'harbor', port: { number: 80 } } };
const paths = [{ path: '/', pathType: 'Prefix', backend }];

/** A registry crashes to which the cluster leads this host, and a new Pod cannot pull its image. */
const story =
  (host: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('harbor', { labels }), podOf('harbor', 'a', { labels }));
    k8s.put(long, service('harbor', { createdAt: long, selector: labels }), endpointSlice('harbor'));
    k8s.put(long, ingress('harbor', { createdAt: long, spec: { rules: [{ host, http: { paths } }] } }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('harbor', 'a', { labels, ...crashing(long, at(1)) }));
    k8s.put(at(1), endpointSlice('harbor', { ready: 0, unready: 1 }));
    const says = `failed to pull and unpack image "${image}": unexpected status from HEAD request to https://registry.example/v2/shop/api/manifests/1.0: 503 Service Temporarily Unavailable`;
    k8s.put(at(2), podOf('api', 'a', stuck(at(2), 'ImagePullBackOff', says)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'the host of its image is the registry of the cluster',
    tell: story('registry.example'),
    told: ['Deployment/shop/harbor CrashLoopBackOff 3'],
  },
  not: {
    what: 'it leads another host there',
    tell: story('other.example'),
    told: ['Deployment/shop/api ImagePullBackOff 1', 'Deployment/shop/harbor CrashLoopBackOff 2'],
  },
};
