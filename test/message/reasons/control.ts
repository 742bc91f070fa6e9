import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Reason } from '../../../src/model/reason.ts';
import {
  admissionPolicy,
  apiServer,
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
  tocsin,
  webhooks,
} from '../../world/control-objects.ts';
import { at, condition, pod } from '../../world/objects.ts';
import { type ClusterStory, long, nodes } from '../shop.ts';

/** Something is there for long, and becomes this at 12:10; told when it is time. */
const becomes =
  (before: readonly RawObject[], after: readonly RawObject[], minutes = 15): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, ...before);
    k8s.start(at(0));
    k8s.put(at(10), ...after);
    k8s.wait(at(minutes));
  };

const served = [service('policy', { namespace: 'guard' }), slice('policy', 1, { namespace: 'guard' })];
const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'guard/policy' });

/** Renewed every 15 s by all but the one, which stops at 12:10. */
const unrenewed =
  (name: string, holder: string, minutes: number, ...others: readonly RawObject[]): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, ...others, lease(name, holder, long), lease('apiserver-x', 'apiserver-x', long));
    k8s.start(at(0));
    for (let seconds = 0; seconds <= minutes * 60; seconds += 15) {
      const time = at(0, seconds);
      if (seconds <= 600) k8s.put(time, lease(name, holder, time));
      k8s.put(time, lease('apiserver-x', 'apiserver-x', time));
    }
  };

/** One story for every reason of the control plane and of what cannot be deleted. */
export const controlReasonStories = {
  APIServiceUnavailable: becomes(
    [],
    [
      apiService('v1beta1.metrics.k8s.io', 'kube-system/metrics-server', [
        condition(
          'Available',
          'False',
          at(10),
          'MissingEndpoints',
          'endpointslices for service/metrics-server in "kube-system" have no addresses with port name "https"',
        ),
      ]),
    ],
  ),
  CRDNotEstablished: becomes(
    [],
    [
      crd('widgets.shop.example', [
        condition('NamesAccepted', 'False', at(10), 'PluralConflict', '"widgets" is already in use'),
        condition('Established', 'False', at(10), 'NotAccepted', 'not all names are accepted'),
      ]),
    ],
  ),
  CRDDeletionFailed: becomes(
    [],
    [
      crd(
        'widgets.shop.example',
        [
          condition(
            'Terminating',
            'True',
            at(10),
            'InstanceDeletionFailed',
            'could not list instances: conversion webhook failed',
          ),
        ],
        { deletionAt: at(10), finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
      ),
    ],
  ),
  WebhookBackendMissing: becomes([], [guard]),
  WebhookNoEndpoints: becomes([...served, guard], [slice('policy', 0, { namespace: 'guard' })]),
  WebhookCAExpired: becomes(served, [
    webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'guard/policy', caBundle: certificateBundle }),
  ]),
  AdmissionPolicyInvalid: becomes(
    [],
    [
      admissionPolicy('replicas', [
        {
          fieldRef: 'spec.validations[0].expression',
          warning: "apps/v1, Kind=Deployment: ERROR: undefined field 'replicass'",
        },
      ]),
    ],
  ),
  AdmissionPolicyMissing: becomes([], [policyBinding('replicas-everywhere', 'replicas')]),
  AdmissionParamMissing: becomes(
    [admissionPolicy('replicas', [], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })],
    [policyBinding('replicas-everywhere', 'replicas', { name: 'limits', namespace: 'guard' })],
  ),
  CSRPending: becomes([], [csr('csr-7xk2p', { createdAt: at(10) })], 30),
  CSRNotIssued: becomes(
    [],
    [csr('csr-7xk2p', { createdAt: at(10), conditions: [condition('Approved', 'True', at(10))] })],
  ),
  CSRFailed: becomes(
    [],
    [
      csr('csr-7xk2p', {
        createdAt: at(10),
        conditions: [
          condition('Failed', 'True', at(10), 'SignerValidationFailure', 'invalid usage for client certificate'),
        ],
      }),
    ],
  ),
  CSRDenied: becomes(
    [],
    [
      csr('csr-7xk2p', {
        createdAt: at(10),
        conditions: [condition('Denied', 'True', at(10), 'KubectlDeny', 'not ours')],
      }),
    ],
    60,
  ),
  SignerNotSigning: becomes(
    [],
    [1, 2, 3].map((number) => csr(`csr-${number}`, { createdAt: at(10) })),
    30,
  ),
  PodCertificateRequestFailed: becomes(
    [],
    [
      pod('web', { createdAt: at(10) }),
      podCertificateRequest('req-1', 'web', [condition('Failed', 'True', at(10), 'SignerError', 'no such signer key')]),
    ],
  ),
  SchedulerUnavailable: unrenewed('kube-scheduler', 'n9_2f0c0a9e', 13),
  ControllerManagerUnavailable: unrenewed('kube-controller-manager', 'n9_2f0c0a9e', 13),
  LeaseStale: unrenewed(
    'snapshot-controller-leader',
    'snapshot-controller-abc_1b2c',
    20,
    pod('snapshot-controller-abc', { namespace: 'kube-system', createdAt: long }),
  ),
  APIServerNotReady: becomes(
    [apiServer('v1.36.3')],
    [apiServer('v1.36.3', { since: at(10), checks: [{ name: 'etcd' }, { name: 'etcd-readiness' }] })],
  ),
  KindsUnseen: becomes(
    [tocsin([])],
    [
      tocsin([
        { source: 'pods', since: at(10), reason: 'ServerError' },
        { source: 'deployments.apps', since: at(10), reason: 'ServerError' },
      ]),
    ],
  ),
  // The nodes of the stories are of 1.36.
  VersionSkew: becomes([apiServer('v1.36.3')], [apiServer('v1.40.1')], 25 * 60),
  NamespaceStuckTerminating: becomes(
    [namespace('old')],
    [
      namespace('old', {
        deletionAt: at(10),
        conditions: [
          condition(
            'NamespaceFinalizersRemaining',
            'True',
            at(10),
            'SomeFinalizersRemain',
            'Some content in the namespace has finalizers remaining: widgets.shop.example/cleanup in 2 resource instances',
          ),
        ],
      }),
    ],
    20,
  ),
  StuckDeleting: becomes(
    [],
    [service('web', { deletionAt: at(10), finalizers: ['service.kubernetes.io/load-balancer-cleanup'] })],
    130,
  ),
} satisfies Partial<Record<Reason, ClusterStory>>;
