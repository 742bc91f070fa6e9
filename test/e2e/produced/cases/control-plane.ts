import { createAuthority } from '../../../../sandbox/certificate.ts';
import { produced } from '../case.ts';
import { definition } from '../definition.ts';
import type { Hands, Manifest } from '../hands.ts';
import { workload } from '../manifests.ts';

const hour = 3_600;
const year = 365 * 24 * hour * 1000;

/** A request for a certificate of `CN=example`, PEM in base64. */
const request = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SFpYaGhiWEJzWlRC',
  'Wk1CTUdCeXFHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJQN0JyYkcwVS9CcWlUV0tiTWNnWG43SEM2N1hhQ2xxbWZXL0syenly',
  'MU9PeUxDa2M1cnNvUFBtCnJJRDlVRTFpbUovQWFsWWg1SFRGMlBpa3JoKzVYWStnQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlF',
  'QXlzRHcKNVgvcGdEQnBMV01TWlltYmx0MVJvdlliZWdHT3AzaFNqRFpZdEhRQ0lRRHRHdU5COThFQk56MHBLeUV2WldNegpUU3da',
  'am9TRkQ5d0RsdXNnb3h5UXpBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
].join('');

/** Asks somebody for a certificate. */
function signingRequest(name: string, signerName: string): Manifest {
  const usages = ['digital signature', 'server auth'];
  return {
    ...{ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name } },
    spec: { request, signerName, usages },
  };
}

/** A webhook that refuses what it cannot be asked about, of this namespace alone. */
function webhook(ns: string, resource: 'pods' | 'configmaps', clientConfig: object): Manifest {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] };
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
    metadata: { name: ns },
    webhooks: [
      {
        name: `validate.${ns}.example.dev`,
        ...{ clientConfig, rules: [rule], failurePolicy: 'Fail', sideEffects: 'None', timeoutSeconds: 1 },
        admissionReviewVersions: ['v1'],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } },
      },
    ],
  };
}

/** A Service on port 443, by default for Pods that nobody makes. */
const service = (name: string): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
  spec: { selector: { app: name }, ports: [{ port: 443 }] },
});

/** A definition in a group of the case's own, called after it; `kind` may be the one of another. */
function defined(ns: string, suffix: string, kind: string) {
  const group = `${ns}.example.dev`;
  const plain = definition(group, kind);
  const plural = `${ns}-${suffix}s`;
  const names = { kind, plural, singular: `${ns}-${suffix}` };
  return { ...plain, metadata: { name: `${plural}.${group}` }, spec: { ...plain.spec, names } };
}

/** A policy about the Deployments of this namespace. */
function policy(ns: string, expression: string): Manifest & { readonly spec: object } {
  const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': ns } };
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: ns } },
    spec: { matchConstraints: { resourceRules: [rule], namespaceSelector }, validations: [{ expression }] },
  };
}

/** A Lease of kube-system as its holder writes it, renewed so many seconds ago. */
function lease(name: string, holderIdentity: string, agoSeconds: number): Manifest {
  const renewTime = new Date(Date.now() - agoSeconds * 1000).toISOString().replace('Z', '000Z');
  return {
    ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: 'kube-system' } },
    spec: { holderIdentity, leaseDurationSeconds: 15, acquireTime: renewTime, renewTime, leaseTransitions: 0 },
  };
}

/** Leases are handed over every 15 s. */
const gathered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 16_000));

