import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { ingress, ingressClass, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { type ClusterStory, long, nodes } from '../shop.ts';

const old = { createdAt: long };
const web = service('web', { ...old, selector: undefined, ports: [{ name: 'http', port: 80 }] });
const blog = service('blog', { ...old, selector: undefined });

/** What comes at 12:10 to a cluster with a class, two Services and an Ingress that works. */
const then =
  (...after: readonly RawObject[]): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, ingressClass('nginx'), web, blog, ingress('blog', { ...old, host: 'blog.example' }));
    k8s.start(at(0));
    k8s.put(at(10), ...after);
    k8s.wait(at(30));
  };

const tls = { spec: { tls: [{ secretName: 'web-tls' }] } };

/** One story for every reason of Ingresses. */
export const ingressStories = {
  IngressBackendNotFound: then(ingress('web', { createdAt: at(10), backends: [{ service: 'wep' }] })),
  IngressPortMissing: then(
    ingress('web', { createdAt: at(10), backends: [{ service: 'web', port: { number: 8080 } }] }),
  ),
  IngressHostConflict: then(
    ingress('web', { createdAt: at(10), host: 'blog.example', backends: [{ service: 'web' }] }),
  ),
  IngressClassMissing: then(ingress('web', { createdAt: at(10), addressed: false, ingressClass: 'ngnix' })),
  IngressTLSSecretMissing: (k8s) => {
    then(ingress('web', { ...old, ...tls }))(k8s);
    const message = 'Translation failed: invalid ingress spec: error getting secret: secrets "web-tls" not found';
    k8s.put(at(31), eventOn(ingress('web'), 'Translate', at(31), { message }));
    k8s.wait(at(35));
  },
  IngressNoAddress: then(ingress('web', { createdAt: at(10), addressed: false })),
} as const satisfies Readonly<Record<string, ClusterStory>>;
