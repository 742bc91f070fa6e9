import { produced } from '../case.ts';
import type { Manifest } from '../hands.ts';
import { job, template, workload } from '../manifests.ts';

/** A CronJob of one `app` container. */
function cronJob(name: string, spec: object, exitCode = 0): Manifest {
  const pod = template(name, {
    script: { exit: { afterSeconds: 1, code: exitCode } },
    pod: { restartPolicy: 'Never' },
  });
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { jobTemplate: { spec: { backoffLimit: 0, template: pod } }, ...spec },
  };
}

/** Jobs and CronJobs by their own controllers, and what admission refuses. */
export const cases = [
  produced({
    id: 'W17',
    reason: 'CronJobFailing',
    subject: (ns) => `CronJob/${ns}/backup`,
    produce: ({ apply }) => apply(cronJob('backup', { schedule: '* * * * *' }, 1)),
    settled: ({ some }) => some('Job', 'status.conditions.Failed.status', 'True'),
    settleSeconds: 120,
    withinSeconds: 30,
  }),
  produced({
    id: 'W18',
    reason: 'CronJobMissedSchedule',
    what: 'a quota lets it make no Job',
    subject: (ns) => `CronJob/${ns}/backup`,
    async produce({ apply }) {
      const hard = { 'count/jobs.batch': '0' };
      await apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'jobs' }, spec: { hard } });
      await apply(cronJob('backup', { schedule: '* * * * *' }));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedCreate'),
    settleSeconds: 120,
    withinSeconds: 400,
    quietBeforeSeconds: 300,
    also: ['ReplicaFailure', 'QuotaExceeded'],
  }),
  produced({
    id: 'W19',
    reason: 'CronJobInvalidSchedule',
    what: 'a day that never comes',
    subject: (ns) => `CronJob/${ns}/backup`,
    produce: ({ apply }) => apply(cronJob('backup', { schedule: '0 0 30 2 *' })),
    settled: ({ some }) => some('Event', 'reason', 'InvalidSchedule'),
    withinSeconds: 30,
  }),
  produced({
    id: 'W21',
    reason: 'CronJobSuspended',
    subject: (ns) => `CronJob/${ns}/backup`,
    produce: ({ apply }) => apply(cronJob('backup', { schedule: '0 0 1 1 *', suspend: true })),
    settled: ({ some }) => some('CronJob', 'spec.suspend', true),
    withinSeconds: 8 * 24 * 3600,
    quietBeforeSeconds: 7 * 24 * 3600,
  }),
  produced({
    id: 'W16',
    reason: 'JobSuspended',
    subject: (ns) => `Job/${ns}/import`,
    produce: ({ apply }) => apply(job('import', { spec: { suspend: true } })),
    settled: ({ some }) => some('Job', 'status.conditions.Suspended.status', 'True'),
    withinSeconds: 25 * 3600,
    quietBeforeSeconds: 24 * 3600,
  }),
  produced({
    id: 'W6',
    reason: 'DeploymentPaused',
    subject: (ns) => `Deployment/${ns}/api`,
    produce: ({ apply }) => apply(workload('Deployment', 'api', { spec: { paused: true } })),
    settled: ({ some }) => some('Deployment', 'status.conditions.Progressing.reason', 'DeploymentPaused'),
    withinSeconds: 25 * 3600,
    quietBeforeSeconds: 24 * 3600,
  }),
  produced({
    id: 'W4',
    reason: 'ReplicaFailure',
    what: 'a StatefulSet says it in Events alone',
    subject: (ns) => `StatefulSet/${ns}/db`,
    async produce({ apply }) {
      const hard = { pods: '0' };
      await apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute' }, spec: { hard } });
      await apply(workload('StatefulSet', 'db'));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedCreate'),
    also: ['QuotaExceeded'],
    withinSeconds: 30,
  }),
  produced({
    id: 'G10',
    reason: 'QuotaExceeded',
    subject: (ns) => `ResourceQuota/${ns}/compute`,
    async produce({ apply }) {
      const hard = { pods: '0' };
      await apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute' }, spec: { hard } });
      await apply(workload('Deployment', 'api'));
    },
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    also: ['ReplicaFailure'],
    withinSeconds: 30,
  }),
  produced({
    id: 'G11',
    reason: 'LimitRangeRejects',
    subject: (ns) => `ReplicaSet/${ns}/api-*`,
    async produce({ apply }) {
      const limits = [{ type: 'Container', max: { cpu: '1' } }];
      await apply({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'sizes' }, spec: { limits } });
      const resources = { limits: { cpu: '2' } };
      await apply(workload('Deployment', 'api', { container: { resources } }));
    },
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    withinSeconds: 30,
  }),
  produced({
    id: 'G21',
    reason: 'ServiceAccountMissing',
    subject: (ns) => `ServiceAccount/${ns}/api`,
    produce: ({ apply }) => apply(workload('Deployment', 'api', { pod: { serviceAccountName: 'api' } })),
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    also: ['ReplicaFailure'],
    withinSeconds: 30,
  }),
  produced({
    id: 'G21',
    reason: 'PriorityClassMissing',
    subject: (ns) => `PriorityClass//${ns}`,
    produce: ({ apply, ns }) => apply(workload('Deployment', 'api', { pod: { priorityClassName: ns } })),
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    also: ['ReplicaFailure'],
    withinSeconds: 30,
  }),
  produced({
    id: 'G21',
    reason: 'RuntimeClassMissing',
    subject: (ns) => `RuntimeClass//${ns}`,
    produce: ({ apply, ns }) => apply(workload('Deployment', 'api', { pod: { runtimeClassName: ns } })),
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    also: ['ReplicaFailure'],
    withinSeconds: 30,
  }),
];
