import { type Fields, fieldsOf, given, numberOf, timeOf } from '../fields.ts';
import type { JobView } from '../projection.ts';
import { conditionsOf, metaOf } from './meta.ts';
import { podTemplate } from './pod-template.ts';

/** batch/v1 Job. */
export function projectJob(raw: Fields): JobView {
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
