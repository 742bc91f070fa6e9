import { fieldsOf, given, numberOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';
import { type PodTemplate, podTemplate } from '../../reading/pod-template.ts';

/** batch/v1 Job. */
export type JobView = Meta & {
  readonly kind: 'Job';
  readonly suspended: boolean;
  /** Pods that it may run at a time. */
  readonly parallelism: number;
  readonly activeDeadlineSeconds?: number;
  /** Failed attempts after which it gives up. */
  readonly backoffLimit: number;
  /** Another controller than that of Kubernetes runs it (`spec.managedBy`). */
  readonly managedBy?: string;
  readonly active: number;
  readonly failed: number;
  readonly succeeded: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly conditions: readonly Condition[];
  readonly template: PodTemplate;
};

/** What `spec.backoffLimit` is where nobody gave one (pkg/apis/batch/v1/defaults.go). */
export const usualBackoffLimit = 6;

/** batch/v1 Job. */
export const jobs: WatchedKind<JobView> = watched({
  group: 'batch',
  kind: 'Job',
  namespaced: true,
  fields: ({ raw, spec, status, meta }) => ({
    suspended: spec.suspend === true,
    // The API server's defaults.
    parallelism: numberOf(spec.parallelism) ?? 1,
    backoffLimit: numberOf(spec.backoffLimit) ?? usualBackoffLimit,
    active: numberOf(status.active) ?? 0,
    failed: numberOf(status.failed) ?? 0,
    succeeded: numberOf(status.succeeded) ?? 0,
    conditions: conditionsOf(raw, meta.createdAt),
    template: podTemplate(fieldsOf(fieldsOf(spec.template).spec)),
    ...given({
      activeDeadlineSeconds: numberOf(spec.activeDeadlineSeconds),
      managedBy: textOf(spec.managedBy),
      startedAt: timeOf(status.startTime),
      completedAt: timeOf(status.completionTime),
    }),
  }),
  judgedBy: ['Pod', 'CronJob'],
  fingerprintForDependents: ({ uid, suspended }) => [uid, suspended],
  // Whether it has ended, and how.
  fingerprintForOwners: ({ uid, startedAt, failed, conditions }) => [
    uid,
    startedAt,
    failed,
    conditions.map(({ type, status, reason, since }) => [type, status, reason, since]),
  ],
});
