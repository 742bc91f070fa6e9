import { at, condition, configMap, cronJob, ended, job, managed, pod, stamp, status } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const owner = { kind: 'CronJob', name: 'backup', apiVersion: 'batch/v1' };

/** The ConfigMap `settings` is edited at 1; a run by the clock that reads this one fails at 3. The one before ended at an instant. */
const story =
  (settings: string, succeeded: number): Story['tell'] =>
  (k8s) => {
    const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: settings } }] }] };
    const due = (at: number, parts: object = {}) =>
      cronJob('backup', {
        createdAt: long,
        status: { lastScheduleTime: stamp(at), lastSuccessfulTime: stamp(succeeded), ...parts },
      });
    k8s.put(
      long,
      ...twoNodes,
      configMap('settings', { createdAt: long }),
      configMap('other', { createdAt: long }),
      due(at(-5)),
    );
    k8s.wait(at(0));
    const edit = [managed('kubectl-edit', at(1), { 'f:data': { 'f:backup.sh': {} } })];
    k8s.put(at(1), configMap('settings', { createdAt: long, generation: 2, managedFields: edit }));
    const begun = { owner, createdAt: at(2), status: { startTime: stamp(at(2)) } };
    k8s.put(at(2), due(at(2), { active: [{ name: 'backup-1' }] }), job('backup-1', begun));
    const statuses = [status('api', { ready: false, state: ended(at(2), at(3), 2) })];
    const run = {
      owner: { kind: 'Job', name: 'backup-1' },
      createdAt: at(2),
      node: 'n1',
      phase: 'Failed',
      statuses,
      spec,
    };
    const conditions = [condition('Failed', 'True', at(3), 'BackoffLimitExceeded')];
    k8s.put(
      at(3),
      pod('backup-1-x', run),
      job('backup-1', { ...begun, conditions, status: { failed: 1 } }),
      due(at(2)),
    );
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'settings-changed',
  shows: {
    what: 'the last run ended well, the ConfigMap that it reads was edited, and the next one fails',
    tell: story('settings', at(-4)),
    told: ['ConfigMap/shop/settings CronJobFailing 1, data edited'],
  },
  not: {
    what: 'it reads another ConfigMap',
    tell: story('other', at(-4)),
    told: ['CronJob/shop/backup CronJobFailing 1'],
  },
};
