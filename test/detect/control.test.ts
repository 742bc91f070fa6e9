import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  admissionPolicy,
  apiService,
  certificateBundle,
  crd,
  csr,
  lease,
  namespace,
  podCertificateRequest,
  policyBinding,
  service,
  slice,
  webhooks,
} from '../world/control-objects.ts';
import { at, condition, configMap, managed, pod, workload } from '../world/objects.ts';
import { story } from '../world/story.ts';

const inGuard = { namespace: 'guard' };
const guard = (parts = {}) =>
  webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'guard/policy', ...parts });
const served = [service('policy', inGuard), slice('policy', 1, inGuard)];
const guardRef = 'ValidatingWebhookConfiguration//guard';

const unavailable = (reason: string, message: string, since = at(0)) =>
  apiService('v1beta1.metrics.k8s.io', 'kube-system/metrics-server', [
    condition('Available', 'False', since, reason, message),
  ]);

test('G1 fires: an API whose Service does not exist after 20 s, one whose endpoints fail after 60 s', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), unavailable('ServiceNotFound', 'service/metrics-server in "kube-system" is not present'));
  wait(at(0, 20));
  assert.deepEqual(found(), ['APIService//v1beta1.metrics.k8s.io APIServiceUnavailable']);
  assert.equal(
    says('APIService//v1beta1.metrics.k8s.io', 'APIServiceUnavailable'),
    'The API metrics.k8s.io/v1beta1 cannot be reached: service/metrics-server in "kube-system" is not present.',
  );
  put(at(10), unavailable('FailedDiscoveryCheck', 'failing or missing response', at(10)));
  wait(at(10, 59));
  assert.deepEqual(found(), []);
  wait(at(11));
  assert.equal(found().length, 1);
});

test('G1 is quiet: an API server that cannot tell, and a replica that is replaced', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), apiService('v1.x.example', 'x/x', [condition('Available', 'Unknown', at(0), 'ServiceAccessError')]));
  put(at(0), unavailable('MissingEndpoints', 'no addresses'));
  wait(at(0, 50));
  put(at(0, 50), apiService('v1beta1.metrics.k8s.io', 'a/b', [condition('Available', 'True', at(0, 50), 'Passed')]));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('G1 clears: it answers again, held for 2 min', () => {
  const { put, found, finding, wait } = story('Pro');
  put(at(0), unavailable('MissingEndpoints', 'no addresses'));
  wait(at(2));
  assert.equal(finding('APIService//v1beta1.metrics.k8s.io', 'APIServiceUnavailable').clearHoldMs, 120_000);
  put(at(3), apiService('v1beta1.metrics.k8s.io', 'a/b', [condition('Available', 'True', at(3), 'Passed')]));
  assert.deepEqual(found(), []);
});

const taken = condition('NamesAccepted', 'False', at(0), 'PluralConflict', '"widgets" is already in use');
const widgets = 'CustomResourceDefinition//widgets.shop.example';

test('G2 fires: a kind whose name is taken; one whose objects cannot be deleted', () => {
  const { put, found, says, wait } = story('Pro');
  const failed = condition('Terminating', 'True', at(0), 'InstanceDeletionFailed', 'could not list instances');
  put(at(0), crd('widgets.shop.example', [taken]), crd('old.shop.example', [failed], { deletionAt: at(0) }));
  wait(at(0, 15));
  assert.deepEqual(found(), [`${widgets} CRDNotEstablished`]);
  assert.equal(says(widgets, 'CRDNotEstablished'), 'The kind is not served: "widgets" is already in use.');
  wait(at(1));
  assert.equal(found().length, 2);
});

test('G2 is quiet: a definition that is being installed, or deleted with its objects', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), crd('widgets.shop.example', [condition('Established', 'False', at(0), 'Installing')]));
  const going = condition('Terminating', 'True', at(0), 'InstanceDeletionInProgress');
  put(at(0), crd('old.shop.example', [going, condition('Established', 'False', at(0))], { deletionAt: at(0) }));
  wait(at(0, 5));
  put(at(0, 5), crd('widgets.shop.example', [condition('Established', 'True', at(0, 5))]));
  wait(at(5));
  assert.deepEqual(found(), []);
});

