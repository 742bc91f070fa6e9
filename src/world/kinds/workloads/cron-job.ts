import { type Ref, refOf } from '../../../model/ref.ts';
import { given, listOf, numberOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { lastWrite, type Meta } from '../../reading/meta.ts';

/** batch/v1 CronJob. Times are epoch milliseconds. */
export type CronJobView = Meta & {
  readonly kind: 'CronJob';
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspended: boolean;
  readonly concurrencyPolicy: 'Allow' | 'Forbid' | 'Replace';
  readonly startingDeadlineSeconds?: number;
  /** When its last Job was due, not when it was made. */
  readonly lastScheduleAt?: number;
  /** When a Job of it last ended as it should. */
  readonly lastSuccessAt?: number;
  /** Its Jobs that have not ended. */
  readonly active: readonly Ref[];
  /** When somebody last edited its spec, as far as the API tells: what was due before that was due by another one. */
  readonly editedAt?: number;
};

const policies = ['Allow', 'Forbid', 'Replace'] as const;

/** batch/v1 CronJob. */
export const cronJobs: WatchedKind<CronJobView> = watched({
  group: 'batch',
  kind: 'CronJob',
  namespaced: true,
  managedFields: true,
  fields: ({ raw, spec, status, namespace }) => ({
    schedule: textOf(spec.schedule) ?? '',
    suspended: spec.suspend === true,
    concurrencyPolicy: policies.find((policy) => policy === spec.concurrencyPolicy) ?? 'Allow',
    active: listOf(status.active).map(({ name }) => refOf('Job', namespace, textOf(name) ?? '')),
    ...given({
      timeZone: textOf(spec.timeZone),
      startingDeadlineSeconds: numberOf(spec.startingDeadlineSeconds),
      lastScheduleAt: timeOf(status.lastScheduleTime),
      lastSuccessAt: timeOf(status.lastSuccessfulTime),
      editedAt: lastWrite(raw, 'f:spec')?.at,
    }),
  }),
  judgedBy: ['Job'],
  fingerprintForDependents: ({ uid, suspended }) => [uid, suspended],
});
