import type { Finding } from '../../model/finding.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { workloadsOf } from './needs.ts';
import { workloadOf } from './workload.ts';

const everything = refOf('Cluster', '', 'ignored-webhooks');

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
  return servicesOf(everything, world).flatMap((service) => workloadsOf(service, client, world));
}