test('G2 fires: objects of a definition that are still there after 15 min; what failed before stands while it is tried again', () => {
  const { put, found, says, wait } = story('Pro');
  const old = (reason: string, message: string) =>
    crd('old.shop.example', [condition('Terminating', 'True', at(0), reason, message)], { deletionAt: at(0) });
  const inProgress = old('InstanceDeletionInProgress', 'CustomResource deletion is in progress');
  const said = 'could not confirm zero CustomResources remaining: context deadline exceeded';
  put(at(0), inProgress);
  wait(at(14));
  put(at(14), old('InstanceDeletionCheck', said));
  wait(at(14, 50));
  assert.deepEqual(found(), []);
  wait(at(15));
  const ref = 'CustomResourceDefinition//old.shop.example';
  assert.deepEqual(found(), [`${ref} CRDDeletionFailed`]);
  assert.equal(
    says(ref, 'CRDDeletionFailed'),
    'It cannot be deleted, since its objects are still there: could not confirm zero CustomResources remaining: context deadline exceeded.',
  );
  const other = story('Pro');
  other.put(at(0), old('InstanceDeletionFailed', 'could not list instances'));
  other.wait(at(2));
  other.put(at(2), inProgress);
  assert.deepEqual(other.found(), [`${ref} CRDDeletionFailed`]);
});

test('G2 clears: the name is free', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), crd('widgets.shop.example', [taken]));
  wait(at(1));
  put(at(2), crd('widgets.shop.example', [condition('NamesAccepted', 'True', at(2))]));
  assert.deepEqual(found(), []);
});

test('G4 fires: a webhook that every Pod is shown to has no Service; a converter without endpoints', () => {
  const { put, found, says, finding, wait } = story('Pro');
  put(at(0), guard());
  wait(at(0, 20));
  assert.deepEqual(found(), [`${guardRef} WebhookBackendMissing`]);
  assert.equal(
    says(guardRef, 'WebhookBackendMissing'),
    'Its Service guard/policy does not exist: every new pod is refused.',
  );
  assert.equal(finding(guardRef, 'WebhookBackendMissing').severity, 'critical');
  put(at(1), service('policy', inGuard), slice('policy', 0, inGuard));
  put(at(1), crd('widgets.shop.example', [], { converter: 'guard/policy' }));
  wait(at(2));
  assert.deepEqual(found(), [`${widgets} WebhookNoEndpoints`, `${guardRef} WebhookNoEndpoints`]);
});

test('G4 is quiet: addresses outside of the cluster, a Pod that is moved, a kind that cannot be seen; skipped ones are low', () => {
  const { put, found, finding, see, wait } = story('Pro');
  put(at(0), webhooks('MutatingWebhookConfiguration', 'far', {}), ...served, guard());
  put(at(1), slice('policy', 0, inGuard));
  wait(at(1, 20));
  put(at(1, 20), slice('policy', 1, inGuard));
  wait(at(5));
  assert.deepEqual(found(), []);
  put(at(6), webhooks('MutatingWebhookConfiguration', 'lax', { service: 'guard/none', failurePolicy: 'Ignore' }));
  wait(at(7));
  assert.equal(finding('MutatingWebhookConfiguration//lax', 'WebhookBackendMissing').severity, 'low');
  see('Service', 'Denied', at(8));
  put(at(8), guard({ service: 'guard/other' }));
  wait(at(10));
  assert.ok(!found().includes(`${guardRef} WebhookBackendMissing`));
});

test('G4 clears: an endpoint is ready, which an EndpointSlice tells through its Service', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), service('policy', inGuard), slice('policy', 0, inGuard), guard());
  wait(at(1));
  assert.equal(found().length, 1);
  put(at(2), slice('policy', 2, inGuard));
  assert.deepEqual(found(), []);
});

test('G6 fires: a CA bundle that ends in ten hours', () => {
  const { put, says, finding } = story('Pro');
  put(at(0), ...served, guard({ caBundle: certificateBundle }));
  assert.equal(finding(guardRef, 'WebhookCAExpired').severity, 'critical');
  assert.equal(
    says(guardRef, 'WebhookCAExpired'),
    'The certificate that the API server checks the webhook guard.example.com with expires on 2026-06-01.',
  );
});

