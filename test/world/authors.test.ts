import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { at, autoscaler, budget, managed, workload } from './objects.ts';
import { story } from './story.ts';

/** What is known of the edits of an object after one version of it followed another. */
function edits(ref: Ref, before: RawObject, after: RawObject): object[] {
  const { put, world } = story();
  put(at(0), before);
  put(at(10), after);
  return world.changes(ref, 0).map(({ ref: _, at: __, certain: ___, ...edit }) => edit);
}

/** A Deployment whose image a manager changed, with marks of tools on it. */
function released(manager: string, marks: { labels?: Record<string, string>; annotations?: Record<string, string> }) {
  const managedFields = [managed(manager, at(10), { 'f:spec': { 'f:template': {} } })];
  const [edit] = edits(
    'Deployment/shop/api',
    workload('Deployment', 'api', { ...marks, image: 'registry.example/api:1' }),
    workload('Deployment', 'api', { ...marks, image: 'registry.example/api:2', generation: 2, managedFields }),
  );
  return (edit as { by?: string }).by;
}

test('an edit that a tool applied is the application’s or release’s, as people know it', () => {
  const argo = { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/api' } };
  assert.equal(released('argocd-controller', argo), 'Argo CD application shop');
  const anywhere = { annotations: { 'argocd.argoproj.io/tracking-id': 'team_shop:apps/Deployment:shop/api' } };
  assert.equal(released('argocd-application-controller', anywhere), 'Argo CD application team/shop');
  const byLabel = { labels: { 'app.kubernetes.io/instance': 'shop' } };
  assert.equal(released('argocd-controller', byLabel), 'Argo CD application shop');
  assert.equal(released('argocd-controller', {}), 'Argo CD');
  const flux = { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
  assert.equal(released('kustomize-controller', { labels: flux }), 'Flux Kustomization flux-system/apps');
  const release = { 'helm.toolkit.fluxcd.io/name': 'api', 'helm.toolkit.fluxcd.io/namespace': 'shop' };
  assert.equal(released('helm-controller', { labels: release }), 'Flux HelmRelease shop/api');
  const helm = { annotations: { 'meta.helm.sh/release-name': 'api' } };
  assert.equal(released('helm', helm), 'Helm release api');
});

test('what somebody did by hand to an object that a tool keeps is not the tool’s', () => {
  const argo = { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/api' } };
  assert.equal(released('kubectl-edit', argo), 'kubectl-edit');
});

const service = (spec: object): RawObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'api', namespace: 'shop', uid: 'service' },
  spec: { type: 'ClusterIP', selector: { app: 'api' }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
});

test('edits of Services, autoscalers and budgets are told by field, from and to', () => {
  assert.deepEqual(edits('Service/shop/api', service({}), service({ selector: { app: 'web' } })), [
    { field: 'selector', from: 'app=api', to: 'app=web' },
  ]);
  const ports = [{ port: 80, targetPort: 'http' }];
  assert.deepEqual(edits('Service/shop/api', service({}), service({ ports })), [
    { field: 'servicePorts', from: '80 to 8080', to: '80 to http' },
  ]);
  const hpa = 'HorizontalPodAutoscaler/shop/api';
  assert.deepEqual(edits(hpa, autoscaler('api'), autoscaler('api', { spec: { maxReplicas: 3 } })), [
    { field: 'scaleBounds', from: '2 to 10', to: '2 to 3' },
  ]);
  const strict = budget('api', { spec: { minAvailable: '100%' }, generation: 2 });
  assert.deepEqual(edits('PodDisruptionBudget/shop/api', budget('api'), strict), [
    { field: 'budget', from: 'minAvailable 1', to: 'minAvailable 100%' },
  ]);
});

test('a status that changes is no edit', () => {
  const busy = autoscaler('api', { status: { currentReplicas: 5, desiredReplicas: 5 } });
  assert.deepEqual(edits('HorizontalPodAutoscaler/shop/api', autoscaler('api'), busy), []);
});
