import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The webhook that sees every new Pod is down, and no workload gets Pods', (cluster) => {
  cluster.pro();
  const policy = cluster.deployment('guard/policy', { image: 'registry.example/policy:1.0' });
  cluster.service('guard/policy', { ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }] });
  const workloads = ['api', 'web', 'cart'].map((name) =>
    cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.example/${name}:1.0` }),
  );
  const webhook = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'policy.example' },
    webhooks: [
      {
        name: 'pods.policy.example',
        clientConfig: { service: { name: 'policy', namespace: 'guard', path: '/validate' } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 5,
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  };
  // There is no process behind the Service: until it is down, nobody makes a Pod.
  cluster.at('3s', () => cluster.object(webhook));
  cluster.at('5s', () => policy.scale(0));
  for (const [index, workload] of workloads.entries()) cluster.at(`${10 + index}s`, () => workload.scale(4));
  cluster.lasts('90s');
  cluster.expectIncident({
    root: 'Deployment/guard/policy',
    reason: 'WebhookNoEndpoints',
    severity: 'critical',
    messages: { open: 1, update: '≤1', resolve: 0 },
    beginsAfterSeconds: 5,
    firstMessageWithinSeconds: 60,
    mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Deployment/shop/cart', 'Service/guard/policy'],
  });
});
