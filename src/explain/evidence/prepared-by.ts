import type { Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { JobView } from '../../world/kinds/workloads/job.ts';
import { fanOut, recentMs } from '../../world/view/bounds.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { workloadsOf } from './needs.ts';
import { saysOf } from './says.ts';
import { workloadOf } from './workload.ts';

/** What Jobs are called, and their containers and images, that bring a database to the schema of a release. */
const migrates = /migrat|schema|\bdb-?(?:init|setup|upgrade)/i;

/** Runs of it have failed, and none has succeeded. */
const hasFailed = ({ failed, succeeded }: JobView): boolean => failed > 0 && succeeded === 0;

const isMigration = ({ ref, template }: JobView): boolean =>
  migrates.test(ref) || template.containers.some(({ name, image }) => migrates.test(name) || migrates.test(image));

/** The Jobs of a namespace that migrate something and have failed. */
const failedIn = sharedAnswer((namespace, world): readonly JobView[] => {
  const found: JobView[] = [];
  for (const view of world.all('Job')) {
    if (view.kind !== 'Job' || refOf('Namespace', '', namespaceOf(view.ref)) !== namespace) continue;
    if (hasFailed(view) && isMigration(view)) found.push(view);
    if (found.length === fanOut) break;
  }
  return found;
});

/** What prepares a Pod for its program fails, or is not done: it may wait for what is prepared elsewhere. */
const ofInits: ReadonlySet<Reason> = new Set<Reason>(['InitContainerError', 'InitContainerWaiting']);

/**
 * The migrations that have failed beside what says that its database has not the schema that it expects, or beside an init container that
 * speaks of them.
 */
export function failedMigrations(effect: Finding, world: World): readonly Ref[] {
  const { ref } = effect.subject;
  const isOfSchema = saysOf(effect, world).some(({ kind }) => kind === 'SchemaMismatch');
  const line = ofInits.has(effect.reason) ? world.lastLine(ref) : undefined;
  if (!isOfSchema && line === undefined) return [];
  const own = workloadOf(world, ref);
  return failedIn(refOf('Namespace', '', namespaceOf(ref)), world)
    .filter((job) => job.ref !== own && Math.abs(job.createdAt - effect.since) <= recentMs)
    .filter((job) => isOfSchema || (line !== undefined && (migrates.test(line) || line.includes(nameOf(job.ref)))))
    .map((job) => job.ref);
}

const everyWebhook = refOf('Cluster', '', 'ignored-webhooks');

/** The Services that are asked to put something into new Pods, and without which these are made all the same. */
const servicesOf = sharedAnswer((_, world): readonly Ref[] => {
  const services = new Set<Ref>();
  for (const view of world.all('MutatingWebhookConfiguration'))
    if ('webhooks' in view)
      for (const { service, failsClosed, coversPods } of view.webhooks)
        if (service !== undefined && coversPods && !failsClosed) services.add(service);
  return [...services];
});

/** The workloads that are to put something into new Pods and may be done without. */
export function ignoredWebhooks({ subject }: Finding, world: World): readonly Ref[] {
  const client = workloadOf(world, subject.ref);
  return servicesOf(everyWebhook, world).flatMap((service) => workloadsOf(service, client, world));
}
