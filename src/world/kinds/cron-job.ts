import type { Fields } from '../fields.ts';
import type { WatchedKind } from '../kind.ts';
import { type Meta, metaOf } from '../meta.ts';

/** batch/v1 CronJob, known by its metadata only: what fails in its Jobs is told under its name. */
export type CronJobView = Meta & { readonly kind: 'CronJob' };

function project(raw: Fields): CronJobView {
  return { ...metaOf('CronJob', raw), kind: 'CronJob' };
}

/** batch/v1 CronJob by its metadata: labels that selectors ask for, and maintenance annotations. */
export const cronJobs: WatchedKind<CronJobView> = {
  group: 'batch',
  versions: ['v1'],
  plural: 'cronjobs',
  kind: 'CronJob',
  namespaced: true,
  metadataOnly: true,
  withoutManagedFields: true,
  project,
};