test('G6 is quiet: a bundle that cannot be read, and one that lasts: time alone makes it end', () => {
  const { put, found, wait } = story('Pro');
  const week = 7 * 24 * 60;
  put(at(-2 * week), ...served, guard({ caBundle: certificateBundle }));
  put(at(-2 * week), webhooks('MutatingWebhookConfiguration', 'odd', { service: 'guard/policy', caBundle: 'AAAA' }));
  assert.deepEqual(found(), []);
  wait(at(0));
  assert.ok(found().includes(`${guardRef} WebhookCAExpired`));
});

test('G6 clears: another bundle', () => {
  const { put, found } = story('Pro');
  put(at(0), ...served, guard({ caBundle: certificateBundle }));
  put(at(1), guard());
  assert.deepEqual(found(), []);
});

const wrong = { fieldRef: 'spec.validations[0].expression', warning: "ERROR: undefined field 'replicass'" };
const binding = 'ValidatingAdmissionPolicyBinding//everywhere';

test('G7 fires: a wrong expression; a binding without its policy, or without its parameters', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), admissionPolicy('replicas', [wrong]), policyBinding('everywhere', 'none'));
  wait(at(0, 20));
  assert.deepEqual(found(), [
    'ValidatingAdmissionPolicy//replicas AdmissionPolicyInvalid',
    `${binding} AdmissionPolicyMissing`,
  ]);
  assert.equal(says(binding, 'AdmissionPolicyMissing'), 'It binds a policy that does not exist (none).');
  put(at(1), admissionPolicy('replicas', [], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }));
  put(at(1), policyBinding('everywhere', 'replicas', { name: 'limits', namespace: 'guard' }));
  wait(at(2));
  assert.deepEqual(found(), [`${binding} AdmissionParamMissing`]);
});

test('G7 is quiet: parameters of a kind that is not watched, or that are chosen by labels', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), admissionPolicy('replicas', [], { paramKind: { apiVersion: 'shop.example/v1', kind: 'Limit' } }));
  put(at(0), policyBinding('everywhere', 'replicas', { name: 'limits', namespace: 'guard' }));
  put(at(0), policyBinding('labelled', 'replicas', { selector: { matchLabels: { a: 'b' } } }));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('G7 clears: the policy is made, and the ConfigMap', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), policyBinding('everywhere', 'replicas', { name: 'limits', namespace: 'guard' }));
  wait(at(1));
  put(at(2), admissionPolicy('replicas', [], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }));
  wait(at(3));
  assert.deepEqual(found(), [`${binding} AdmissionParamMissing`]);
  put(at(4), configMap('limits', inGuard));
  wait(at(5));
  assert.deepEqual(found(), []);
});

const going = (type: string, message: string) =>
  namespace('old', { deletionAt: at(0), conditions: [condition(type, 'True', at(0), 'x', message)] });

test('G8 fires: an API that cannot be asked holds up a Namespace, told after a minute with its name', () => {
  const { put, found, finding, wait } = story();
  const message =
    'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1';
  put(at(0), going('NamespaceDeletionDiscoveryFailure', message));
  wait(at(1));
  assert.deepEqual(found(), ['Namespace//old NamespaceStuckTerminating']);
  assert.deepEqual(finding('Namespace//old', 'NamespaceStuckTerminating').names, [
    'APIService//v1beta1.metrics.k8s.io',
  ]);
});

