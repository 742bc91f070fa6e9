import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ControlPlane, startControlPlane } from './cluster.ts';

describe('the control plane', () => {
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane({ controllerManager: false, scheduler: false });
  });
  after(() => plane.stop());

  test('knows its users by their certificates, and gives nobody more than they have', async () => {
    const { kubeconfigPath } = plane.user('ann', ['people']);
    assert.match(await plane.kubectl(['auth', 'whoami', '--kubeconfig', kubeconfigPath]), /ann[\s\S]*people/);
    await assert.rejects(
      plane.kubectl(['get', 'pods', '--kubeconfig', kubeconfigPath]),
      /pods is forbidden: User "ann" cannot list resource "pods"/,
    );
  });

  test('survives the death of the API server: what was written is there when it is back', async () => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } };
    await plane.kubectl(['apply', '-f', '-'], JSON.stringify(manifest));
    await plane.kill('kube-apiserver');
    await assert.rejects(plane.kubectl(['get', 'configmaps']), /refused|EOF/);
    await plane.start('kube-apiserver');
    assert.match(await plane.kubectl(['get', 'configmaps', '-o', 'name']), /configmap\/kept/);
  });

  test('a paused part answers nothing and goes on where it was', async () => {
    plane.pause('kube-apiserver');
    await assert.rejects(plane.kubectl(['get', 'namespaces', '--request-timeout=1s']));
    plane.resume('kube-apiserver');
    assert.match(await plane.kubectl(['get', 'namespaces', '-o', 'name']), /namespace\/default/);
  });
});
