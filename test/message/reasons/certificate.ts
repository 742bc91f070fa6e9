import type { RawObject } from '../../../src/model/raw-object.ts';
import { certificate, tlsSecret } from '../../world/certificate-objects.ts';
import { service, ingress as toService } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { type ClusterStory, long, nodes } from '../shop.ts';

const web = toService('web', { createdAt: long, spec: { tls: [{ secretName: 'web-tls' }] } });

/** What a Secret that an Ingress shows becomes at 12:10. */
const becomes =
  (after: RawObject): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, service('web', { createdAt: long, selector: undefined }), web);
    k8s.put(long, tlsSecret('web-tls', [certificate(80)]));
    k8s.start(at(0));
    k8s.put(at(10), after);
    k8s.wait(at(15));
  };

/** One story for every reason of certificates in Secrets. */
export const certificateStories = {
  TLSCertExpired: becomes(tlsSecret('web-tls', [certificate(-1, { subject: 'shop.example' })])),
  TLSCertExpiringSoon: becomes(
    tlsSecret('web-tls', [certificate(60, { subject: 'shop.example' }), certificate(5, { subject: 'R3' })]),
  ),
  TLSCertUnusable: becomes(tlsSecret('web-tls', [certificate(80)], { tls: { isPair: false } })),
} as const satisfies Readonly<Record<string, ClusterStory>>;