test('G8 is quiet: Pods that have their time to end', () => {
  const { put, gone, found, wait } = story();
  const old = going('NamespaceContentRemaining', 'Some resources are remaining: pods. has 1 resource instances');
  put(at(0), old);
  wait(at(5));
  gone(at(5), old);
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('G8 clears: it is gone', () => {
  const { put, gone, found, says, wait } = story();
  const old = going('NamespaceFinalizersRemaining', 'widgets.shop.example/cleanup in 2 resource instances');
  put(at(0), old);
  wait(at(5));
  assert.equal(
    says('Namespace//old', 'NamespaceStuckTerminating'),
    'The namespace is being deleted and does not go: widgets.shop.example/cleanup in 2 resource instances.',
  );
  gone(at(6), old);
  assert.deepEqual(found(), []);
});

const stuck = {
  deletionAt: at(0),
  finalizers: ['widgets.shop.example/cleanup'],
  managedFields: [managed('widget-operator', at(-10), { 'f:metadata': { 'f:finalizers': {} } })],
};

test('G9 fires: a Deployment that has waited for its finalizers for an hour names who put them on', () => {
  const { put, found, says, finding, wait } = story();
  put(at(0), workload('Deployment', 'widget-operator', { namespace: 'ops' }), workload('Deployment', 'api', stuck));
  wait(at(60));
  assert.deepEqual(found(), ['Deployment/shop/api StuckDeleting']);
  assert.equal(
    says('Deployment/shop/api', 'StuckDeleting'),
    'It is being deleted and waits for widgets.shop.example/cleanup.',
  );
  assert.deepEqual(finding('Deployment/shop/api', 'StuckDeleting').names, ['Deployment/ops/widget-operator']);
});

test('G9 is quiet: what goes with its Namespace, and what has only to end', () => {
  const { put, found, wait } = story();
  put(at(0), namespace('shop', { deletionAt: at(50) }), workload('Deployment', 'api', stuck));
  put(at(0), workload('Deployment', 'web', { namespace: 'ops', deletionAt: at(0) }));
  wait(at(64));
  assert.deepEqual(found(), []);
});

test('G9 clears: it is gone', () => {
  const { put, gone, found, wait } = story();
  put(at(0), workload('Deployment', 'api', stuck));
  wait(at(61));
  gone(at(62), workload('Deployment', 'api', stuck));
  assert.deepEqual(found(), []);
});

test('G13 fires: requests of kubelets that nobody approves; from three on it is the signer', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), csr('csr-1', { createdAt: at(0) }));
  wait(at(10));
  assert.deepEqual(found(), ['CertificateSigningRequest//csr-1 CSRPending']);
  assert.equal(
    says('CertificateSigningRequest//csr-1', 'CSRPending'),
    'The request of system:node:n1 to kubernetes.io/kubelet-serving is not approved.',
  );
  const approved = [condition('Approved', 'True', at(10))];
  put(at(10), ...['csr-2', 'csr-3'].map((name) => csr(name, { createdAt: at(10), conditions: approved })));
  wait(at(12));
  assert.ok(found().includes('Signer//kubernetes.io/kubelet-serving SignerNotSigning'));
});

test('G13 is quiet: what is signed at once, and what a person may still approve', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), csr('csr-1', { createdAt: at(0), certificate: 'x', conditions: [condition('Approved', 'True', at(0))] }));
  put(at(0), csr('jane', { createdAt: at(0), signer: 'kubernetes.io/kube-apiserver-client' }));
  wait(at(29));
  assert.deepEqual(found(), []);
});

test('G13 clears: it is signed; what was denied is told for an hour', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), csr('csr-1', { createdAt: at(0) }));
  put(at(0), csr('csr-2', { createdAt: at(0), conditions: [condition('Denied', 'True', at(0), 'No', 'not ours')] }));
  wait(at(11));
  assert.equal(found().length, 2);
  put(at(12), csr('csr-1', { createdAt: at(0), certificate: 'x' }));
  assert.deepEqual(found(), ['CertificateSigningRequest//csr-2 CSRDenied']);
  wait(at(60));
  assert.deepEqual(found(), []);
});

const refused = podCertificateRequest('req-1', 'web', [condition('Denied', 'True', at(0), 'Policy', 'not allowed')]);

test('G14 fires: the certificate that a Pod needs is refused', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), pod('web'), refused);
  wait(at(0, 30));
  assert.deepEqual(found(), ['PodCertificateRequest/shop/req-1 PodCertificateRequestFailed']);
  assert.equal(
    says('PodCertificateRequest/shop/req-1', 'PodCertificateRequestFailed'),
    'The certificate that the pod needs to start was not issued: not allowed.',
  );
});

test('G14 is quiet: a request that waits', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), pod('web'), podCertificateRequest('req-1', 'web', []));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('G14 clears: the request is gone, or its Pod, with which it goes', () => {
  for (const which of [refused, pod('web')]) {
    const { put, gone, found, wait } = story('Pro');
    put(at(0), pod('web'), refused);
    wait(at(1));
    gone(at(2), which);
    assert.deepEqual(found(), []);
  }
});

