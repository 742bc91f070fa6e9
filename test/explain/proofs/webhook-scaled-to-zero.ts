import { apiService, service, slice, webhooks } from '../../world/control-objects.ts';
import { at, condition, managed } from '../../world/objects.ts';
import { app, long, type Proof, type Story, twoNodes } from '../proof.ts';

const labels = { app: 'policy' };
const labelled = { spec: { template: { metadata: { labels }, spec: { containers: [] } } } };
const sized = (name: string, replicas: number, of: object = labelled) =>
  app(name, {
    ...{ labels, replicas, generation: 2 - Math.sign(replicas) },
    ...of,
    spec: { replicas, template: { metadata: { labels: { app: name } }, spec: { containers: [] } } },
    managedFields: [managed('kubectl-scale', replicas === 0 ? at(1) : long, { 'f:spec': { 'f:replicas': {} } })],
  });
const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/policy' });
const api = (status: string, since: number) =>
  apiService('v1.policy.example', 'shop/policy', [condition('Available', status, since, 'MissingEndpoints')]);

/** A Service that a webhook and an API need loses its endpoints when a workload is scaled to zero. */
const story =
  (scaled: string): Story['tell'] =>
  (k8s) => {
    const both = ['policy', 'web'].flatMap((name) => sized(name, 1));
    k8s.put(long, ...twoNodes, ...both, service('policy'), slice('policy', 1), guard, api('True', long));
    k8s.wait(at(0));
    k8s.put(at(1), ...sized(scaled, 0));
    k8s.put(at(1, 1), slice('policy', 0), api('False', at(1, 1)));
    k8s.wait(at(2, 30));
  };

export const proof: Proof = {
  shows: {
    what: 'the workload behind the Service was scaled to zero',
    tell: story('policy'),
    told: ['Deployment/shop/policy APIServiceUnavailable 2, replicas edited'],
  },
  not: {
    what: 'another workload was scaled to zero',
    tell: story('web'),
    told: ['Service/shop/policy APIServiceUnavailable 2'],
  },
};
