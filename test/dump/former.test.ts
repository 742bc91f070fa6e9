/** What is written in versions that clusters served before those of today means the same, and is read alike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsIn } from '../../src/dump/objects.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';

const metadata = { name: 'api', namespace: 'shop', uid: '1', creationTimestamp: '2026-11-20T00:00:00Z' };

/** What is kept of an object of a dump. */
function viewOf(object: object): unknown {
  const [placed] = objectsIn({ metadata, ...object }, 'all.json');
  assert.ok(placed);
  assert.equal(placed.foreignVersion, undefined);
  const row = watchedKinds.find(({ kind }) => kind === placed.resource.kind);
  return row?.project(placed.raw);
}

/** The same without the annotations, in which some versions have what others have in fields. */
function bareViewOf(object: object): object {
  const { annotations: _, ...view } = viewOf(object) as Record<string, unknown>;
  return view;
}

const condition = {
  ...{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message: 'no metrics' },
  lastTransitionTime: '2026-11-20T09:00:00Z',
};
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' };
const autoscaler = { kind: 'HorizontalPodAutoscaler' };
const bounds = { scaleTargetRef, minReplicas: 1, maxReplicas: 4 };
const scaled = { currentReplicas: 4, desiredReplicas: 4 };
const resource = (amount: object) => [{ type: 'Resource', resource: { name: 'cpu', ...amount } }];
const pods = (amount: object) => [{ type: 'Pods', pods: amount }];
const rule = (backend: object) => [{ host: 'shop.example', http: { paths: [{ path: '/', backend }] } }];
const webhook = { clientConfig: { service: { namespace: 'shop', name: 'convert' } } };

/** Name → as it was written, and as it is written now. */
const rows: Readonly<Record<string, readonly [former: object, present: object]>> = {
  'networking.k8s.io/v1beta1 Ingress': [
    {
      ...{ apiVersion: 'networking.k8s.io/v1beta1', kind: 'Ingress' },
      spec: {
        backend: { serviceName: 'front', servicePort: 80 },
        rules: rule({ serviceName: 'api', servicePort: 'http' }),
      },
    },
    {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
      spec: {
        defaultBackend: { service: { name: 'front', port: { number: 80 } } },
        rules: rule({ service: { name: 'api', port: { name: 'http' } } }),
      },
    },
  ],
  'autoscaling/v2beta1 HorizontalPodAutoscaler': [
    {
      ...{ ...autoscaler, apiVersion: 'autoscaling/v2beta1' },
      spec: { ...bounds, metrics: resource({ targetAverageUtilization: 70 }) },
      status: { ...scaled, currentMetrics: resource({ currentAverageUtilization: 95 }), conditions: [condition] },
    },
    {
      ...{ ...autoscaler, apiVersion: 'autoscaling/v2' },
      spec: { ...bounds, metrics: resource({ target: { type: 'Utilization', averageUtilization: 70 } }) },
      status: {
        ...scaled,
        currentMetrics: resource({ current: { averageUtilization: 95 } }),
        conditions: [condition],
      },
    },
  ],
  'autoscaling/v2beta1 HorizontalPodAutoscaler by what Pods count': [
    {
      ...{ ...autoscaler, apiVersion: 'autoscaling/v2beta1' },
      spec: { ...bounds, metrics: pods({ metricName: 'requests', targetAverageValue: '10' }) },
      status: { ...scaled, currentMetrics: pods({ metricName: 'requests', currentAverageValue: '15' }) },
    },
    {
      ...{ ...autoscaler, apiVersion: 'autoscaling/v2' },
      spec: { ...bounds, metrics: pods({ metric: { name: 'requests' }, target: { averageValue: '10' } }) },
      status: { ...scaled, currentMetrics: pods({ metric: { name: 'requests' }, current: { averageValue: '15' } }) },
    },
  ],
  'autoscaling/v1 HorizontalPodAutoscaler': [
    {
      ...{ ...autoscaler, apiVersion: 'autoscaling/v1' },
      metadata: {
        ...metadata,
        annotations: { 'autoscaling.alpha.kubernetes.io/conditions': JSON.stringify([condition]) },
      },
      spec: { ...bounds, targetCPUUtilizationPercentage: 70 },
      status: { ...scaled, currentCPUUtilizationPercentage: 95 },
    },
    {
      ...{ ...autoscaler, apiVersion: 'autoscaling/v2' },
      spec: { ...bounds, metrics: resource({ target: { averageUtilization: 70 } }) },
      status: {
        ...scaled,
        currentMetrics: resource({ current: { averageUtilization: 95 } }),
        conditions: [condition],
      },
    },
  ],
  'policy/v1beta1 PodDisruptionBudget whose selector is empty': [
    { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', spec: { minAvailable: 1, selector: {} } },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: 1 } },
  ],
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': [
    {
      ...{ apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'CustomResourceDefinition' },
      spec: { conversion: { strategy: 'Webhook', webhookClientConfig: webhook.clientConfig } },
    },
    {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      spec: { conversion: { strategy: 'Webhook', webhook } },
    },
  ],
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': [
    {
      ...{ apiVersion: 'certificates.k8s.io/v1beta1', kind: 'CertificateSigningRequest' },
      status: { conditions: [{ type: 'Denied', reason: 'No' }] },
    },
    {
      ...{ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' },
      status: { conditions: [{ type: 'Denied', status: 'True', reason: 'No' }] },
    },
  ],
  'resource.k8s.io/v1alpha2 ResourceSlice': [
    { apiVersion: 'resource.k8s.io/v1alpha2', kind: 'ResourceSlice', driverName: 'gpu.example' },
    { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', spec: { driver: 'gpu.example' } },
  ],
  'v1 Event': [
    {
      ...{ apiVersion: 'v1', kind: 'Event', involvedObject: { kind: 'Pod', namespace: 'shop', name: 'api' } },
      ...{ type: 'Warning', reason: 'BackOff', message: 'Back-off', count: 4, source: { component: 'kubelet' } },
      lastTimestamp: '2026-11-20T09:00:00Z',
    },
    {
      ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', regarding: { kind: 'Pod', namespace: 'shop', name: 'api' } },
      ...{ type: 'Warning', reason: 'BackOff', note: 'Back-off', deprecatedCount: 4 },
      ...{ deprecatedSource: { component: 'kubelet' }, deprecatedLastTimestamp: '2026-11-20T09:00:00Z' },
    },
  ],
};

for (const [name, [former, present]] of Object.entries(rows))
  test(`${name} is read as that of today`, () => {
    // Items of lists need not say their version; of a budget only that tells what it means.
    const { apiVersion: _, ...bare } = former as { readonly apiVersion?: string };
    const written = name.startsWith('policy') ? [former] : [former, bare];
    for (const one of written) assert.deepEqual(bareViewOf(one), bareViewOf(present));
  });

test('an object of a version that nobody knows is read, and its version is kept for who asks', () => {
  const [placed] = objectsIn({ apiVersion: 'batch/v7', kind: 'CronJob', metadata }, 'all.json');
  assert.equal(placed?.foreignVersion, 'batch/v7');
  assert.equal([...objectsIn({ apiVersion: 'example.com/v1', kind: 'CronJob', metadata }, 'all.json')].length, 0);
});
