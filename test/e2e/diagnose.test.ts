/** One look at a real control plane: as its administrator, as somebody who may see one namespace, and as nobody. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runDiagnose } from '../../src/cli/diagnose/run.ts';
import { type Printed, printed } from '../cli/streams.ts';
import type { Access } from '../controlplane/access.ts';
import { deployment, type Stage, startStage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  const broken = deployment('payments', { replicas: 2, secret: 'payments-token' });
  await stage.apply(deployment('web', { replicas: 2 }), broken);
  const subject = { kind: 'User', name: 'developer' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  await stage.apply({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
    ...{ metadata: { name: 'developer', namespace: 'shop' }, roleRef, subjects: [subject] },
  });
});
after(() => stage.stop());

/** What broke a moment ago is not told at once. */
const withinSeconds = 120;

const diagnose = (as: Access, namespace?: string): Promise<Printed> =>
  printed((streams) =>
    runDiagnose(
      { output: 'text', kubeconfig: as.kubeconfigPath, ...(namespace !== undefined && { namespace }) },
      streams,
    ),
  );

test('as the administrator: the missing Secret, and nothing that could not be seen', async () => {
  const { out } = await stage.eventually(withinSeconds, async () => {
    const { code, out: text, err } = await diagnose(stage.plane.admin);
    assert.deepEqual([code, err], [1, '']);
    return { out: text };
  });
  assert.match(out, /Secret shop\/payments-token/);
  assert.match(out, /Deployment shop\/payments is down/);
  assert.doesNotMatch(out, /Not seen/);
});

test('as somebody with the role view in one namespace: the same root, and what could not be seen is said', async () => {
  const developer = stage.plane.user('developer');
  const { code, out } = await diagnose(developer, 'shop');
  assert.equal(code, 1);
  assert.match(out, /Secret shop\/payments-token/);
  assert.match(out, /nodes: you may not list and watch them\./);
  assert.match(out, /Only the namespace shop could be seen/);
});

test('as nobody: it could not look, and says what is missing', async () => {
  const { code, err } = await diagnose(stage.plane.user('nobody'));
  assert.equal(code, 2);
  assert.match(err, /you may not list and watch Pods, neither in the whole cluster nor in the namespace default/);
});
