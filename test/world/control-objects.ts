import type { RawObject } from '../../src/model/raw-object.ts';
import { type Common, metadata, stamp } from './objects.ts';

type Fields = Record<string, unknown>;

/** A certificate authority's certificate that ends on 1 June 2026 at 22:00 UTC, ten hours after the stories begin; in base64. */
export const certificateBundle =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJEVENCdEFJQkFUQUtCZ2dxaGtqT1BRUURBakFUTVJFd0R3WURWUVFEREFobmRXRnlaQzFqWVRBZUZ3MHkKTlRBMk1ERXdNREF3TURCYUZ3MHlOakEyTURFeU1qQXdNREJhTUJNeEVUQVBCZ05WQkFNTUNHZDFZWEprTFdOaApNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUViWEQ4VmFEUzRWNE1SZlVCWnlteGdOOUE4eFVXCmJ0VisyVzA0bUhmVWVCenVnV1JFaGMwU2M4dnJwczBsWUdUVkRzSmNZZmRTSUZ0d3Z3U1Z2U0xJcERBS0JnZ3EKaGtqT1BRUURBZ05JQURCRkFpRUEyaW9lVDY3aG5pbkZGSmkyUjZTbGd4WHdpS2N4R2VxRENEMU9rUm1adDBRQwpJQjhvaTJWcjRiOGJ2am9EdGdURHNieURUNFgyU29QL1pKajIwZDVOMTJaNwotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==';

/** `namespace/name` of a Service as others refer to it. */
const reference = (service: string): Fields => {
  const [namespace, name] = service.split('/');
  return { namespace, name, port: 443 };
};

type WithConditions = Common & { readonly conditions?: readonly Fields[] };

/** A Namespace. */
export function namespace(name: string, parts: WithConditions = {}): RawObject {
  const phase = parts.deletionAt === undefined ? 'Active' : 'Terminating';
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: metadata(name, undefined, parts),
    status: { phase, conditions: parts.conditions ?? [] },
  };
}

/** A Service `shop/<name>` of the Pods with the label `app: <name>`. */
export function service(name: string, parts: Common = {}): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: { type: 'ClusterIP', selector: { app: name }, ports: [{ port: 443 }] },
    status: {},
  };
}

/** The EndpointSlice of a Service with so many endpoints that are ready, or one that is not. */
export function slice(name: string, ready: number, parts: Common = {}): RawObject {
  const endpoint = (is: boolean): Fields => ({ conditions: { ready: is, serving: is, terminating: false } });
  const labels = { 'kubernetes.io/service-name': name };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: metadata(`${name}-x`, parts.namespace ?? 'shop', { ...parts, labels }),
    endpoints: ready === 0 ? [endpoint(false)] : Array.from({ length: ready }, () => endpoint(true)),
    ports: [{ name: '', port: 443 }],
  };
}

/** An APIService that a Service `namespace/name` serves, or the API server itself. */
export function apiService(name: string, service_: string | undefined, conditions: readonly Fields[] = []): RawObject {
  const [version, ...group] = name.split('.');
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: metadata(name, undefined, {}),
    spec: { group: group.join('.'), version, ...(service_ !== undefined && { service: reference(service_) }) },
    status: { conditions },
  };
}

/** A CustomResourceDefinition `<plural>.<group>`; `converter`: the Service that converts it. */
export function crd(
  name: string,
  conditions: readonly Fields[],
  { converter, ...parts }: Common & { readonly converter?: string } = {},
): RawObject {
  const [plural, ...group] = name.split('.');
  const conversion = converter && { strategy: 'Webhook', webhook: { clientConfig: { service: reference(converter) } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: metadata(name, undefined, parts),
    spec: { group: group.join('.'), names: { plural, kind: 'Widget' }, ...(conversion && { conversion }) },
    status: { conditions },
  };
}

/** What a story varies of a webhook. */
export type WebhookParts = Common & {
  readonly service?: string;
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly resources?: readonly string[];
  readonly caBundle?: string;
};

/** A configuration with one webhook, `<name>.example.com`, that every new Pod is shown to. */
export function webhooks(
  kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration',
  name: string,
  parts: WebhookParts = {},
): RawObject {
  const client = parts.service === undefined ? { url: 'https://guard.example' } : { service: reference(parts.service) };
  const rules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: parts.resources ?? ['pods'] },
  ];
  const clientConfig = { ...client, ...(parts.caBundle !== undefined && { caBundle: parts.caBundle }) };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: metadata(name, undefined, parts),
    webhooks: [{ name: `${name}.example.com`, clientConfig, rules, failurePolicy: parts.failurePolicy ?? 'Fail' }],
  };
}

/** A ValidatingAdmissionPolicy with what its type check says of it. */
export function admissionPolicy(name: string, expressionWarnings: readonly Fields[], spec: Fields = {}): RawObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: metadata(name, undefined, {}),
    spec,
    status: { observedGeneration: 1, typeChecking: { expressionWarnings } },
  };
}

/** A ValidatingAdmissionPolicyBinding. */
export function policyBinding(name: string, policyName: string, paramRef?: Fields): RawObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: metadata(name, undefined, {}),
    spec: { policyName, validationActions: ['Deny'], ...(paramRef && { paramRef }) },
  };
}

/** A CertificateSigningRequest of a kubelet for its serving certificate. */
export function csr(
  name: string,
  parts: WithConditions & { readonly signer?: string; readonly certificate?: string } = {},
): RawObject {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: metadata(name, undefined, parts),
    spec: { signerName: parts.signer ?? 'kubernetes.io/kubelet-serving', username: 'system:node:n1' },
    status: { conditions: parts.conditions ?? [], ...(parts.certificate && { certificate: parts.certificate }) },
  };
}

/** A PodCertificateRequest `shop/<name>`. */
export function podCertificateRequest(name: string, podName: string, conditions: readonly Fields[]): RawObject {
  return {
    apiVersion: 'certificates.k8s.io/v1beta1',
    kind: 'PodCertificateRequest',
    metadata: metadata(name, 'shop', {}),
    spec: { signerName: 'example.com/mesh', podName },
    status: { conditions },
  };
}

/** A Lease of kube-system. */
export function lease(name: string, holderIdentity: string | undefined, renewedAt: number, seconds = 15): RawObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: metadata(name, 'kube-system', {}),
    spec: {
      leaseDurationSeconds: seconds,
      renewTime: stamp(renewedAt),
      ...(holderIdentity !== undefined && { holderIdentity }),
    },
  };
}

/** What the API server says of itself: `failing` since an instant, in so many answers. */
export function apiServer(
  version: string,
  failing?: { readonly since: number; readonly answers?: number; readonly checks: readonly Fields[] },
): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'APIServer',
    metadata: metadata('kube-apiserver', undefined, {}),
    version,
    ...(failing && { failing: { answers: 3, ...failing, since: stamp(failing.since) } }),
  };
}

/** What Tocsin cannot see: sources (those of Pods and Nodes are required), since when, and why. */
export function tocsin(unseen: readonly { source: string; since: number; reason: string }[]): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Tocsin',
    metadata: metadata('tocsin', undefined, {}),
    unseen: unseen.map(({ since, ...one }) => ({
      ...{ ...one, since: stamp(since) },
      required: ['pods', 'nodes'].includes(one.source),
    })),
  };
}

/** A FlowSchema. */
export function flowSchema(name: string, priorityLevel: string, conditions: readonly Fields[]): RawObject {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: metadata(name, undefined, {}),
    spec: { priorityLevelConfiguration: { name: priorityLevel } },
    status: { conditions },
  };
}