/** Writes the Leases of somebody who has stopped and of somebody who goes on, and takes them away. */
async function stops({ apply, ns, afterwards, api }: Hands, name: string, holder: string): Promise<void> {
  const leases = [lease(name, holder, 120), lease(`${ns}-other`, `${ns}-other`, 0)];
  await apply(...leases);
  for (const { metadata } of leases) {
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${metadata.name}`;
    afterwards(() => api.json({ method: 'DELETE', path }));
  }
  await gathered();
}

/** What extends, guards and drives the API. */
export const cases = [
  produced({
    ...{ id: 'G1', reason: 'APIServiceUnavailable', edition: 'Pro' },
    what: 'its Service does not exist',
    subject: (ns) => `APIService//${ns}-v1.example.dev`,
    async produce({ apply, ns, afterwards, remove }) {
      const [name, version] = [`${ns}-v1.example.dev`, `${ns}-v1`];
      const served = { group: 'example.dev', version, groupPriorityMinimum: 100, versionPriority: 10 };
      const spec = { ...served, insecureSkipTLSVerify: true, service: { name: 'metrics', namespace: ns } };
      afterwards(() => remove('APIService', name));
      await apply({ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec });
    },
    settled: async ({ read, ns }) =>
      (await read('APIService', `${ns}-v1.example.dev`, 'status.conditions.Available.reason')) === 'ServiceNotFound',
    withinSeconds: 60,
    quietBeforeSeconds: 20,
  }),
  produced({
    ...{ id: 'G2', reason: 'CRDNotEstablished', edition: 'Pro' },
    what: 'another definition has its kind',
    subject: (ns) => `CustomResourceDefinition//${ns}-seconds.*`,
    async produce({ apply, ns, until, read }) {
      const first = defined(ns, 'first', 'Thing');
      await apply(first);
      await until('the first is served', async () => {
        const status = await read(
          'CustomResourceDefinition',
          first.metadata.name,
          'status.conditions.Established.status',
        );
        return status === 'True';
      });
      await apply(defined(ns, 'second', 'Thing'));
    },
    settled: async ({ read, ns }) => {
      const { metadata } = defined(ns, 'second', 'Thing');
      return (
        (await read('CustomResourceDefinition', metadata.name, 'status.conditions.NamesAccepted.status')) === 'False'
      );
    },
    withinSeconds: 60,
    quietBeforeSeconds: 15,
  }),
  produced({
    ...{ id: 'G2', reason: 'CRDDeletionFailed', edition: 'Pro' },
    what: 'who converts its objects does not exist',
    subject: (ns) => `CustomResourceDefinition//${ns}-things.*`,
    async produce({ apply, ns, until, read, remove, patch, afterwards }) {
      const [crd, kind] = ['CustomResourceDefinition', 'Thing'];
      const { spec, ...rest } = defined(ns, 'thing', kind);
      const [v1] = spec.versions;
      const { name } = rest.metadata;
      await apply({ ...rest, spec });
      await until(
        'it is served',
        async () => (await read(crd, name, 'status.conditions.Established.status')) === 'True',
      );
      const { group } = spec;
      await until('it can be made', () =>
        apply({ apiVersion: `${group}/v1`, kind, metadata: { name: 'one' }, spec: {} }).then(
          () => true,
          () => false,
        ),
      );
      const caBundle = Buffer.from(createAuthority('webhooks', Date.now()).certificate).toString('base64');
      const clientConfig = { caBundle, service: { name: 'convert', namespace: ns, path: '/' } };
      const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
      const versions = [
        { ...v1, storage: false },
        { ...v1, name: 'v2' },
      ];
      await apply({ ...rest, spec: { ...spec, versions, conversion } });
      afterwards(() => patch(crd, name, { spec: { conversion: { strategy: 'None', webhook: null } } }));
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await remove(crd, name);
    },
    settled: async ({ read, ns }) => {
      const { metadata } = defined(ns, 'thing', 'Thing');
      const reason = await read('CustomResourceDefinition', metadata.name, 'status.conditions.Terminating.reason');
      return reason === 'InstanceDeletionFailed';
    },
    also: ['WebhookBackendMissing'],
    withinSeconds: 150,
    quietBeforeSeconds: 60,
  }),
  produced({
    ...{ id: 'G4', reason: 'WebhookBackendMissing', edition: 'Pro' },
    what: 'its Service does not exist, and it is asked about every Pod',
    subject: (ns) => `ValidatingWebhookConfiguration//${ns}`,
    produce: ({ apply, ns }) => apply(webhook(ns, 'pods', { service: { name: 'policy', namespace: ns, path: '/' } })),
    settled: async ({ get, ns }) => Boolean(await get('ValidatingWebhookConfiguration', ns)),
    withinSeconds: 60,
    quietBeforeSeconds: 20,
  }),
  produced({
    ...{ id: 'G4', reason: 'WebhookNoEndpoints', edition: 'Pro' },
    what: 'nobody is behind its Service',
    subject: (ns) => `ValidatingWebhookConfiguration//${ns}`,
    async produce({ apply, ns }) {
      await apply(
        service('policy'),
        webhook(ns, 'configmaps', { service: { name: 'policy', namespace: ns, path: '/' } }),
      );
    },
    settled: ({ some }) => some('EndpointSlice', 'addressType', 'IPv4'),
    also: ['ServiceSelectsNothing'],
    withinSeconds: 120,
    quietBeforeSeconds: 60,
  }),
  produced({
    ...{ id: 'G4', reason: 'WebhookBackendMissing', edition: 'Pro' },
    what: 'one that changes objects',
    subject: (ns) => `MutatingWebhookConfiguration//${ns}`,
    async produce({ apply, ns }) {
      const clientConfig = { service: { name: 'inject', namespace: ns, path: '/' } };
      await apply({ ...webhook(ns, 'pods', clientConfig), kind: 'MutatingWebhookConfiguration' });
    },
    settled: async ({ get, ns }) => Boolean(await get('MutatingWebhookConfiguration', ns)),
    withinSeconds: 60,
    quietBeforeSeconds: 20,
  }),
  produced({
    ...{ id: 'W4', reason: 'ReplicaFailure', edition: 'Pro' },
    what: 'a webhook that cannot be called',
    subject: (ns) => `ReplicaSet/${ns}/api-*`,
    names: (ns) => `ValidatingWebhookConfiguration//${ns}`,
    async produce({ apply, ns }) {
      await apply(webhook(ns, 'pods', { service: { name: 'policy', namespace: ns, path: '/' } }));
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await apply(workload('Deployment', 'api'));
    },
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.message', /failed calling webhook/),
    also: ['WebhookBackendMissing', 'DeploymentUnavailable'],
    withinSeconds: 60,
  }),
  produced({
    ...{ id: 'G6', reason: 'WebhookCAExpired', edition: 'Pro' },
    subject: (ns) => `ValidatingWebhookConfiguration//${ns}`,
    produce({ apply, ns }) {
      const { certificate } = createAuthority('webhooks', Date.now() - 11 * year);
      const caBundle = Buffer.from(certificate).toString('base64');
      return apply(webhook(ns, 'configmaps', { url: 'https://127.0.0.1:9/validate', caBundle }));
    },
    settled: async ({ get, ns }) => Boolean(await get('ValidatingWebhookConfiguration', ns)),
    withinSeconds: 5,
  }),
  produced({
    ...{ id: 'G7', reason: 'AdmissionPolicyInvalid', edition: 'Pro' },
    what: 'a field that a Deployment does not have',
    subject: (ns) => `ValidatingAdmissionPolicy//${ns}`,
    produce: ({ apply, ns }) => apply(policy(ns, 'object.spec.replicaCount <= 5')),
    settled: async ({ read, ns }) =>
      Boolean(await read('ValidatingAdmissionPolicy', ns, 'status.typeChecking.expressionWarnings.0.warning')),
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'G7', reason: 'AdmissionPolicyMissing', edition: 'Pro' },
    subject: (ns) => `ValidatingAdmissionPolicyBinding//${ns}`,
    produce: ({ apply, ns }) =>
      apply({
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' },
        ...{ metadata: { name: ns }, spec: { policyName: ns, validationActions: ['Deny'] } },
      }),
    settled: async ({ get, ns }) => Boolean(await get('ValidatingAdmissionPolicyBinding', ns)),
    withinSeconds: 60,
    quietBeforeSeconds: 20,
  }),
  produced({
    ...{ id: 'G7', reason: 'AdmissionParamMissing', edition: 'Pro' },
    subject: (ns) => `ValidatingAdmissionPolicyBinding//${ns}`,
    async produce({ apply, ns }) {
      const plain = policy(ns, "object.metadata.name != params.data.?name.orValue('')");
      const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
      await apply({ ...plain, spec: { ...plain.spec, paramKind } });
      const paramRef = { name: 'names', namespace: ns, parameterNotFoundAction: 'Deny' };
      await apply({
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' },
        ...{ metadata: { name: ns }, spec: { policyName: ns, paramRef, validationActions: ['Deny'] } },
      });
    },
    settled: async ({ get, ns }) => Boolean(await get('ValidatingAdmissionPolicyBinding', ns)),
    withinSeconds: 100,
    quietBeforeSeconds: 20,
  }),
  produced({
    ...{ id: 'G8', reason: 'NamespaceStuckTerminating' },
    what: 'something in it waits for a finalizer',
    subject: (ns) => `Namespace//${ns}-old`,
    async produce({ apply, remove, ns }) {
      const [namespace, finalizers] = [`${ns}-old`, ['example.dev/clean-up']];
      await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept', namespace, finalizers } });
      await remove('Namespace', namespace);
    },
    settled: async ({ read, ns }) =>
      (await read('Namespace', `${ns}-old`, 'status.conditions.NamespaceFinalizersRemaining.status')) === 'True',
    withinSeconds: 400,
    quietBeforeSeconds: 300,
  }),
  produced({
    ...{ id: 'G9', reason: 'StuckDeleting' },
    subject: (ns) => `Deployment/${ns}/api`,
    async produce({ apply, remove }) {
      const api = workload('Deployment', 'api', { spec: { replicas: 0 } });
      await apply({ ...api, metadata: { name: 'api', finalizers: ['example.dev/clean-up'] } });
      await remove('Deployment', 'api');
    },
    settled: ({ some }) => some('Deployment', 'metadata.deletionTimestamp', /./),
    withinSeconds: hour + 400,
    quietBeforeSeconds: hour,
  }),
  produced({
    ...{ id: 'G13', reason: 'CSRDenied', edition: 'Pro' },
    subject: (ns) => `CertificateSigningRequest//${ns}`,
    async produce({ apply, kubectl, ns }) {
      await apply(signingRequest(ns, 'example.dev/case'));
      await kubectl(['certificate', 'deny', ns]);
    },
    settled: async ({ read, ns }) =>
      (await read('CertificateSigningRequest', ns, 'status.conditions.Denied.status')) === 'True',
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'G13', reason: 'CSRNotIssued', edition: 'Pro' },
    what: 'approved, and nobody signs',
    subject: (ns) => `CertificateSigningRequest//${ns}`,
    async produce({ apply, kubectl, ns }) {
      await apply(signingRequest(ns, 'example.dev/case'));
      await kubectl(['certificate', 'approve', ns]);
    },
    settled: async ({ read, ns }) =>
      (await read('CertificateSigningRequest', ns, 'status.conditions.Approved.status')) === 'True',
    withinSeconds: 200,
    quietBeforeSeconds: 120,
  }),
  produced({
    ...{ id: 'G13', reason: 'CSRPending', edition: 'Pro' },
    what: 'nobody approves it',
    subject: (ns) => `CertificateSigningRequest//${ns}`,
    produce: ({ apply, ns }) => apply(signingRequest(ns, 'example.dev/case')),
    settled: async ({ get, ns }) => Boolean(await get('CertificateSigningRequest', ns)),
    withinSeconds: 2_000,
    quietBeforeSeconds: 1_800,
  }),
  produced({
    ...{ id: 'G13', reason: 'CSRFailed', edition: 'Pro' },
    what: 'as its signer writes it',
    subject: (ns) => `CertificateSigningRequest//${ns}`,
    async produce({ apply, kubectl, patch, read, ns }) {
      await apply(signingRequest(ns, 'example.dev/case'));
      await kubectl(['certificate', 'approve', ns]);
      const approved = await read('CertificateSigningRequest', ns, 'status.conditions.Approved');
      const lastTransitionTime = new Date().toISOString();
      const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: 'no such usage' };
      const conditions = [approved, { ...failed, lastTransitionTime }];
      await patch('CertificateSigningRequest', ns, { status: { conditions } }, 'status');
    },
    settled: async ({ read, ns }) =>
      (await read('CertificateSigningRequest', ns, 'status.conditions.Failed.status')) === 'True',
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'G13', reason: 'SignerNotSigning', edition: 'Pro' },
    subject: (ns) => `Signer//${ns}-signer.example.dev/case`,
    async produce({ apply, kubectl, ns }) {
      const names = ['a', 'b', 'c'].map((suffix) => `${ns}-${suffix}`);
      await apply(...names.map((name) => signingRequest(name, `${ns}-signer.example.dev/case`)));
      await kubectl(['certificate', 'approve', ...names]);
    },
    settled: async ({ read, ns }) =>
      (await read('CertificateSigningRequest', `${ns}-c`, 'status.conditions.Approved.status')) === 'True',
    also: ['CSRNotIssued'],
    withinSeconds: 200,
    quietBeforeSeconds: 120,
  }),
  produced({
    ...{ id: 'G15', reason: 'SchedulerUnavailable', edition: 'Pro' },
    what: 'its Lease as it writes it, and renews it no more',
    subject: () => 'Lease/kube-system/kube-scheduler',
    produce: (hands) => stops(hands, 'kube-scheduler', 'control-1_5f0c2f3e'),
    settled: () => Promise.resolve(true),
    withinSeconds: 120,
    quietBeforeSeconds: 30,
  }),
  produced({
    ...{ id: 'G15', reason: 'ControllerManagerUnavailable', edition: 'Pro' },
    what: 'its Lease as it writes it, and renews it no more',
    subject: () => 'Lease/kube-system/kube-controller-manager',
    produce: (hands) => stops(hands, 'kube-controller-manager', 'control-1_5f0c2f3e'),
    settled: () => Promise.resolve(true),
    withinSeconds: 120,
    quietBeforeSeconds: 30,
  }),
  produced({
    ...{ id: 'G16', reason: 'LeaseStale', edition: 'Pro' },
    what: 'the Pod that holds it runs and renews it no more',
    subject: (ns) => `Lease/kube-system/${ns}-controller`,
    async produce(hands) {
      const { apply, ns, kubectl, until, afterwards } = hands;
      const [name, namespace] = [`${ns}-controller-x7`, 'kube-system'];
      const metadata = { name, namespace };
      const spec = { containers: [{ name: 'app', image: 'registry.example/app:1.0' }] };
      await until('Pods can be made there', () =>
        apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec }).then(
          () => true,
          () => false,
        ),
      );
      afterwards(() => kubectl(['-n', namespace, 'delete', 'pod', name, '--wait=false']));
      await stops(hands, `${ns}-controller`, `${name}_5f0c2f3e`);
    },
    settled: () => Promise.resolve(true),
    withinSeconds: 500,
    quietBeforeSeconds: 300,
  }),
  produced({
    ...{ id: 'G18', reason: 'FlowSchemaDangling', edition: 'Pro' },
    subject: (ns) => `FlowSchema//${ns}`,
    async produce({ apply, ns }) {
      const spec = { priorityLevelConfiguration: { name: ns }, matchingPrecedence: 9_000 };
      await apply({ apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: { name: ns }, spec });
    },
    settled: async ({ read, ns }) => (await read('FlowSchema', ns, 'status.conditions.Dangling.status')) === 'True',
    withinSeconds: 100,
    quietBeforeSeconds: 60,
  }),
];
