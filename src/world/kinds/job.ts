import { type Fields, fieldsOf, given, numberOf, timeOf } from '../fields.ts';
import type { WatchedKind } from '../kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../meta.ts';
import { type PodTemplate, podTemplate } from '../pod-template.ts';

/** batch/v1 Job. */
export type JobView = Meta & {
  readonly kind: 'Job';
  readonly suspended: boolean;
  readonly active: number;
  readonly failed: number;
  readonly succeeded: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly conditions: readonly Condition[];
  readonly template: PodTemplate;
};

function project(raw: Fields): JobView {
  const meta = metaOf('Job', raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  return {
    ...meta,
    kind: 'Job',
    suspended: spec.suspend === true,
    active: numberOf(status.active) ?? 0,
    failed: numberOf(status.failed) ?? 0,
    succeeded: numberOf(status.succeeded) ?? 0,
    conditions: conditionsOf(raw, meta.createdAt),
    template: podTemplate(fieldsOf(fieldsOf(spec.template).spec)),
    ...given({ startedAt: timeOf(status.startTime), completedAt: timeOf(status.completionTime) }),
  };
}

/** batch/v1 Job. */
export const jobs: WatchedKind<JobView> = {
  group: 'batch',
  versions: ['v1'],
  plural: 'jobs',
  kind: 'Job',
  namespaced: true,
  withoutManagedFields: true,
  project,
  judgedBy: ['Pod'],
  fingerprintForDependents: ({ uid, suspended }) => [uid, suspended],
};