/** Both are renewed every 15 s, `name` until it stops (seconds). */
function renewals(
  k8s: ReturnType<typeof story>,
  name: string,
  holder: string,
  until: number,
  from = 0,
  to = 900,
): void {
  for (let seconds = from; seconds <= to; seconds += 15) {
    const time = at(0, seconds);
    k8s.wait(time);
    if (seconds <= until) k8s.put(time, lease(name, holder, time));
    k8s.put(time, lease('apiserver-x', 'apiserver-x', time));
  }
}
const schedulerRef = 'Lease/kube-system/kube-scheduler';

test('G15 fires: the scheduler does not renew its lease while others do', () => {
  const k8s = story('Pro');
  renewals(k8s, 'kube-scheduler', 'n1_2f0c', 60, 0, 60 + 60);
  assert.deepEqual(k8s.found(), []);
  renewals(k8s, 'kube-scheduler', 'n1_2f0c', 60, 135, 165);
  assert.deepEqual(k8s.found(), [`${schedulerRef} SchedulerUnavailable`]);
  assert.equal(
    k8s.says(schedulerRef, 'SchedulerUnavailable'),
    'The scheduler does not renew its lease (held by n1_2f0c): new pods are not scheduled.',
  );
});

test('G15 is quiet: nothing is heard of any lease, leases are out of sight, or the clock of the holder is wrong', () => {
  const silent = story('Pro');
  silent.put(at(0), lease('kube-scheduler', 'n1_2f0c', at(0)), lease('apiserver-x', 'apiserver-x', at(0)));
  silent.wait(at(20));
  assert.deepEqual(silent.found(), []);

  const blind = story('Pro');
  renewals(blind, 'kube-scheduler', 'n1_2f0c', 0, 0, 60);
  blind.see('Lease', 'Failing', at(1, 1));
  blind.wait(at(20));
  assert.deepEqual(blind.found(), []);

  const skewed = story('Pro');
  for (let seconds = 0; seconds <= 600; seconds += 15) {
    skewed.wait(at(0, seconds));
    skewed.put(at(0, seconds), lease('kube-scheduler', 'n1_2f0c', at(-10, seconds)));
    skewed.put(at(0, seconds), lease('apiserver-x', 'apiserver-x', at(0, seconds)));
  }
  assert.deepEqual(skewed.found(), []);
});

test('G15 clears: somebody renews it', () => {
  const k8s = story('Pro');
  renewals(k8s, 'kube-controller-manager', 'n1_2f0c', 0, 0, 180);
  assert.equal(k8s.found().length, 1);
  k8s.put(at(4), lease('kube-controller-manager', 'n2_77aa', at(4)));
  assert.deepEqual(k8s.found(), []);
});

const holder = (parts = {}) => pod('snapshots-abc', { namespace: 'kube-system', ...parts });

test('G16 fires: a controller holds a lease for 5 min without renewing it, and its Pod runs', () => {
  const k8s = story('Pro');
  k8s.put(at(0), holder());
  renewals(k8s, 'snapshots', 'snapshots-abc_1b2c', 0, 0, 6 * 60 + 15);
  assert.deepEqual(k8s.found(), ['Lease/kube-system/snapshots LeaseStale']);
  assert.equal(
    k8s.says('Lease/kube-system/snapshots', 'LeaseStale'),
    'Its controller does not renew it (held by snapshots-abc_1b2c) and may hang.',
  );
});

test('G16 is quiet: a lease that was left behind when its controller was removed', () => {
  const k8s = story('Pro');
  renewals(k8s, 'snapshots', 'snapshots-abc_1b2c', 0);
  assert.deepEqual(k8s.found(), []);
});

test('G16 clears: it is renewed', () => {
  const k8s = story('Pro');
  k8s.put(at(0), holder());
  renewals(k8s, 'snapshots', 'snapshots-abc_1b2c', 0);
  k8s.put(at(16), lease('snapshots', 'snapshots-abc_1b2c', at(16)));
  assert.deepEqual(k8s.found(), []);
});
